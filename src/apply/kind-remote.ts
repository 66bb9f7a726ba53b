// What the executor asks of a kind of resource: read it, understand replies, tell what may be repeated.
import type { Json, JsonObject } from '../base/json.ts';
import type { Secret } from '../base/secret.ts';
import type { ApiClient, Reader } from '../client/types.ts';
import type { OperationRef } from '../client/operations/waiting.ts';
import type { DesiredResource, ResourceId } from '../model/desired.ts';
import type { Below, KindPlace } from '../model/kind.ts';
import type { LiveProject, LiveResource, OperationRecord } from '../model/live.ts';
import type { Plan, Step } from '../model/outcome/plan.ts';
import type { PlanInput } from '../plan/input.ts';

/**
 * What may be done after a reply was lost, once the world was read again.
 * `fenced`: the service refuses a second one, so it may be sent again · `named`: so it does for a second one of the name below one parent;
 * what has the name and is as asked is what was asked for, whoever made it · `once`: never sent again, the outcome stays unknown
 * without proof · `converging`: sending it again is harmless when nothing changed · `never`: only the operation log can
 * prove it · `secret`: sent again where nothing shows; what does show
 * is told, for nothing proves whose it is.
 */
export type Repeat = 'fenced' | 'named' | 'once' | 'converging' | 'never' | 'secret';

/** A usable reply to a write. `operations` is empty when none was started, null when the reply does not tell. */
export interface WriteOutcome {
  readonly id: ResourceId | null;
  readonly operations: readonly OperationRef[] | null;
  readonly secret: Secret | null;
  /** When what was made came into being, as the reply tells it; null when it does not, absent where nothing was made. */
  readonly madeAtMs?: number | null;
  /** Facts to store beside a secret (name, created_at); never the value. */
  readonly record: JsonObject;
}

export interface KindRemote extends KindPlace {
  /** True for a kind that is read only in projects of which the files declare one: elsewhere nobody asks for it. */
  readonly isOnlyDeclared?: boolean;
  /** True where the service takes one write of the kind at a time in a project, and the next when its operations have ended. */
  readonly isSerial?: boolean;
  /** All live resources of one scope. */
  list(reader: Reader, below: Below, signal: AbortSignal): Promise<readonly LiveResource[]>;
  /** Whether this one is there, asked by itself; null when that cannot be told. Rejects with the signal's reason. */
  isThere?(reader: Reader, projectId: string, id: ResourceId, signal: AbortSignal): Promise<boolean | null>;
  /** Whether these operations, all that the log has of one resource, prove that it was removed. */
  wasRemoved?(operations: readonly OperationRecord[]): boolean;
  /** Understands a 2xx reply; null when it is unusable (wrong shape, or of another resource than the step's). */
  outcome(step: Step, reply: Json): WriteOutcome | null;
  repeat(step: Step): Repeat;
  /** True when this operation of the log shows that the step was carried out (its time and newness are checked by the caller). */
  proves(step: Step, operation: OperationRecord): boolean;
  /** Why this one cannot be what the step's request makes, in words; null when it can. Absent where everything can. */
  otherThanAsked?(step: Step, live: LiveResource, runId: string): string | null;
  /** Why the step need not be sent to its target as that is now, in words; null when it need be. */
  needless?(step: Step, target: LiveResource): string | null;
  /**
   * Why a step that no attribute proves need not be sent, by the operation log of its project: what it is for was done, whoever
   * asked for that; null when it was not.
   */
  metBy?(step: Step, operations: readonly OperationRecord[]): string | null;
  /** When (wall time) such a step was planned: the log is read back to there. */
  plannedAtMs?(step: Step): number | null;
  /** What a reply may leave out of a secret's record (a member is null then), as the live resource tells it. */
  recordOf?(live: LiveResource): JsonObject;
  /** Uses a new secret once; true when the service accepts it, false when it refuses it. */
  prove?(client: ApiClient, secret: Secret, signal: AbortSignal): Promise<boolean>;
  /** The request that removes a resource which this run made and could not keep. */
  undo?(id: ResourceId): { readonly method: 'DELETE'; readonly path: string };
  /**
   * Which of the live resources is the credential of the reader of `look`, found by reading the list again; null where that is not
   * established. Absent where none can be.
   */
  readonly own?: (search: {
    readonly first: readonly LiveResource[];
    readonly look: () => Promise<readonly LiveResource[]>;
    readonly pause: (ms: number) => Promise<void>;
  }) => Promise<ResourceId | null>;
  /** `undo` as a command for a shell; no credential stands in it. */
  undoByHand?(id: ResourceId, baseUrl: string): string;
  /** True when nobody has used it since it was made. */
  untouched?(live: LiveResource): boolean;
  /** True while the service says that it is about to be other than it is. */
  isChanging?(live: LiveResource): boolean;
  /** Address of the resource for people and tools, after the run (host, state, …). */
  describe(live: LiveResource): {
    readonly host: string | null;
    readonly branchId: string | null;
    readonly state: string | null;
  };
  /** False where the lists alone tell it: then neither the journal nor a secret store is looked at. Always true without this. */
  needsFacts?(found: Pick<FactsInput, 'desired' | 'live' | 'projects'>): boolean;
  /** What planning needs to know besides the list (for example what the secret stores hold). */
  facts?(input: FactsInput): Promise<JsonObject>;
}

/** Lets a kind look at secret stores and the journal without knowing how they work. */
export interface FactsInput {
  readonly desired: readonly DesiredResource[];
  readonly live: readonly LiveResource[];
  /** Those that were read. */
  readonly projects: readonly LiveProject[];
  readonly reader: Reader;
  readonly signal: AbortSignal;
  readonly sinks: SinkLookup;
  /** What earlier runs intended or made, by the journal: of every kind, each with its `kind`. */
  readonly orphans: readonly JsonObject[];
  /** True when live resources of the kind that no file lists are to be removed. */
  readonly pruned?: boolean;
  /** Without it each list is read once. */
  readonly looks?: MoreLooks;
}

/** How a list is looked at again, and what the plan is asked: a kind can tell from that whether it needs to. */
export interface MoreLooks extends Pick<PlanInput, 'nowMs' | 'allow' | 'target' | 'exclude'> {
  /** The planner. A kind that leaned on it itself would bring it into every command that only checks files. */
  readonly plan: (input: PlanInput) => Plan;
  /** Lets a little time pass between two looks. */
  pause(ms: number): Promise<void>;
}

/** What a secret store says of one target: `id` is that of the stored record when it can be read. */
export interface SinkLookup {
  /** Rejects with the signal's reason when it is aborted. */
  look(
    target: JsonObject,
    signal?: AbortSignal,
  ): Promise<{
    readonly state: 'stored' | 'absent' | 'broken';
    readonly id: string | null;
    /** Name in the stored record, when it can be read. */
    readonly name?: string | null;
    readonly reason: string | null;
    /** What whoever stores a secret there should know; absent when there is nothing. */
    readonly warning?: string;
    /** Whether it holds the very value that the run comes with; absent where the place does not show what it holds. */
    readonly isOurs?: boolean;
  }>;
}
