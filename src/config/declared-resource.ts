// One declared resource, with the places where it is written looked up only when somebody asks.
import type { DesiredResource, Lifecycle } from '../model/desired.ts';
import type { SourceRange } from '../model/source.ts';
import type { EntryMeaning } from './kind-section.ts';
import { rangeOf, type MapNode, type TreeEntry, type TreeNode } from './source-tree.ts';

/** What its neighbours mostly say, too: kept once for all of them. */
export type Common = Pick<
  DesiredResource,
  'kind' | 'scope' | 'absent' | 'isNew' | 'movedFrom' | 'lifecycle' | 'options'
> &
  Pick<EntryMeaning, 'places'>;

type Own = Pick<DesiredResource, 'address' | 'name' | 'pin' | 'spec'>;

/** Where a resource is written. */
export interface Written {
  readonly entry: TreeEntry;
  /** What it says after merging; null when that is just what the entry says. */
  readonly merged: MapNode | null;
}

/** The one of the two that is to be kept: the one before where they say the same. */
export function sharedCommon(common: Common, before: Common | undefined): Common {
  const isSame =
    before !== undefined &&
    common.scope === before.scope &&
    common.kind === before.kind &&
    common.absent === before.absent &&
    common.isNew === before.isNew &&
    common.movedFrom === before.movedFrom &&
    common.lifecycle === before.lifecycle &&
    common.options === before.options &&
    common.places === before.places;
  return isSame ? before : common;
}

/** With many resources, making all their places would cost most of the time: they are asked for where something changes or is wrong. */
export class DeclaredResource implements DesiredResource {
  readonly address: string;
  readonly name: string;
  readonly pin: string | null;
  readonly spec: Own['spec'];
  readonly #common: Common;
  readonly #entry: TreeEntry;
  readonly #merged: MapNode | null;

  constructor(own: Own, common: Common, written: Written) {
    this.address = own.address;
    this.name = own.name;
    this.pin = own.pin;
    this.spec = own.spec;
    this.#common = common;
    this.#entry = written.entry;
    this.#merged = written.merged;
  }

  get kind(): string {
    return this.#common.kind;
  }

  get scope(): string {
    return this.#common.scope;
  }

  get absent(): boolean {
    return this.#common.absent;
  }

  get isNew(): boolean {
    return this.#common.isNew;
  }

  get movedFrom(): string | null {
    return this.#common.movedFrom;
  }

  get lifecycle(): Lifecycle {
    return this.#common.lifecycle;
  }

  get options(): Common['options'] {
    return this.#common.options;
  }

  get source(): SourceRange {
    return rangeOf(this.#entry.key);
  }

  get sources(): Readonly<Record<string, SourceRange>> {
    return sourcesOf(this.#merged ?? this.#entry.value, this.#common.places);
  }
}

/** The place of every attribute and option: of the value, or of the key where nothing is written. */
function sourcesOf(node: TreeNode, places: Common['places']): Readonly<Record<string, SourceRange>> {
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
