// One declared resource, with the places where it is written looked up only when somebody asks.
import type { DesiredResource, Lifecycle } from '../model/desired.ts';
import type { SourceRange } from '../model/source.ts';
import type { EntryMeaning } from './kind-section.ts';
import { rangeOf, type TreeEntry, type TreeNode } from './source-tree.ts';

/** Where a resource is written. */
export interface Written {
  readonly entry: TreeEntry;
  /** What it says after merging. */
  readonly node: TreeNode;
  /** Attributes that were written under another key. */
  readonly places: EntryMeaning['places'];
}

/** With many resources, making all their places would cost most of the time: they are asked for where something changes or is wrong. */
export class DeclaredResource implements DesiredResource {
  readonly kind: string;
  readonly scope: string;
  readonly address: string;
  readonly name: string;
  readonly pin: string | null;
  readonly absent: boolean;
  readonly isNew: boolean;
  readonly movedFrom: string | null;
  readonly lifecycle: Lifecycle;
  readonly spec: DesiredResource['spec'];
  readonly options: DesiredResource['options'];
  readonly #written: Written;

  constructor(facts: Omit<DesiredResource, 'source' | 'sources'>, written: Written) {
    this.kind = facts.kind;
    this.scope = facts.scope;
    this.address = facts.address;
    this.name = facts.name;
    this.pin = facts.pin;
    this.absent = facts.absent;
    this.isNew = facts.isNew;
    this.movedFrom = facts.movedFrom;
    this.lifecycle = facts.lifecycle;
    this.spec = facts.spec;
    this.options = facts.options;
    this.#written = written;
  }

  get source(): SourceRange {
    return rangeOf(this.#written.entry.key);
  }

  get sources(): Readonly<Record<string, SourceRange>> {
    return sourcesOf(this.#written);
  }
}

/** The place of every attribute and option: of the value, or of the key where nothing is written. */
function sourcesOf({ node, places }: Written): Readonly<Record<string, SourceRange>> {
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
