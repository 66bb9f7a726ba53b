// What the executor asks of a kind of resource: read it, understand replies, tell what may be repeated.
import type { ProjectListItem } from '../api/index.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Secret } from '../base/secret.ts';
import type { ApiClient, Reader } from '../client/types.ts';
import type { OperationRef } from '../client/operations/waiting.ts';
import type { Address } from '../model/address.ts';
import type { KindTraits } from '../model/attributes.ts';
import type { DesiredResource, KindName, ResourceId } from '../model/desired.ts';
import type { Below } from '../model/kind.ts';
import type { Described, LiveProject, LiveResource, OperationRecord } from '../model/live.ts';
import type { Plan, Step } from '../model/outcome/plan.ts';
import type { PlanInput, Selection } from '../plan/input.ts';
import type { RecordShape, Secrets } from './sinks/record.ts';
import type { SinkState } from './sinks/sink.ts';

/**
 * What may be done after a reply was lost, once the live state was read again.
 * `fenced`: sent again, since the service refuses a second one ·
 * `named`: sent again, since the service refuses a second one of the same name below one parent; one that has the name and is as asked is
 * taken for it, whoever made it ·
 * `called`: never sent again, since only we keep its name; one that has the name and is as asked is taken for it ·
 * `once`: never sent again, and nothing tells whose one is that shows: the outcome stays unknown, unless it has a mark of ours ·
 * `converging`: sent again, which is harmless when nothing has changed ·
 * `never`: never sent again; only the operation log can prove that it was done ·
 * `secret`: sent again where no new one shows; one that does show is reported, since nothing proves whose it is.
 */
export type Repeat = 'fenced' | 'named' | 'called' | 'once' | 'converging' | 'never' | 'secret';

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

export interface Credential {
  /** Uses a new secret once; true when the service accepts it, false when it refuses it. */
  prove(client: ApiClient, secret: Secret, signal: AbortSignal): Promise<boolean>;
  /** The path of the DELETE that removes a resource which this run made and could not keep. */
  undo(id: ResourceId, made: Step): string;
  /** The same as a command for a shell; no credential stands in it. */
  undoByHand(id: ResourceId, baseUrl: string, made: Step): string;
}

/** What is asked for by itself. */
export type Shown = Pick<LiveResource, 'id' | 'projectId'>;

export interface KindRemote extends KindTraits {
  /** True for a kind that is read only in projects of which the files declare one: elsewhere nobody asks for it. */
  readonly isOnlyDeclared?: boolean;
  /** True where the service takes one write of the kind at a time in a project, and the next when its operations have ended. */
  readonly isSerial?: boolean;
  /** All live resources of one scope. */
  list(reader: Reader, below: Below, signal: AbortSignal): Promise<readonly LiveResource[]>;
  /** For the kind of projects: one as the list of projects shows it. */
  readonly ofListing?: (item: ProjectListItem) => LiveResource;
  /** For the kind of projects: the further kinds that are read in one, so that the effects of its change can be told. */
  readonly looksAround?: (desired: DesiredResource, live: LiveResource) => readonly KindName[];
  /** This one as its own route shows it, which may tell more than a list; null where that says that it is gone. Rejects with `ApiFailure`. */
  show?(reader: Reader, of: Shown, signal: AbortSignal): Promise<LiveResource | null>;
  /** Understands a 2xx reply; null when it is unusable (wrong shape, or of another resource than the step's). */
  outcome(step: Step, reply: Json): WriteOutcome | null;
  repeat(step: Step): Repeat;
  /**
   * Whether this one carries the mark that the requests of that run leave in what they make, asked where no list shows it; the run is told
   * by its mark, or by its name in the journal. What has the mark is ours, and what has not is not, however alike.
   */
  isMarked?(reader: Reader, live: LiveResource, runId: string, signal: AbortSignal): Promise<boolean>;
  /** Whether a run of the same plan as the one with this mark made this one, as it shows by itself. Absent where nothing shows that. */
  isOfPlan?(live: LiveResource, runId: string): boolean;
  /** True for a declaration by which it goes, with all that is in it, when a time is over: sooner than the live one, where there is one. */
  mayExpire?(desired: DesiredResource, live: LiveResource | null): boolean;
  /** Why this one, which has the name, was not made by that run, in words; null where it was. Absent where the name alone tells. */
  otherThanAsked?(live: LiveResource, runId: string): string | null;
  /** Why the step need not be sent to its target as that is now, in words; null when it need be. */
  needless?(step: Step, target: LiveResource): string | null;
  /**
   * Why a step that no attribute proves need not be sent, by the operation log of its project: what it is for was done, whoever asked
   * for that; null when it was not.
   */
  metBy?(step: Step, operations: readonly OperationRecord[]): string | null;
  /** When (wall time) a step that only the log can prove was planned: the log is read back to there. */
  plannedAtMs?(step: Step): number | null;
  /** What is kept of it in the places for its secret; absent where it has none. */
  readonly record?: RecordShape;
  /**
   * Reads the secret again, which is told more than once: `what` tells of which one. Never called for a plan. Rejects with `ApiFailure`.
   * Absent where a secret is shown once.
   */
  reveal?(reader: Reader, below: Below, what: JsonObject, signal: AbortSignal, told?: ToldSecret): Promise<Contents>;
  /** For a kind of credentials: its first use, and its removal where a run could not keep it. */
  readonly credential?: Credential;
  /** What lists, results and candidates tell of a resource. */
  describe(live: LiveResource): Described;
  /**
   * The URI by which a client of Postgres gets in by it, without a password, where one answers at `address` (`NAME:PORT`) for the whole
   * account; null where it leads nowhere. Absent where nobody gets in by the kind.
   */
  uriAt?(address: string, live: LiveResource, reader: Reader, signal: AbortSignal): Promise<string | null>;
  /** What planning needs to know besides the lists (for example what the secret stores hold), null where the lists tell all. `untold`: by address, the sinks that hold something and do not tell what. */
  facts?(input: FactsInput): Promise<JsonObject | null>;
}

/** What a place is to hold of something now: facts and secrets of its record, or why that cannot be told. */
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
  /** Those that were read. */
  readonly projects: readonly LiveProject[];
  /** As the list of projects shows them; left out where it was not read. */
  readonly listed?: readonly ProjectListItem[];
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

/** What a secret store says of one target. */
export interface SinkLookup {
  /** Rejects with the signal's reason when it is aborted. */
  look(target: JsonObject, shape: RecordShape, signal?: AbortSignal): Promise<SinkFound>;
}

export interface SinkFound extends SinkState {
  /** What whoever stores a secret there should know; absent when there is nothing. */
  readonly warning?: string;
}
