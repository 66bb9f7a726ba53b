// What reading the files asks of a kind of resource: where it stands, what may be written, and its own rules.
import type { JsonObject } from '../base/json.ts';
import type { Address } from '../model/address.ts';
import type { KindTraits } from '../model/attributes.ts';
import type { DesiredProject, DesiredResource, ResourceId } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { LiveResource } from '../model/live.ts';

/** A problem with one written value: `path` leads to it within the entry (`['lifecycle', 'via']`); empty for the entry itself. */
export interface EntryProblem {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
  /** One that costs time is looked for only where the problem is told. */
  readonly hint?: string | (() => string);
  readonly path: readonly (string | number)[];
  /** Point at the key rather than at the value. */
  readonly atKey?: boolean;
  /** A further place in the same entry. */
  readonly related?: { readonly message: string; readonly path: readonly (string | number)[] };
  /** Something is missing: not said of an entry of which a part was already refused. */
  readonly missing?: boolean;
}

/** One entry after merging of files, profiles and overlays, in plain JSON; attributes that are `null` are left out. */
export interface Entry {
  readonly name: string;
  readonly value: JsonObject;
  readonly project: DesiredProject | null;
  /** Labels of all projects of the files. */
  readonly projects: readonly string[];
  /** The declared resource that it is below; null directly below a project or the account. */
  readonly parent: Address | null;
}

/** What the kind makes of an entry. */
export interface EntryMeaning {
  /** What is managed, in the service's words and units. For an absent resource only what identifies it. */
  readonly spec: JsonObject;
  readonly options: JsonObject;
  /** The place whose holder moves here; absent where none does. */
  readonly movedFrom?: string | null;
  /** `lifecycle.via`: the place that moves in a ring may pass through. */
  readonly via?: string | null;
  /** Attributes of `spec` that are written under another key, each with that key; absent where each has its own. */
  readonly places?: Readonly<Record<string, string>>;
  readonly problems: readonly EntryProblem[];
}

/** A live resource as a person would write it. */
export interface WrittenEntry {
  readonly id: ResourceId;
  /** The name that it would have; it may be taken already, or be no label. */
  readonly name: string;
  /** A label for it, where its name would be read as something else. */
  readonly label?: string;
  /** True when `name` is its name in the API: to be written where its label says something else. */
  readonly isApiName: boolean;
  /** What identifies it, its id first. */
  readonly identity: JsonObject;
  /** What can be managed of it. */
  readonly attributes: JsonObject;
  /** True where none of that is a default of the service: it is written however little was asked for. */
  readonly isConcise?: true;
}

/** What stands around live resources that are to be written. */
export interface WrittenAmong {
  /** All that was read of their project, of every kind. */
  readonly around: readonly LiveResource[];
  /** Labels by id, of what has one in the files. */
  readonly labels: ReadonlyMap<ResourceId, string>;
}

/** What stands around the resources that are checked: of all kinds. */
export interface CheckContext {
  readonly all: readonly DesiredResource[];
  readonly projects: readonly DesiredProject[];
}

export interface KindSection extends KindTraits {
  /** Normalises an entry: labels to ids, durations to the API's units, and everything that can be checked in one entry alone. */
  meaning(entry: Entry): EntryMeaning;
  /** What can be checked across all resources of the kind without the API. */
  check(resources: readonly DesiredResource[], context: CheckContext): readonly Diagnostic[];
  /** How live resources of one scope are written in a file, in this order. */
  written(wanted: readonly LiveResource[], among: WrittenAmong): readonly WrittenEntry[];
}
