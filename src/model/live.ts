// The live state of the account, as the service shows it.
import type { JsonObject } from '../base/json.ts';
import type { KindName, ResourceId } from './desired.ts';

/**
 * A live resource. `spec` is compared with a declaration; `observed` has runtime facts that are only shown. Each reading of the account
 * makes new objects, so compare them by value.
 */
export interface LiveResource {
  readonly kind: KindName;
  /** The id is unique in the account within the kind. */
  readonly id: ResourceId;
  /** Null for account-wide kinds. */
  readonly projectId: string | null;
  /** The id of its parent within the project; missing directly below a project or the account. */
  readonly parentId?: ResourceId;
  /** The id of the resource whose name this resource took over: a declaration with that id now means this resource. */
  readonly tookOver?: ResourceId;
  readonly spec: JsonObject;
  readonly observed: JsonObject;
  /** The notes that trueup wrote on the resource, by name; missing if there are none, null if the service shows no notes. */
  readonly marks?: JsonObject | null;
  /** Milliseconds since the epoch; null if the service does not show it. */
  readonly createdAtMs: number | null;
}

/** The live resource below which the children of a declaration are found. */
export interface LivePlace {
  readonly id: ResourceId;
  /** True if the declared resource does not exist yet and will be created as a copy of this live resource. */
  readonly isCopied: boolean;
}

/** A live project with its label in the files, or else its name. `{LABEL}` is the id of a project that does not exist yet. */
export interface LiveProject {
  readonly label: string;
  readonly id: string;
  readonly name: string;
  /**
   * Its names in the account, for patterns of the operator; null for a name that could not be read. For a saved plan, these are its name
   * when the plan was made and its present name.
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

/** A part of the account that could not be read, with the reason. `what` is a project label, a section, or a list within a project. */
export interface Unread {
  readonly what: string;
  readonly projectId: string | null;
  readonly reason: string;
  readonly part?: 'operation_log';
  readonly kind?: KindName;
  readonly parentId?: ResourceId;
}

/** The facts of a resource for lists, results and candidates; no secret. */
export interface Described {
  /** The columns of tables, in order; their names are the same for every kind. */
  readonly columns: Readonly<Record<string, string | null>>;
  readonly more?: JsonObject;
  /** Facts that distinguish candidates; `words` says them for people. */
  readonly facts?: JsonObject;
  readonly words?: string;
  readonly summary?: string;
}

export interface LiveState {
  readonly projects: readonly LiveProject[];
  readonly resources: readonly LiveResource[];
  readonly histories: ReadonlyMap<string, OperationHistory>;
  readonly unread: readonly Unread[];
  /** Further facts by kind; only that kind's rules understand them. */
  readonly facts: ReadonlyMap<KindName, JsonObject>;
}

/** The resources that a removal deletes with a resource, or that block it; to know them, read `kinds`, parents first. */
export interface Contents {
  readonly kinds: readonly KindName[];
  readonly of: (live: LiveResource, around: readonly LiveResource[]) => readonly LiveResource[];
  readonly stake: (live: LiveResource, around: readonly LiveResource[]) => Stake;
  /** The wall time of the last use: Infinity while in use, null if never used. `isCareful`: an unknown use counts as a use now. */
  readonly lastUse?: (live: LiveResource, around: readonly LiveResource[], isCareful?: boolean) => number | null;
}

/** The known facts about data that a removal deletes. */
export interface Stake {
  /** The time of the last use, ISO 8601; `now` while in use, null if it was never used. */
  readonly usedAt: string | null;
  /** A version that differs after each write and each reset; null if the service does not show it. */
  readonly version: string | null;
  readonly bytes: number | null;
}
