// What reading the files asks of a kind of resource: where it stands, what may be written, and its own rules.
import type { Json, JsonObject } from '../base/json.ts';
import type { DesiredProject, DesiredResource, KindName } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';

/** A problem with one written value: `path` leads to it within the entry (`lifecycle.hold.0.path`). */
export interface EntryProblem {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly path: string;
  /** Point at the key rather than at the value. */
  readonly atKey?: boolean;
}

/** One entry after merging of files, profiles and overlays, in plain JSON; `null` values are already left out. */
export interface Entry {
  readonly name: string;
  readonly value: JsonObject;
  readonly project: DesiredProject | null;
}

/** What the kind makes of an entry. `places` maps attribute paths of `spec` to entry paths where they differ (branch → branch_id). */
export interface EntryMeaning {
  readonly spec: JsonObject;
  readonly options: JsonObject;
  readonly movedFrom: string | null;
  readonly via: string | null;
  readonly places: Readonly<Record<string, string>>;
  readonly problems: readonly EntryProblem[];
}

export interface KindSection {
  readonly kind: KindName;
  readonly scope: 'project' | 'account';
  /** Key in the file: of a project, or at the top level. */
  readonly section: string;
  /** Attribute names that profiles may set and entries may write. */
  readonly attributes: readonly string[];
  /** Which of the project's `use` profiles serves an entry (the value of its discriminating attribute); null for none. */
  profileKey(entry: JsonObject): string | null;
  /** Normalises an entry: labels to ids, durations to the API's units, and everything that can be checked in one entry alone. */
  meaning(entry: Entry): EntryMeaning;
  /** The normal form of one attribute's value (used for holds), or a problem in words. */
  normalise(path: string, value: Json): { readonly value: Json } | { readonly problem: string };
  /** What can be checked across all resources of the kind without the API. */
  check(resources: readonly DesiredResource[]): readonly Diagnostic[];
  /** Translates a `prune` or `unmanaged_ok` word of a project (a branch label) into attribute values; null when unknown. */
  pruneRule(
    rule: JsonObject,
    project: DesiredProject,
  ):
    | { readonly rule: Readonly<Record<string, readonly string[]>> }
    | { readonly problem: string; readonly path: string };
}
