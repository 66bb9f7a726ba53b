// Describes the live state of the account, as the service shows it.
import type { JsonObject } from '../base/json.ts';
import type { KindName, ResourceId } from './desired.ts';

/**
 * A live resource. Planning compares only `spec` with a declaration; `observed` has facts about its present state. Each reading makes new
 * objects, so compare resources of two readings by value.
 */
export interface LiveResource {
  readonly kind: KindName;
  /** Unique in the account within the kind. */
  readonly id: ResourceId;
  /** Null for account-wide kinds. */
  readonly projectId: string | null;
  /** The id of the parent; missing if the parent is a project or the account itself. */
  readonly parentId?: ResourceId;
  /** The id of the resource whose name a restore gave to this resource. A declaration with that id now means this resource. */
  readonly tookOver?: ResourceId;
  readonly spec: JsonObject;
  readonly observed: JsonObject;
  /** The members of trueup's annotation of the resource; missing if there is none, null if the service does not show annotations. */
  readonly marks?: JsonObject | null;
  /** Milliseconds since the epoch; null if the service does not show it. */
  readonly createdAtMs: number | null;
  /** Why the resource's own route could not be read, although the list omits attributes; missing if the route was read or not needed. */
  readonly unshown?: string;
}

/** The live resource below which trueup finds the children of a declaration. */
export interface LivePlace {
  readonly id: ResourceId;
  /** True if the declared resource does not exist yet and will be created as a copy of this live resource. */
  readonly isCopied: boolean;
}

/** A live project. Its label is the one in the files, or else its id; a project that does not exist yet has the id `{LABEL}`. */
export interface LiveProject {
  readonly label: string;
  readonly id: string;
  readonly name: string;
  /**
   * The project's names in the account; the operator's `protect` patterns may use these names, too. Null stands for a name that could not be
   * read. For a saved plan, the list has the name at planning and the present name.
   */
  readonly namesInAccount?: readonly (string | null)[];
}

export interface OperationRecord {
  readonly id: string;
  readonly action: string;
  readonly status: string;
  readonly projectId: string;
  readonly branchId: string | null;
  readonly resourceId: ResourceId | null;
  readonly failuresCount: number;
  readonly error: string | null;
  readonly retryAtMs: number | null;
  readonly createdAtMs: number | null;
  readonly updatedAtMs: number | null;
}

/** The newest part of a project's operation log, newest first. */
export interface OperationHistory {
  readonly operations: readonly OperationRecord[];
  /** True if the log was read to its oldest operation. */
  readonly complete: boolean;
}

/** A part of the account that could not be read, and why. `what`: a project, the section of an account-wide kind, a list, or an address. */
export interface Unread {
  readonly what: string;
  readonly projectId: string | null;
  readonly reason: string;
  readonly part?: 'operation_log';
  readonly kind?: KindName;
  readonly parentId?: ResourceId;
}

/** Describes a resource, without secrets: for lists, for results, and for a person who must choose between several. */
export interface Described {
  /** The columns of tables, in order; every kind uses the same column names. */
  readonly columns: Readonly<Record<string, string | null>>;
  readonly more?: JsonObject;
  /** Facts that help a person to choose between resources; `words` gives the same facts as text. */
  readonly facts?: JsonObject;
  readonly words?: string;
  readonly summary?: string;
}

export interface LiveState {
  readonly projects: readonly LiveProject[];
  readonly resources: readonly LiveResource[];
  readonly histories: ReadonlyMap<string, OperationHistory>;
  readonly unread: readonly Unread[];
  /** Further facts by kind, which only the rules of that kind understand. */
  readonly facts: ReadonlyMap<KindName, JsonObject>;
}

/** Finds the resources that a removal also deletes, or that block the removal. trueup first reads the resources of all `kinds`. */
export interface Contents {
  readonly kinds: readonly KindName[];
  readonly of: (live: LiveResource, around: readonly LiveResource[]) => readonly LiveResource[];
  readonly stake: (live: LiveResource, around: readonly LiveResource[]) => Stake;
  /** Returns the wall time of the last use: Infinity while in use, null if never used. `isCareful`: an unknown time counts as in use. */
  readonly lastUse?: (live: LiveResource, around: readonly LiveResource[], isCareful?: boolean) => number | null;
}

/** Known facts about the data that a removal deletes. */
export interface Stake {
  /** The time of the last use, ISO 8601; `now` while in use, null if it was never used. */
  readonly usedAt: string | null;
  /** A text that changes when the data is written or reset; null if the service shows neither. */
  readonly version: string | null;
  readonly bytes: number | null;
}
