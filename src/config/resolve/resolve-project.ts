// Resolves what one project of the files says: its names, its labels, its rules for pruning, and the profiles that its entries take.
import { compareText, isJsonObject } from '../../base/json.ts';
import { present } from '../../base/picked.ts';
import type { DesiredProject, PruneRule, ResourceId } from '../../model/desired.ts';
import { addressBelow } from '../../model/kind.ts';
import { placeholderOf, type Reference } from '../../model/values.ts';
import type { SourceRange } from '../../model/source.ts';
import { nameProblem } from '../check/cross-checks.ts';
import { type KindSection, writtenFormOf } from '../kind-section.ts';
import { type Report, wonOver } from '../report.ts';
import { show } from '../yaml/show.ts';
import {
  entryOf,
  valueOf,
  membersOf,
  placeAt,
  rangeOf,
  sourceOf,
  textIn,
  textsIn,
  toJson,
  type Provenance,
  type TreeEntry,
  type TreeNode,
  isNull,
  mapWith,
  type MapNode,
} from '../yaml/source-tree.ts';
import { nearHint } from '../../base/text/words.ts';

export interface ProjectContext {
  readonly kinds: readonly KindSection[];
  readonly report: Report;
}

export function resolveProject(label: string, entry: TreeEntry, context: ProjectContext): DesiredProject {
  const { report, kinds } = context;
  const node = entry.value;
  const id = textIn(valueOf(node, 'id'));
  const name = textIn(valueOf(node, 'name'));
  const problem = name === null ? null : nameProblem(name);
  if (problem !== null) report.add('bad_name', problem, placeAt(node, ['name']), { related: wonOver(node, ['name']) });
  for (const kind of kinds)
    if (kind.parent === null && kind.section === label)
      report.add(
        'reserved_label',
        `${show(label)} cannot be the label of a project: addresses of account-wide resources begin with it`,
        entry.key,
        {
          hint: "Choose another label, and write the project's name as `name:`.",
        },
      );
  const unpruned: DesiredProject = {
    label,
    name: name ?? label,
    id,
    ...present({
      isNamed: name !== null || null,
      renamedFrom: textIn(valueOf(node, 'renamed_from')),
      mayBeMade: valueOf(node, 'create')?.kind === 'map' || null,
      isGoing: textIn(valueOf(node, 'state')) === 'absent' || null,
    }),
    labels: labelsOf(label, node, kinds),
    prune: false,
    unmanagedOk: [...new Set(textsIn(valueOf(node, 'unmanaged_ok')))].sort(compareText),
    source: rangeOf(entry.key),
    ...sourcesOf(entry, kinds),
  };
  const written = valueOf(node, 'prune');
  return written === undefined ? unpruned : { ...unpruned, prune: pruneOf(written, node, unpruned, context) };
}

/** Returns what each label stands for: the id that the file writes, or else a reference to the resource that the entry declares. */
function labelsOf(project: string, node: TreeNode, kinds: readonly KindSection[]): DesiredProject['labels'] {
  // Without a prototype, a label such as `constructor` is an ordinary label.
  const labels = Object.create(null) as Record<string, ResourceId | Reference>;
  for (const kind of kinds) {
    const section = writtenFormOf(kind).hasLabels ? membersOf(valueOf(node, kind.section)) : [];
    for (const [label, { value }] of [...section].sort(([a], [b]) => compareText(a, b)))
      labels[label] = textIn(value) ?? { ref: addressBelow(project, kind, label), field: 'id' };
  }
  return labels;
}

/** Returns the positions of the name, and of labels that name ids, if they are in an overlay or in another file than the project's key. */
function sourcesOf({ key, value: node }: TreeEntry, kinds: readonly KindSection[]): Pick<DesiredProject, 'sources'> {
  const sources: Record<string, SourceRange> = {};
  const add = (path: string, entry: TreeEntry, from: Provenance | undefined): void => {
    const whence = { ...from, ...entry.from };
    if (entry.value.text !== key.text || whence.over !== undefined) sources[path] = sourceOf(entry, whence);
  };
  const name = entryOf(node, 'name');
  if (name !== undefined) add('name', name, undefined);
  for (const kind of kinds) {
    const section = writtenFormOf(kind).hasLabels ? entryOf(node, kind.section) : undefined;
    for (const [label, entry] of membersOf(section?.value))
      if (textIn(entry.value) !== null) add(`labels.${label}`, entry, section?.from);
  }
  return Object.keys(sources).length === 0 ? {} : { sources };
}

