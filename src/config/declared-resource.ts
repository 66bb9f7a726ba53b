// One declared resource, with the places where it is written looked up only when somebody asks.
import type { DesiredResource, Lifecycle } from '../model/desired.ts';
import type { SourceRange } from '../model/source.ts';
import type { EntryMeaning } from './kind-section.ts';
import { rangeOf, type MapNode, type TreeEntry, type TreeNode } from './source-tree.ts';

type Facts = Omit<DesiredResource, 'source' | 'sources'>;

/** Where a resource is written. */
export interface Written {
  readonly entry: TreeEntry;
  /** What it says after merging; null when that is just what the entry says. */
  readonly merged: MapNode | null;
  readonly places: EntryMeaning['places'];
}

/** With many resources, making all their places would cost most of the time: they are asked for where something changes or is wrong. */
export class DeclaredResource implements DesiredResource {
  readonly kind: string;
  readonly address: string;
  readonly scope: string;
  readonly name: string;
  readonly pin: string | null;
  readonly absent: boolean;
  readonly isNew: boolean;
  readonly movedFrom: string | null;
  readonly spec: Facts['spec'];
  readonly lifecycle: Lifecycle;
  readonly options: Facts['options'];
  readonly #entry: TreeEntry;
  readonly #merged: MapNode | null;
  readonly #places: Written['places'];

  constructor(facts: Facts, written: Written) {
    this.kind = facts.kind;
    this.address = facts.address;
    this.scope = facts.scope;
    this.name = facts.name;
    this.pin = facts.pin;
    this.absent = facts.absent;
    this.isNew = facts.isNew;
    this.movedFrom = facts.movedFrom;
    this.spec = facts.spec;
    this.lifecycle = facts.lifecycle;
    this.options = facts.options;
    this.#entry = written.entry;
    this.#merged = written.merged;
    this.#places = written.places;
  }

  get source(): SourceRange {
    return rangeOf(this.#entry.key);
  }

  get sources(): Readonly<Record<string, SourceRange>> {
    return sourcesOf(this.#merged ?? this.#entry.value, this.#places);
  }
}

/** The place of every attribute and option: of the value, or of the key where nothing is written. */
function sourcesOf(node: TreeNode, places: Written['places']): Readonly<Record<string, SourceRange>> {
  const sources: Record<string, SourceRange> = {};
  addSources(node, '', sources);
  for (const [attribute, written] of Object.entries(places)) {
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
