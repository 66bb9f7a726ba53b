// One declared resource, with the places where it is written looked up only when somebody asks.
import type { DesiredResource, Lifecycle } from '../model/desired.ts';
import type { SourceRange } from '../model/source.ts';
import type { EntryMeaning } from './kind-section.ts';
import { rangeOf, type MapNode, type Span, type TreeNode } from './source-tree.ts';

/** Where an entry is written: its key, and what it says after merging. */
export interface Written {
  readonly key: Span;
  readonly node: MapNode;
  readonly places: EntryMeaning['places'];
}

type Facts = Omit<DesiredResource, 'source' | 'sources'>;

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
  readonly #written: Written;

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
    this.#written = written;
  }

  get source(): SourceRange {
    return rangeOf(this.#written.key);
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
