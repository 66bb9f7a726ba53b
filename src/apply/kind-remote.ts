// Defines how apply reads a kind, understands its replies, and recognises its resources. An annotation is an object that trueup writes
// into a resource; one member is the id of the run that created the resource. `isOurs` compares that id with `mark`, the id of this run.
import type { ProjectListItem } from '../api/index.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Secret } from '../base/secret.ts';
import type { Reader } from '../client/types.ts';
import type { Address } from '../model/address.ts';
import type { KindTraits } from '../model/attributes.ts';
import type { DesiredResource, ResourceId } from '../model/desired.ts';
import type { Below } from '../model/kind.ts';
import type { Described, LiveProject, LiveResource, OperationRecord } from '../model/live.ts';
import type { Plan, Step } from '../model/outcome/plan.ts';
import type { PlanInput, Selection } from '../plan/input.ts';
import type { RecordShape, Secrets, SinkState } from './sinks/sink.ts';

/**
 * How a resource is recognised after the reply to its creation is lost. `slot`, `name`: the service allows only one resource in the slot or
 * with the name, so the request may be sent again. `mark`: an annotation (`isOurs`), or the name and all attributes, show who created the
 * resource. `nothing`: nothing shows who created the resource.
 */
export type Recognise = 'slot' | 'name' | 'mark' | 'nothing';

/** A usable reply to a write. `operations` is empty if the write started none, null if the reply does not say. */
export interface WriteOutcome {
  readonly id: ResourceId | null;
  readonly operations: readonly OperationRecord[] | null;
  readonly secret: Secret | null;
  /** The creation time of the resource or of its new secret; null if the reply does not show it, missing if nothing was created. */
  readonly madeAtMs?: number | null;
  /** Facts to store beside a secret (name, created_at); never the value. */
  readonly record: JsonObject;
}

/** The members of a resource that are needed to read it by its own route. */
export type Shown = Pick<LiveResource, 'id' | 'projectId'> & Partial<Pick<LiveResource, 'parentId' | 'spec'>>;

export interface KindRemote extends KindTraits {
  /** True if the kind is listed only in projects where a declaration needs the list. Other kinds are always listed. */
  readonly isOnlyDeclared?: boolean;
  /** True if a project takes only one write of the kind at a time: each write waits until the operations of the previous write have ended. */
  readonly isSerial?: boolean;
  list(reader: Reader, below: Below, signal: AbortSignal): Promise<readonly LiveResource[]>;
  /** Converts an item of a list to a live resource; missing if one resource spans several items. */
  readonly liveOf?: (item: object, below: Below) => LiveResource;
  /** Reads the resource by its own route, perhaps with more facts than a list shows; null if it is gone. Rejects with `ApiFailure`. */
  show?(reader: Reader, of: Shown, signal: AbortSignal): Promise<LiveResource | null>;
  /** Interprets a 2xx reply; null if the reply is unusable: wrong shape, or about another resource. */
  outcome(step: Step, reply: Json): WriteOutcome | null;
  /** Returns how a creation is recognised after a lost reply. Called only for steps that create a resource. */
  recognise(step: Step): Recognise;
  /** True if the annotation names this run or, in some kinds, a run of the same plan; missing if the attributes decide. Rejects with `ApiFailure`. */
  isOurs?(reader: Reader, live: LiveResource, mark: string, signal: AbortSignal): Promise<boolean>;
  /** Returns why the step need not be sent, judged by `target` and the newest operations; null if the step must be sent. */
  needless?(step: Step, target: LiveResource, operations: readonly OperationRecord[]): string | null;
  readonly record?: RecordShape;
  /** Reads the secret that `what` names. `told`: the secret, if a reply of this run showed it. Never called to plan. Rejects with `ApiFailure`. */
  reveal?(reader: Reader, below: Below, what: JsonObject, signal: AbortSignal, told?: ToldSecret): Promise<Contents>;
  describe(live: LiveResource): Described;
  /** Returns a URI, without a password, for a Postgres client that connects to `address` (`NAME:PORT`); null if the resource has none. */
  uriAt?(address: string, live: LiveResource, reader: Reader, signal: AbortSignal): Promise<string | null>;
  /** Reads further facts for planning; null if there are none. */
  facts?(input: FactsInput): Promise<JsonObject | null>;
}

export type Contents = { readonly facts: JsonObject; readonly secrets: Secrets } | { readonly problem: string };

export interface ToldSecret {
  readonly facts: JsonObject;
  readonly secret: Secret;
}

export type InHand = ReadonlyMap<Address, ToldSecret>;

export interface FactsInput {
  readonly desired: readonly DesiredResource[];
  readonly live: readonly LiveResource[];
  readonly around: readonly LiveResource[];
  readonly projects: readonly LiveProject[];
  /** Missing or empty if the list of projects was not read. */
  readonly listed?: readonly ProjectListItem[];
  /** All kinds, since one kind may need a list of another. */
  readonly kinds: readonly KindRemote[];
  readonly reader: Reader;
  readonly signal: AbortSignal;
  readonly sinks: SinkLookup;
  /** The requests of earlier runs for secrets of every kind, from the journal. */
  readonly orphans: () => Promise<readonly JsonObject[]>;
  readonly pruned?: boolean;
  readonly prunedIn?: readonly string[];
  /** Missing if each list is to be read only once. */
  readonly looks?: MoreLooks;
}

/** Lets a kind read a list again after a pause. The kind can first make a trial plan to see whether another reading matters. */
export interface MoreLooks extends Selection, Pick<PlanInput, 'nowMs' | 'allow'> {
  /** The planner is a parameter because commands that only check files do not load it. */
  readonly plan: (input: PlanInput) => Plan;
  /** Waits between two readings of a list; resolves with the service's time afterwards. */
  pause(ms: number): Promise<number>;
}

export interface SinkLookup {
  /** Rejects with the reason of an aborted signal. */
  look(target: JsonObject, shape: RecordShape, signal?: AbortSignal): Promise<SinkFound>;
}

export interface SinkFound extends SinkState {
  readonly warning?: string;
}