function pruneOf(
  written: TreeNode,
  node: TreeNode,
  project: DesiredProject,
  { kinds, report }: ProjectContext,
): PruneRule {
  const value = toJson(written);
  if (typeof value === 'boolean') return value;
  if (!isJsonObject(value)) return false;
  const rules: Record<string, readonly string[]> = {};
  const rows = kinds.flatMap(({ attributes }) => Object.entries(attributes));
  for (const [attribute, { prunedBy: key = '', named }] of rows) {
    const texts = value[key];
    if (!Array.isArray(texts)) continue;
    const values = texts.flatMap((text, at) => {
      const found = named === undefined ? String(text) : named(String(text), project);
      if (typeof found === 'string') return [found];
      if ('ref' in found) return [placeholderOf(found.ref)];
      report.add('bad_prune', found.problem, placeAt(node, ['prune', key, at]), { hint: found.hint });
      return [];
    });
    rules[attribute] = [...new Set(values)].sort();
  }
  return rules;
}

export type Profiles = ReadonlyMap<string, MapNode['entries']>;

/** Returns the attributes of each profile. Every attribute keeps the name of its profile, because messages show this name. */
export function namedProfiles(profiles: TreeNode | undefined): Profiles {
  const named = [...membersOf(profiles)].map(([profile, { value }]) => {
    const members = [...membersOf(value)].map(
      ([name, one]) => [name, { ...one, from: { ...one.from, profile } }] as const,
    );
    return [profile, new Map(members)] as const;
  });
  return new Map(named);
}

export interface ProfileContext {
  readonly projectUse: TreeNode | undefined;
  readonly profiles: Profiles;
  readonly kind: KindSection;
  readonly report: Report;
}

/** Adds the attributes of profiles to an entry. With `use: null`, an entry takes no profile, not even the profile of its project. */
export function withProfiles(own: MapNode, { projectUse, profiles, kind, report }: ProfileContext): MapNode {
  const use = valueOf(own, 'use');
  const { profile } = writtenFormOf(kind);
  if (profile === null || (use === undefined ? projectUse === undefined : isNull(use))) return own;
  const type = textIn(valueOf(own, profile.by)) ?? profile.usual;
  const forType = projectUse?.kind === 'map' ? valueOf(projectUse, type) : projectUse;
  return [use, forType].reduce<MapNode>((near, node) => {
    const members = [...(findProfile(node, profiles, report) ?? [])];
    return over(near, new Map(members.filter(([name]) => profile.attributes.includes(name))));
  }, own);
}

/** Adds to `near` the members that only `far` has. Mappings in both are merged; any other value of `near`, even `null`, wins. */
function over(near: MapNode, far: MapNode['entries']): MapNode {
  if (far.size === 0) return near;
  const entries = new Map<string, TreeEntry>(near.entries);
  for (const [name, entry] of far) {
    const nearer = entries.get(name);
    if (nearer === undefined) entries.set(name, entry);
    else if (nearer.value.kind === 'map')
      entries.set(name, { ...nearer, value: over(nearer.value, membersOf(entry.value)) });
  }
  return mapWith(near, entries);
}

function findProfile(use: TreeNode | undefined, profiles: Profiles, report: Report): MapNode['entries'] | undefined {
  const name = textIn(use);
  if (use === undefined || name === null) return undefined;
  const found = profiles.get(name);
  if (found === undefined)
    report.add('unknown_profile', `there is no profile ${show(name)}`, use, {
      hint: () =>
        nearHint(name, profiles.keys(), 'Profiles are written at the top level: `profiles: { NAME: … }`.', show),
    });
  return found;
}
