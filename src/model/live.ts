// The truth: what the service says the account has.
import type { JsonObject } from '../base/json.ts';
import type { KindName, ResourceId } from './desired.ts';

/**
 * One live resource. `spec` can be compared with a declaration; `observed` is runtime noise that is only ever shown. Each reading makes
 * new objects: compare them by value.
 */
export interface LiveResource {
  readonly kind: KindName;
  /** Unique in the account among those of its kind. */
  readonly id: ResourceId;
  /** Null for account-wide kinds. */
  readonly projectId: string | null;
  /** Id of its parent within the project; left out directly below a project or the account. */
  readonly parentId?: ResourceId;
  /** Id of the resource whose name it took over: a declaration by that id means this one now. */
  readonly tookOver?: ResourceId;
  readonly spec: JsonObject;
  readonly observed: JsonObject;
  /** Milliseconds since the epoch; null when the service does not say. */
  readonly createdAtMs: number | null;
}

/** Where something that is declared lives, with all that is below it. */
export interface LivePlace {
  readonly id: ResourceId;
  /** It is not there yet: it will be made as a copy of this one. */
  readonly isCopied: boolean;
}

/** A live project, by the label that the files give it (its name where they give none); `{LABEL}` is the id of one that is still to be made. */
export interface LiveProject {
  readonly label: string;
  readonly id: string;
  readonly name: string;
  /**
   * What it is called in the account, where a pattern of the operator's may mean it by that: null where that could not be told. Of a saved
   * plan what it was called when that was made, and when it is carried out.
   */
  readonly namesInAccount?: readonly (string | null)[];
}

/** One action of the control plane, as its log tells it. */
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
  /** True when the log was read to its very end. */
  readonly complete: boolean;
}

/** Something that could not be read, and why. `what` is a project label, a section, or one list within a project. */
export interface Unread {
  readonly what: string;
  readonly projectId: string | null;
  readonly reason: string;
  /** Set where only this part could not be read: what is live was. */
  readonly part?: 'operation_log';
  /** Set where only the list of this kind could not be read. */
  readonly kind?: KindName;
  /** The parent of that list; missing directly below the project. */
  readonly parentId?: ResourceId;
}

/** What lists, results and candidates tell of a resource; no secret. */
export interface Described {
  /** The same of every kind, in the order of a table. */
  readonly columns: Readonly<Record<string, string | null>>;
  /** Further members of results. */
  readonly more?: JsonObject;
  /** Facts by which people tell one candidate from another, and the same in words. */
  readonly facts?: JsonObject;
  readonly words?: string;
  /** A resource by itself, in words: by what it is, and by what people know it. */
  readonly summary?: string;
}

/** Everything that was read in one go. */
export interface LiveState {
  readonly projects: readonly LiveProject[];
  readonly resources: readonly LiveResource[];
  /** Operation logs by project id; only of the projects for which they were read. */
  readonly histories: ReadonlyMap<string, OperationHistory>;
  readonly unread: readonly Unread[];
  /** What a kind found out besides its list (by kind): only that kind's rules understand it. */
  readonly facts: ReadonlyMap<KindName, JsonObject>;
}

/** Which resources of a project go with one that is removed, or keep it from being removed. `kinds` are those that have to be read for this, parents first. */
export interface Contents {
  readonly kinds: readonly KindName[];
  readonly of: (live: LiveResource, around: readonly LiveResource[]) => readonly LiveResource[];
  /** What a removal deletes, by the resource and what was read around it. */
  readonly stake: (live: LiveResource, around: readonly LiveResource[]) => Stake;
  readonly lastUse?: LastUse;
}

/** What is known of data that a removal deletes. */
export interface Stake {
  /** When it was last in use, ISO 8601; `now` while it is, null when it never was. */
  readonly usedAt: string | null;
  /** Differs after each write and each reset; null where the service does not tell. */
  readonly version: string | null;
  readonly bytes: number | null;
}

/** When a resource was last in use (wall time), judged by the resources of kind `through` that people use it by: Infinity while it is in use, null when it never was. */
export interface LastUse {
  readonly through: KindName;
  readonly ms: (live: LiveResource, around: readonly LiveResource[]) => number | null;
}
