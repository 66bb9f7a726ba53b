// Resolves entries of the files into declared resources.
import { objectOf, compareText } from '../../base/json.ts';
import type { Address } from '../../model/address.ts';
import type { DesiredProject, DesiredResource, KindName, Hold, Lifecycle } from '../../model/desired.ts';
import { writableOf, normaliseAt } from '../../model/attributes.ts';
import { addressBelow, PROJECT } from '../../model/kind.ts';
import type { SourceRange, SourceRanges } from '../../model/source.ts';
import { entriesOf } from '../check/cross-checks.ts';
import { type EntryMeaning, type EntryProblem, type KindSection, writtenFormOf } from '../kind-section.ts';
import { wonOver, type Budget, type Report } from '../report.ts';
import {
  changedMap,
  valueOf,
  isNull,
  itemsOf,
  mapWith,
  placeAt,
  rangeOf,
  sourceOf,
  textIn,
  toJson,
  type MapNode,
  type Provenance,
  type Span,
  type TreeEntry,
  type TreeNode,
  isTrue,
} from '../yaml/source-tree.ts';
import { withProfiles, type ProfileContext } from './resolve-project.ts';
import { millisecondsOf } from '../../base/time/clock.ts';
import { nearHint } from '../../base/text/words.ts';
import { show } from '../yaml/show.ts';

export interface EntryContext extends ProfileContext {
  readonly scope: string;
  readonly parent: Address | null;
  readonly project: DesiredProject | null;
  readonly projectLabels: readonly string[];
  readonly budget: Budget;
  /** Addresses of the entries that validation refused in part. For these, missing parts are not reported. */
  readonly damaged: ReadonlySet<string>;
}

export interface EntriesContext extends Omit<EntryContext, 'kind'> {
  readonly kinds: readonly KindSection[];
}

export function resolveEntries(
  node: TreeNode,
  parent: KindName | null,
  context: EntriesContext,
): readonly DesiredResource[] {
  const { kinds, report } = context;
  return kinds
    .filter((kind) => kind.parent === parent && kind.kind !== PROJECT)
    .flatMap((kind) => {
      const members = entriesOf(node, kind.section, report);
      const declared = writtenFormOf(kind).hasLabels
        ? members.filter(([, { value }]) => textIn(value) === null)
        : members;
      const hasChildren = kinds.some((other) => other.parent === kind.kind);
      const inKind = { ...context, kind };
      return declared.flatMap(([name, entry]) => {
        const own = resolveEntry(name, entry, inKind);
        if (!hasChildren) return [own];
        return [own, ...resolveEntries(entry.value, kind.kind, { ...context, parent: own.address })];
      });
    });
}

export function resolveEntry(name: string, entry: TreeEntry, context: EntryContext): DesiredResource {
  const { kind, scope, parent, project, report } = context;
  const isProject = kind.kind === PROJECT;
  const address = isProject ? scope : addressBelow(parent ?? (project === null ? null : scope), kind, name);
  const own = entry.value.kind === 'map' ? entry.value : mapWith(entry.value, new Map());
  const node = withoutNulls(layeredWithin(context, own, entry.key), kind);
  const value = objectOf(toJson(node));
  const meaning = kind.meaning({ name, value, project, projects: context.projectLabels, parent });
  const { spec, options, problems, movedFrom = null, via = null, places = writtenFormOf(kind).places } = meaning;
  for (const problem of problems)
    if (problem.missing !== true || !context.damaged.has(address)) reportProblem(problem, node, entry, address, report);
  const rules = valueOf(node, 'lifecycle');
  const { id } = value;
  return {
    kind: kind.kind,
    scope,
    address,
    ...(parent === null ? {} : { parent }),
    name,
    pin: typeof id === 'string' || typeof id === 'number' ? String(id) : null,
    absent: value['state'] === 'absent',
    isNew: value['new'] === true,
    movedFrom,
    lifecycle: resolveLifecycle({ node: rules, via, places, kind, address, report }),
    spec,
    options,
    source: rangeOf(entry.key),
    // Computed on demand, because the positions of all values would take more memory than the values.
    sources: () => sourcesOf(node, places),
  };
}

/** Leaves out attributes that are `null`, because the file does not manage them, unless null clears the attribute. */
function withoutNulls(map: MapNode, kind: KindSection): MapNode {
  const { clearing } = writtenFormOf(kind);
  const writable = writableOf(kind);
  return changedMap(map, (value, name) =>
    clearing.includes(name) || (!writable.includes(name) && !isNull(value)) ? value : pruned(value),
  );
}

function pruned(node: TreeNode): TreeNode | undefined {
  if (isNull(node)) return undefined;
  return node.kind === 'map' ? changedMap(node, pruned) : node;
}

