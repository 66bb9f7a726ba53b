// The questions that reading files asks of a kind: its place, its keys, and its checks.
import type { JsonObject } from '../base/json.ts';
import type { Address } from '../model/address.ts';
import type { KindTraits } from '../model/attributes.ts';
import type { DesiredProject, DesiredResource, ResourceId } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { LiveResource } from '../model/live.ts';

/** `path` leads to the value within the entry (`['lifecycle', 'via']`), and is empty for the entry itself. */
export interface EntryProblem {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
  /** A function, if finding the hint costs time. */
  readonly hint?: string | (() => string);
  readonly path: readonly (string | number)[];
  /** True to point at the key instead of the value. */
  readonly atKey?: boolean;
  readonly related?: { readonly message: string; readonly path: readonly (string | number)[] };
  /** True for a missing part: an entry with a refused part does not report it. */
  readonly missing?: boolean;
}

/** An entry after merging files, profiles and overlays; attributes that are `null` are left out. */
export interface Entry {
  readonly name: string;
  readonly value: JsonObject;
  readonly project: DesiredProject | null;
  readonly projects: readonly string[];
  /** The declared parent; null directly below a project or the account. */
  readonly parent: Address | null;
}

export interface EntryMeaning {
  /** The managed attributes in units of the service; an absent resource has only those that identify it. */
  readonly spec: JsonObject;
  readonly options: JsonObject;
  /** The slot whose holder moves here; null if none does. */
  readonly movedFrom?: string | null;
  /** `lifecycle.via`: the temporary slot of a cycle of moves. */
  readonly via?: string | null;
  /** Paths in the file of attributes with another key; without this, the table's own. */
  readonly places?: Readonly<Record<string, string>>;
  readonly problems: readonly EntryProblem[];
}

export interface WrittenEntry {
  readonly id: ResourceId;
  /** The name may be taken already, or be no label. */
  readonly name: string;
  /** A label, if the name would be read as an id. */
  readonly label?: string;
  /** True if `name` is the name in the API, which the entry must write beside another label. */
  readonly isApiName: boolean;
  /** The id comes first. */
  readonly identity: JsonObject;
  readonly attributes: JsonObject;
  /** True if no attribute is a default of the service: then all are written. */
  readonly isConcise?: true;
}

export interface WrittenAmong {
  /** All resources of the project, of every kind. */
  readonly around: readonly LiveResource[];
  /** Labels by id. */
  readonly labels: ReadonlyMap<ResourceId, string>;
}

export interface CheckContext {
  readonly all: readonly DesiredResource[];
  readonly projects: readonly DesiredProject[];
}

export interface KindSection extends KindTraits {
  /** Normalizes an entry, and checks everything that one entry shows. */
  meaning(entry: Entry): EntryMeaning;
  /** Checks all resources of the kind without the API. */
  check(resources: readonly DesiredResource[], context: CheckContext): readonly Diagnostic[];
  /** Writes live resources of one scope as entries, in this order. */
  written(wanted: readonly LiveResource[], among: WrittenAmong): readonly WrittenEntry[];
}
