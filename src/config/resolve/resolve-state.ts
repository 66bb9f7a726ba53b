// Resolves the merged tree into the desired state.
import { compareText } from '../../base/json.ts';
import type { DesiredProject, DesiredResource, DesiredState, KindName } from '../../model/desired.ts';
import { PROJECT } from '../../model/kind.ts';
import { checkResources } from '../check/cross-checks.ts';
import { checkConfusable } from '../check/names.ts';
import type { Merged } from '../files/overlays.ts';
import type { KindSection } from '../kind-section.ts';
import type { Budget } from '../limits.ts';
import type { Report } from '../report.ts';
import { writtenFormOf } from '../written-form.ts';
import { entryOf, isTrue, mapWith, membersOf, textIn, type TreeEntry, type TreeNode } from '../yaml/source-tree.ts';
import { findProfile, namedProfiles, type Profiles } from './profiles.ts';
import { resolveEntry, type EntryContext } from './resolve-entry.ts';
import { resolveProject } from './resolve-project.ts';
import { resolveExpectations, resolveSafety } from './safety.ts';

export interface ResolveInput {
  readonly merged: Merged;
  readonly kinds: readonly KindSection[];
  readonly report: Report;
  readonly budget: Budget;
  /** Addresses with a refused part. */
  readonly damaged: ReadonlySet<string>;
}

/** Resolves everything that needs no API. If the report has errors, the result is unusable. */
export function resolveState(input: ResolveInput): DesiredState {
  const { merged, kinds, report } = input;
  const { root } = merged;
  const profiles = namedProfiles(entryOf(root, 'profiles')?.value);
  const projects: DesiredProject[] = [];
  const sections: (readonly DesiredResource[])[] = [];
  const labels = [...membersOf(entryOf(root, 'projects')?.value)].sort(([a], [b]) => compareText(a, b));
  checkConfusable(labels, report);
  const projectLabels = labels.map(([label]) => label);
  for (const [label, entry] of labels) {
    const project = resolveProject(label, entry, { kinds, report });
    projects.push(project);
    const projectUse = entryOf(entry.value, 'use')?.value;
    checkProjectUse(projectUse, profiles, report);
    const context = { ...input, profiles, scope: label, parent: null, project, projectUse, projectLabels };
    sections.push(resolveItself(label, entry, context), resolveBelow(entry.value, PROJECT, context));
  }
  for (const { section } of kinds.filter(({ parent }) => parent === null)) {
    const context = {
      ...input,
      profiles,
      scope: section,
      parent: null,
      project: null,
      projectUse: undefined,
      projectLabels,
    };
    const own = kinds.filter((kind) => kind.parent !== null || kind.section === section);
    sections.push(resolveBelow(root, null, { ...context, kinds: own }));
  }
  const resources = sections.flat().sort((a, b) => compareText(a.address, b.address));
  const expect = resolveExpectations(merged.expect, report);
  checkResources({ projects, resources, kinds, report });
  return {
    expect,
    projects,
    resources,
    accountPrune: resolveAccountPrune(root, expect !== null, input),
    ...(isTrue(entryOf(root, 'projects_complete')?.value) ? { projectsComplete: true } : {}),
    safety: resolveSafety(merged.safety, report),
  };
}

interface Below extends Omit<EntryContext, 'kind'> {
  readonly kinds: readonly KindSection[];
}

/** A project is a resource if its entry says more than which project it is. */
function resolveItself(label: string, entry: TreeEntry, context: Below): readonly DesiredResource[] {
  const kind = context.kinds.find((one) => one.kind === PROJECT);
  const { value } = entry;
  if (kind === undefined || value.kind !== 'map') return [];
  const own = [...value.entries].filter(([key]) => isDeclaring(kind, key) || IDENTIFYING.includes(key));
  if (own.every(([key]) => IDENTIFYING.includes(key))) return [];
  return [resolveEntry(label, { key: entry.key, value: mapWith(value, new Map(own)) }, { ...context, kind })];
}

/** The keys that identify a project. */
const IDENTIFYING = ['id', 'name'];

/** True for a key that declares a project as a resource: with other keys alone, the project is only named, and not managed. */
export function isDeclaring(kind: KindSection, key: string): boolean {
  return writtenFormOf(kind).keys.has(key) || key === 'state' || key === 'lifecycle';
}

/** Resolves one entry (null: the top level) at every depth. */
function resolveBelow(node: TreeNode, parent: KindName | null, context: Below): readonly DesiredResource[] {
  const { kinds, report } = context;
  return kinds
    .filter((kind) => kind.parent === parent && kind.kind !== PROJECT)
    .flatMap((kind) => {
      const members = [...membersOf(entryOf(node, kind.section)?.value)];
      checkConfusable(members, report);
      const declared = writtenFormOf(kind).hasLabels
        ? members.filter(([, { value }]) => textIn(value) === null)
        : members;
      const hasChildren = kinds.some((other) => other.parent === kind.kind);
      return declared.flatMap(([name, entry]) => {
        const own = resolveEntry(name, entry, { ...context, kind });
        if (!hasChildren) return [own];
        return [own, ...resolveBelow(entry.value, kind.kind, { ...context, parent: own.address })];
      });
    });
}

/** Profiles that no resource uses are checked, too. */
function checkProjectUse(use: TreeNode | undefined, profiles: Profiles, report: Report): void {
  findProfile(use, profiles, report);
  for (const { value } of membersOf(use).values()) findProfile(value, profiles, report);
}

function resolveAccountPrune(root: TreeNode, expected: boolean, { kinds, report }: ResolveInput): readonly string[] {
  const pruned: string[] = [];
  for (const kind of kinds) {
    if (kind.parent !== null) continue;
    const key = `${kind.section}_prune`;
    const entry = entryOf(root, key);
    if (entry === undefined || !isTrue(entry.value)) continue;
    pruned.push(kind.kind);
    if (!expected)
      report.add(
        'prune_needs_expect',
        `\`${key}: true\` requires \`expect\`, so that a run cannot clear another account by mistake`,
        entry.key,
        {
          hint: 'Write for example `expect: { has_project: PROJECT-ID }`.',
        },
      );
  }
  return pruned.sort(compareText);
}