function layeredWithin(context: EntryContext, own: MapNode, key: Span): MapNode {
  const { budget, report } = context;
  if (budget.nodes < 0) return own;
  const layered = withProfiles(own, context);
  if (layered !== own) budget.nodes -= sizeOf(layered, budget.nodes + 1);
  if (budget.nodes >= 0) return layered;
  report.add(
    'profile_expansion',
    'up to here, the profiles of these files expand to more values than trueup accepts',
    key,
    {
      hint: 'Write in profiles only the attributes that several entries share.',
    },
  );
  return own;
}

function sizeOf(node: TreeNode, most: number): number {
  let size = 1;
  for (const [, { value }] of partsOf(node)) {
    if (size > most) break;
    size += sizeOf(value, most - size);
  }
  return size;
}

function reportProblem(problem: EntryProblem, node: MapNode, entry: TreeEntry, address: string, report: Report): void {
  const { severity, code, message, hint, path, atKey, related } = problem;
  const place = path.length === 0 ? entry.key : placeAt(node, path, atKey);
  report.add(code, message, place === node ? entry.key : place, {
    severity,
    hint,
    address,
    related: [
      ...wonOver(node, path),
      ...(related === undefined ? [] : [{ message: related.message, span: placeAt(node, related.path) }]),
    ],
  });
}

/** Returns the positions of all attributes and options: the position of a value that is a scalar, else the position of its key. */
function sourcesOf(node: TreeNode, places: NonNullable<EntryMeaning['places']>): SourceRanges {
  const sources = Object.fromEntries(rangesIn(node));
  for (const [attribute, written] of Object.entries(places)) {
    const place = sources[written];
    if (place !== undefined) sources[attribute] = place;
  }
  return sources;
}

function rangesIn(node: TreeNode, prefix = '', above: Provenance = {}): [string, SourceRange][] {
  return [...partsOf(node)].flatMap(([name, entry]) => {
    const path = `${prefix}${name}`;
    const from = { ...above, ...entry.from };
    return [[path, sourceOf(entry, from)], ...rangesIn(entry.value, `${path}.`, from)];
  });
}

function partsOf(node: TreeNode): Iterable<readonly [string, TreeEntry]> {
  if (node.kind === 'map') return node.entries;
  return itemsOf(node).map((item, at) => [String(at), { value: item, key: item }]);
}

interface LifecycleInput {
  readonly node: TreeNode | undefined;
  readonly via: string | null;
  readonly places: NonNullable<EntryMeaning['places']>;
  readonly kind: KindSection;
  readonly address: string;
  readonly report: Report;
}

const FREE: Lifecycle = { protect: false, ignore: [], hold: [], via: null };

function resolveLifecycle(input: LifecycleInput): Lifecycle {
  const { node, via } = input;
  if (node === undefined) return via === null ? FREE : { ...FREE, via };
  const ignored = itemsOf(valueOf(node, 'ignore')).flatMap((item) => pathsOf(item, input));
  const holds = itemsOf(valueOf(node, 'hold')).flatMap((item) => resolveHold(item, input) ?? []);
  return {
    protect: isTrue(valueOf(node, 'protect')),
    ignore: [...new Set(ignored)].sort(compareText),
    hold: holds.sort((a, b) => compareText(a.path, b.path) || a.untilMs - b.untilMs),
    via,
  };
}

function resolveHold(item: TreeNode, input: LifecycleInput): Hold | null {
  const { kind, address, report } = input;
  const [path, value, until, reason] = ['path', 'value', 'until', 'reason'].map((name) => valueOf(item, name));
  if (path === undefined || value === undefined || until === undefined || reason === undefined) return null;
  const [name] = pathsOf(path, input);
  const normal = name === undefined ? null : normaliseAt(kind, name, toJson(value));
  if (normal !== null && 'problem' in normal) report.add('bad_hold', normal.problem, value, { address });
  const untilMs = millisecondsOf(toJson(until));
  if (name === undefined || normal === null || 'problem' in normal || untilMs === null) return null;
  return { path: name, value: normal.value, untilMs, reason: String(toJson(reason)), source: rangeOf(item) };
}

/** Returns the attribute paths that a text names; none, after a report, for an unknown attribute. */
function pathsOf(node: TreeNode, { kind, places, address, report }: LifecycleInput): readonly string[] {
  const value = textIn(node);
  if (value === null) return [];
  const first = value.split('.')[0] ?? '';
  const writable = writableOf(kind);
  if (writable.includes(first)) return [value];
  const named = writable.filter((attribute) => places[attribute] === value);
  if (named.length > 0) return named;
  report.add('unknown_attribute', `${show(value)} is not an attribute`, node, {
    address,
    hint: () => nearHint(first, writable, `Attributes are ${writable.join(', ')}.`, show),
  });
  return [];
}
