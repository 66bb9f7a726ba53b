// Resolves the merged tree into the desired state, with the limits and expectations of the run.
import { compareText, canonicalJson } from '../../base/json.ts';
import {
  memberOf,
  type DesiredProject,
  type DesiredResource,
  type DesiredState,
  type Expectations,
  type SafetyLimits,
  type TimeWindow,
} from '../../model/desired.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import { PROJECT, addressBelow } from '../../model/kind.ts';
import { checkResources, entriesOf } from '../check/cross-checks.ts';
import type { Merged, SafetyBlock } from '../files/merge-files.ts';
import { type KindSection, writtenFormOf } from '../kind-section.ts';
import type { Budget, Report } from '../report.ts';
import {
  durationIn,
  isTrue,
  mapWith,
  numberIn,
  placeAt,
  valueOf,
  type TreeEntry,
  type TreeNode,
  type Path,
  itemsOf,
  rangeOf,
  textIn,
  textsIn,
  type MapNode,
} from '../yaml/source-tree.ts';
import { resolveEntries, resolveEntry, type EntriesContext } from './resolve-entry.ts';
import { resolveProject, namedProfiles } from './resolve-project.ts';
import { resolveRules } from './resolve-sets.ts';
import type { Address } from '../../model/address.ts';
import { present } from '../../base/picked.ts';
import { parseWindow } from '../check/windows.ts';

export interface ResolveInput {
  readonly merged: Merged;
  readonly kinds: readonly KindSection[];
  readonly report: Report;
  readonly budget: Budget;
  readonly damaged: ReadonlySet<string>;
}

/** Resolves everything that needs no API; after an error, the result is only a part of what the files declare. */
export function resolveState(input: ResolveInput): DesiredState {
  const { merged, kinds, report } = input;
  const { root } = merged;
  const profiles = namedProfiles(valueOf(root, 'profiles'));
  const projects: DesiredProject[] = [];
  const sections: (readonly DesiredResource[])[] = [];
  const labels = entriesOf(root, 'projects', report).sort(([a], [b]) => compareText(a, b));
  const projectLabels = labels.map(([label]) => label);
  const all = { ...input, profiles, parent: null, project: null, projectUse: undefined, projectLabels };
  for (const [label, entry] of labels) {
    const project = resolveProject(label, entry, { kinds, report });
    const projectUse = valueOf(entry.value, 'use');
    const context = { ...all, scope: label, project, projectUse };
    projects.push({ ...project, ...resolveRules(entry.value, context) });
    sections.push(resolveItself(label, entry, context), resolveEntries(entry.value, PROJECT, context));
  }
  for (const { section } of kinds.filter(({ parent }) => parent === null)) {
    const own = kinds.filter((kind) => kind.parent !== null || kind.section === section);
    sections.push(resolveEntries(root, null, { ...all, scope: section, kinds: own }));
  }
  const expect = resolveExpectations(merged.expect, report);
  const resources = withMembers(sections.flat(), projects, input);
  return {
    expect,
    projects,
    resources,
    accountPrune: resolveAccountPrune(root, expect !== null, input),
    ...(isTrue(valueOf(root, 'projects_complete')) ? { projectsComplete: true } : {}),
    safety: resolveSafety(merged.safety, report),
  };
}

/** Adds the members of all sets to the declarations. After an error, adds the templates instead, so that each mistake is reported once. */
function withMembers(
  own: readonly DesiredResource[],
  projects: readonly DesiredProject[],
  { kinds, report }: ResolveInput,
): readonly DesiredResource[] {
  const sets = projects.flatMap((project) => project.sets ?? []);
  const checked = (resources: readonly DesiredResource[]): readonly DesiredResource[] => {
    const sorted = resources.toSorted((a, b) => compareText(a.address, b.address));
    checkResources({ projects, resources: sorted, kinds, report });
    return sorted;
  };
  const declared = checked([...own, ...sets.flatMap(({ template }) => template)]);
  if (sets.length === 0 || hasErrors(report.diagnostics)) return declared;
  return checked([...own, ...sets.flatMap((set) => set.keys.flatMap((key) => memberOf(set, key)))]);
}

/** Resolves a project as a resource, if its entry declares more than the keys that identify it. */
function resolveItself(label: string, entry: TreeEntry, context: EntriesContext): readonly DesiredResource[] {
  const kind = context.kinds.find((one) => one.kind === PROJECT);
  const { value } = entry;
  if (kind === undefined || value.kind !== 'map') return [];
  const own = [...value.entries].filter(([key]) => isDeclaring(kind, key) || IDENTIFYING.includes(key));
  if (own.every(([key]) => IDENTIFYING.includes(key))) return [];
  return [resolveEntry(label, { key: entry.key, value: mapWith(value, new Map(own)) }, { ...context, kind })];
}

