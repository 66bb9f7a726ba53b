// One written entry → one declared resource.
import { isJsonObject, type Json } from '../base/json.ts';
import { addressOf } from '../model/address.ts';
import type { DesiredProject, DesiredResource } from '../model/desired.ts';
import type { SourceRange } from '../model/source.ts';
import type { EntryMeaning, EntryProblem, KindSection } from './kind-section.ts';
import { resolveLifecycle } from './lifecycle.ts';
import { withoutNulls, type Profiles } from './overlay.ts';
import { withProfiles } from './profiles.ts';
import type { Report } from './report.ts';
import { entryOf, placeAt, rangeOf, toJson, type MapNode, type TreeEntry, type TreeNode } from './source-tree.ts';

export interface EntryContext {
  readonly kind: KindSection;
  readonly scope: string;
  readonly project: DesiredProject | null;
  readonly projectUse: TreeNode | undefined;
  readonly profiles: Profiles;
  readonly report: Report;
  /** Addresses of which a part was already refused: what is missing there is not said again. */
  readonly damaged: ReadonlySet<string>;
}

export function resolveEntry(name: string, entry: TreeEntry, context: EntryContext): DesiredResource {
  const { kind, scope, project, report } = context;
  const address = addressOf(scope, name);
  const own: MapNode = entry.value.kind === 'map' ? entry.value : { ...entry.value, kind: 'map', entries: new Map() };
  const node = withoutNulls(withProfiles({ ...context, own }), kind);
  const value = objectOf(toJson(node));
  const meaning = kind.meaning({ name, value, project });
  for (const problem of meaning.problems)
    if (problem.missing !== true || !context.damaged.has(address)) reportProblem(problem, node, entry, address, report);
  let sources: Readonly<Record<string, SourceRange>> | undefined;
  return {
    kind: kind.kind,
    address,
    scope,
    name,
    pin: pinOf(value['id']),
    absent: value['state'] === 'absent',
    isNew: value['new'] === true,
    movedFrom: meaning.movedFrom,
    spec: meaning.spec,
    lifecycle: resolveLifecycle({ node: entryOf(node, 'lifecycle')?.value, via: meaning.via, kind, address, report }),
    options: meaning.options,
    source: rangeOf(entry.key),
    // Places are asked for where something changes or is wrong: with many resources, making them all would cost most of the time.
    get sources() {
      return (sources ??= sourcesOf(node, meaning));
    },
  };
}

function objectOf(value: Json): { readonly [key: string]: Json } {
  return isJsonObject(value) ? value : {};
}

function pinOf(id: Json | undefined): string | null {
  return typeof id === 'string' || typeof id === 'number' ? String(id) : null;
}

function reportProblem(problem: EntryProblem, node: MapNode, entry: TreeEntry, address: string, report: Report): void {
  const { severity, code, message, hint, path, atKey, related } = problem;
  const place = path.length === 0 ? entry.key : placeAt(node, path, atKey);
  report.add(code, message, place === node ? entry.key : place, {
    severity,
    hint,
    address,
    related: related === undefined ? [] : [{ message: related.message, span: placeAt(node, related.path) }],
  });
}

/** The place of every attribute and option: of the value, or of the key where nothing is written. */
function sourcesOf(node: MapNode, meaning: EntryMeaning): Readonly<Record<string, SourceRange>> {
  const sources: Record<string, SourceRange> = {};
  addSources(node, '', sources);
  for (const [attribute, written] of Object.entries(meaning.places)) {
    const place = sources[written];
    if (place !== undefined) sources[attribute] = place;
  }
  return sources;
}

function addSources(node: TreeNode, prefix: string, sources: Record<string, SourceRange>): void {
  const members =
    node.kind === 'map'
      ? [...node.entries].map(([name, entry]) => [name, entry.value, entry.key] as const)
      : node.kind === 'list'
        ? node.items.map((item, at) => [String(at), item, item] as const)
        : [];
  for (const [name, value, key] of members) {
    sources[`${prefix}${name}`] = rangeOf(value.kind === 'scalar' && value.start < value.end ? value : key);
    if (value.kind !== 'scalar') addSources(value, `${prefix}${name}.`, sources);
  }
}
