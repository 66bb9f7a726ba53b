// The interface by which the executor reads a kind, understands its replies, and recognises its resources.
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
import type { RecordShape, Secrets } from './sinks/record.ts';
import type { SinkState } from './sinks/sink.ts';

/**
 * How a resource is recognised whose creation got no reply. `slot`, `name`: the service refuses a second one, so the request is sent
 * again. `mark`: its name or a note of ours shows who created it, and it is never sent again. `nothing`: nothing shows who created it.
 */
export type Recognise = 'slot' | 'name' | 'mark' | 'nothing';

/** A usable reply to a write. `operations` is empty when none was started, null when the reply does not tell. */
export interface WriteOutcome {
  readonly id: ResourceId | null;
  readonly operations: readonly OperationRecord[] | null;
  readonly secret: Secret | null;
  /** The creation time of the resource or of its new secret; null if the reply does not show it, missing if nothing was created. */
  readonly madeAtMs?: number | null;
  /** Facts to store beside a secret (name, created_at); never the value. */
  readonly record: JsonObject;
}

/** The resource that its own route shows. */
export type Shown = Pick<LiveResource, 'id' | 'projectId'> & Partial<Pick<LiveResource, 'parentId' | 'spec'>>;

export interface KindRemote extends KindTraits {
  /** True for a kind that is read only in projects with a declaration of it. */
  readonly isOnlyDeclared?: boolean;
  /** True if a project takes one write of the kind at a time, and the next after its operations. */
  readonly isSerial?: boolean;
  /** All live resources of one scope. */
  list(reader: Reader, below: Below, signal: AbortSignal): Promise<readonly LiveResource[]>;
  /** An item of a list as a live resource; missing if a resource takes several items. */
  readonly liveOf?: (item: object, below: Below) => LiveResource;
  /** The resource as its own route shows it, perhaps with more facts than a list; null if it is gone. Rejects with `ApiFailure`. */
  show?(reader: Reader, of: Shown, signal: AbortSignal): Promise<LiveResource | null>;
  /** Understands a 2xx reply; null when it is unusable (wrong shape, or of another resource than the step's). */
  outcome(step: Step, reply: Json): WriteOutcome | null;
  /** Called for creations. */
  recognise(step: Step): Recognise;
  /** True if a note shows that this run, or a run of this plan, created it; missing if name and attributes decide. Rejects with `ApiFailure`. */
  isOurs?(reader: Reader, live: LiveResource, mark: string, signal: AbortSignal): Promise<boolean>;
  /** The reason why the step is needless, by the list and the newest operations; null if it must be sent. */
  needless?(step: Step, target: LiveResource, operations: readonly OperationRecord[]): string | null;
  /** The record in the sinks of its secret; missing if the kind has none. */
  readonly record?: RecordShape;
  /** Reads again a secret that the service shows more than once; `what` names it. Never called for a plan. Rejects with `ApiFailure`. */
  reveal?(reader: Reader, below: Below, what: JsonObject, signal: AbortSignal, told?: ToldSecret): Promise<Contents>;
  /** The columns of a resource in lists and results. */
  describe(live: LiveResource): Described;
  /** The URI for a client of Postgres, without a password, if Postgres answers at `address` (`NAME:PORT`); null for none. */
  uriAt?(address: string, live: LiveResource, reader: Reader, signal: AbortSignal): Promise<string | null>;
  /** Further facts for planning, null without any. `untold`: by address, the sinks whose content cannot be read. */
  facts?(input: FactsInput): Promise<JsonObject | null>;
}

/** The current record for a sink, or the reason why it cannot be read. */
export type Contents = { readonly facts: JsonObject; readonly secrets: Secrets } | { readonly problem: string };

/** A secret from the reply to a write, with its record. */
export interface ToldSecret {
  readonly facts: JsonObject;
  readonly secret: Secret;
}

/** Secrets from replies to this run, by address. */
export type InHand = ReadonlyMap<Address, ToldSecret>;

/** Gives a kind access to secret stores and the journal. */
export interface FactsInput {
  readonly desired: readonly DesiredResource[];
  readonly live: readonly LiveResource[];
  /** The whole reading. */
  readonly around: readonly LiveResource[];
  /** The projects that were read. */
  readonly projects: readonly LiveProject[];
  /** The items of the list of projects; missing if it was not read. */
  readonly listed?: readonly ProjectListItem[];
  /** Every kind, since a kind may need a list of another one. */
  readonly kinds: readonly KindRemote[];
  readonly reader: Reader;
  readonly signal: AbortSignal;
  readonly sinks: SinkLookup;
  /** The requests of earlier runs for secrets, from the journal: of every kind, each with its `kind`. */
  readonly orphans: () => Promise<readonly JsonObject[]>;
  /** True if unlisted resources of the kind are removed. */
  readonly pruned?: boolean;
  /** Labels of the projects in which unlisted resources are removed. */
  readonly prunedIn?: readonly string[];
  /** Without it each list is read once. */
  readonly looks?: MoreLooks;
}

/** Further looks at a list, and the questions of the plan, from which a kind decides whether it needs them. */
export interface MoreLooks extends Selection, Pick<PlanInput, 'nowMs' | 'allow'> {
  /** The planner, as a parameter: commands that only check files do not load it. */
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