const IDENTIFYING = ['id', 'name'];

/** True if the key makes the project a managed resource; an entry without such a key only names a project. */
function isDeclaring(kind: KindSection, key: string): boolean {
  return writtenFormOf(kind).keys.has(key) || key === 'state' || key === 'lifecycle';
}

function resolveAccountPrune(root: TreeNode, expected: boolean, { kinds, report }: ResolveInput): readonly string[] {
  const asked = kinds.filter(({ parent, section }) => parent === null && isTrue(valueOf(root, `${section}_prune`)));
  if (!expected)
    for (const { section } of asked)
      report.add(
        'prune_needs_expect',
        `\`${section}_prune: true\` requires \`expect\`, so that a run cannot clear another account by mistake`,
        placeAt(root, [`${section}_prune`], true),
        { hint: 'Write for example `expect: { has_project: PROJECT-ID }`.' },
      );
  return asked.map(({ kind }) => kind).sort(compareText);
}

interface ResourceAt {
  readonly kind: KindSection;
  readonly address: Address;
  readonly rest: Path;
}

export function resourceAt(path: Path, kinds: readonly KindSection[]): ResourceAt | undefined {
  const isInProject = path[0] === 'projects' && path[1] !== undefined;
  let address = isInProject ? String(path[1]) : null;
  let found: ResourceAt | undefined;
  let parent = isInProject ? PROJECT : null;
  for (let at = isInProject ? 2 : 0; ; at += 2) {
    const [section, name] = [path[at], path[at + 1]];
    const kind = kinds.find((one) => one.parent === parent && one.section === section && one.kind !== PROJECT);
    if (at === 2 && isInProject && kind === undefined) return projectAt(path, kinds);
    if (kind === undefined || name === undefined) return found;
    address = addressBelow(address, kind, String(name));
    found = { kind, address, rest: path.slice(at + 2) };
    parent = kind.kind;
  }
}

function projectAt(path: Path, kinds: readonly KindSection[]): ResourceAt | undefined {
  const kind = kinds.find((one) => one.kind === PROJECT);
  if (kind === undefined || !isDeclaring(kind, String(path[2]))) return undefined;
  return { kind, address: String(path[1]), rest: path.slice(2) };
}

/** Returns the limits of all blocks, sorted; limits for all projects come first. */
function resolveSafety(blocks: readonly SafetyBlock[], report: Report): readonly SafetyLimits[] {
  return blocks
    .map((block) => limitsOf(block, report))
    .map((limits) => ({ limits, key: `${limits.project ?? ''}\0${canonicalJson({ ...limits, source: undefined })}` }))
    .sort((a, b) => compareText(a.key, b.key))
    .map(({ limits }) => limits);
}

function limitsOf({ project, node, isOperators }: SafetyBlock, report: Report): SafetyLimits {
  const number = (name: string): number | null => numberIn(valueOf(node, name));
  const unlessIdleMs = durationIn(valueOf(valueOf(node, 'drop'), 'unless_idle'));
  return {
    project,
    protect: textsIn(valueOf(node, 'protect')).toSorted(compareText),
    maxDeletes: number('max_deletes'),
    maxRestarts: number('max_restarts'),
    maxChangePercent: number('max_change_percent'),
    ...present({ maxDrops: number('max_drops'), unlessIdleMs, isOperators }),
    windows: windowsOf(node, report),
    source: rangeOf(node),
  };
}

function windowsOf(node: MapNode, report: Report): readonly TimeWindow[] {
  const windows: TimeWindow[] = [];
  for (const item of itemsOf(valueOf(node, 'windows'))) {
    if (report.isFull) break;
    const text = textIn(item);
    if (text === null) continue;
    const result = parseWindow(text);
    if ('window' in result) windows.push(result.window);
    else report.add('bad_window', result.problem, item, { hint: result.hint });
  }
  return windows.sort((a, b) => compareText(a.text, b.text));
}

function resolveExpectations(blocks: readonly TreeEntry[], report: Report): Expectations | null {
  const first = blocks[0];
  if (first === undefined) return null;
  return {
    baseUrl: agreed('base_url', blocks, report),
    hasProject: agreed('has_project', blocks, report),
    source: rangeOf(first.key),
  };
}

function agreed(name: string, blocks: readonly TreeEntry[], report: Report): string | null {
  const [first, ...others] = blocks.flatMap(({ value }) => valueOf(value, name) ?? []);
  if (first === undefined) return null;
  for (const other of others)
    if (textIn(other) !== textIn(first))
      report.add('expect_differs', `expect.${name} is written with different values`, other, {
        hint: 'A run can expect one value only.',
        related: [{ message: 'and here', span: first }],
      });
  return textIn(first);
}
