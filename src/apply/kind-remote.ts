// The interface by which the executor reads a kind, understands its replies, and recognises its resources.
import type { ProjectListItem } from '../api/index.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Secret } from '../base/secret.ts';
import type { Reader } from '../client/types.ts';
import type { OperationRef } from '../client/operations/waiting.ts';
import type { Address } from '../model/address.ts';
import type { KindTraits } from '../model/attributes.ts';
import type { DesiredResource, ResourceId } from '../model/desired.ts';
import type { Below } from '../model/kind.ts';
import type { Described, LiveProject, LiveResource, OperationRecord } from '../model/live.ts';
import type { Plan, Step } from '../model/outcome/plan.ts';
import type { PlanInput, Selection } from '../plan/input.ts';
import type { RecordShape, Secrets } from './sinks/record.ts';
import type { SinkState } from './sinks/sink.ts';

/**
 * How a resource is recognised whose creation got no reply. `slot`, `name`: the service refuses a second one, so the request is sent again ·
 * `mark`: its name or a note of ours shows who made it, and the request is never sent again · `nothing`: nothing shows who made it.
 */
export type Recognise = 'slot' | 'name' | 'mark' | 'nothing';

/** A usable reply to a write. `operations` is empty when none was started, null when the reply does not tell. */
export interface WriteOutcome {
  readonly id: ResourceId | null;
  readonly operations: readonly OperationRef[] | null;
  readonly secret: Secret | null;
  /** When what was made came into being, a new secret of what was there too, as the reply tells it; null when it does not, absent where nothing was made. */
  readonly madeAtMs?: number | null;
  /** Facts to store beside a secret (name, created_at); never the value. */
  readonly record: JsonObject;
}

/** The resource that its own route shows. */
export type Shown = Pick<LiveResource, 'id' | 'projectId'> & Partial<Pick<LiveResource, 'parentId' | 'spec'>>;

export interface KindRemote extends KindTraits {
  /** True for a kind that is read only in projects of which the files declare one: elsewhere nobody asks for it. */
  readonly isOnlyDeclared?: boolean;
  /** True where the service takes one write of the kind at a time in a project, and the next when its operations have ended. */
  readonly isSerial?: boolean;
  /** All live resources of one scope. */
  list(reader: Reader, below: Below, signal: AbortSignal): Promise<readonly LiveResource[]>;
  /** An item of a list as a live resource; absent where a resource takes more than one item. */
  readonly liveOf?: (item: object, below: Below) => LiveResource;
  /** This one as its own route shows it, which may tell more than a list; null where that says that it is gone. Rejects with `ApiFailure`. */
  show?(reader: Reader, of: Shown, signal: AbortSignal): Promise<LiveResource | null>;
  /** Understands a 2xx reply; null when it is unusable (wrong shape, or of another resource than the step's). */
  outcome(step: Step, reply: Json): WriteOutcome | null;
  /** Asked for creations. */
  recognise(step: Step): Recognise;
  /** Whether a note shows that this run, or a run of this plan, made the resource; absent where its name and its attributes tell. Rejects with `ApiFailure`. */
  isOurs?(reader: Reader, live: LiveResource, mark: string, signal: AbortSignal): Promise<boolean>;
  /** Why the step need not be sent to its target, by what the list and the project's newest operations show; null when it must be. */
  needless?(step: Step, target: LiveResource, operations: readonly OperationRecord[]): string | null;
  /** The record in the sinks of its secret; absent if the kind has none. */
  readonly record?: RecordShape;
  /**
   * Reads the secret again, which is told more than once: `what` tells of which one. Never called for a plan. Rejects with `ApiFailure`.
   * Absent where a secret is shown once.
   */
  reveal?(reader: Reader, below: Below, what: JsonObject, signal: AbortSignal, told?: ToldSecret): Promise<Contents>;
  /** The columns of a resource in lists and results. */
  describe(live: LiveResource): Described;
  /**
   * The URI by which a client of Postgres gets in by it, without a password, where one answers at `address` (`NAME:PORT`) for the whole
   * account; null where it leads nowhere. Absent where nobody gets in by the kind.
   */
  uriAt?(address: string, live: LiveResource, reader: Reader, signal: AbortSignal): Promise<string | null>;
  /** What planning needs to know besides the lists (for example what the secret stores hold), null where the lists tell all. `untold`: by address, the sinks that hold something and do not tell what. */
  facts?(input: FactsInput): Promise<JsonObject | null>;
}

/** The present record for a sink, or why it cannot be read. */
export type Contents = { readonly facts: JsonObject; readonly secrets: Secrets } | { readonly problem: string };

/** A secret as the reply to a write told it, with what is stored beside it. */
export interface ToldSecret {
  readonly facts: JsonObject;
  readonly secret: Secret;
}

/** Secrets that replies to this run told, by the address of what they are of. */
export type InHand = ReadonlyMap<Address, ToldSecret>;

/** Lets a kind look at secret stores and the journal without knowing how they work. */
export interface FactsInput {
  readonly desired: readonly DesiredResource[];
  readonly live: readonly LiveResource[];
  /** All that was read, of whatever kind. */
  readonly around: readonly LiveResource[];
  /** The projects that were read. */
  readonly projects: readonly LiveProject[];
  /** As the list of projects shows them; left out where it was not read. */
  readonly listed?: readonly ProjectListItem[];
  /** Every kind, since a kind may need a list of another one. */
  readonly kinds: readonly KindRemote[];
  readonly reader: Reader;
  readonly signal: AbortSignal;
  readonly sinks: SinkLookup;
  /** The requests of earlier runs for secrets, by the journal: of every kind, each with its `kind`. */
  readonly orphans: () => Promise<readonly JsonObject[]>;
  /** True when live resources of the kind that no file lists are to be removed. */
  readonly pruned?: boolean;
  /** Labels of the projects in which what no file lists is removed. */
  readonly prunedIn?: readonly string[];
  /** Without it each list is read once. */
  readonly looks?: MoreLooks;
}

/** How a list is looked at again, and what the plan is asked: a kind can tell from that whether it needs to. */
export interface MoreLooks extends Selection, Pick<PlanInput, 'nowMs' | 'allow'> {
  /** The planner. A kind that leaned on it itself would bring it into every command that only checks files. */
  readonly plan: (input: PlanInput) => Plan;
  /** Lets a little time pass between two looks; resolves with the service's time then. */
  pause(ms: number): Promise<number>;
}

export interface SinkLookup {
  /** Rejects with the signal's reason when it is aborted. */
  look(target: JsonObject, shape: RecordShape, signal?: AbortSignal): Promise<SinkFound>;
}

export interface SinkFound extends SinkState {
  /** A warning about secrets in this sink. */
  readonly warning?: string;
}
