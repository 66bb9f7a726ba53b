// The interface of a kind for planning: tables, and functions of values.
import type { JsonObject } from '../base/json.ts';
import type { Address } from '../model/address.ts';
import type { KindTraits } from '../model/attributes.ts';
import type { DesiredProject, DesiredResource, KindName, ResourceId } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Described, LiveProject, LiveResource, OperationHistory } from '../model/live.ts';
import type { Impact } from '../model/outcome/impact.ts';
import type { UpkeepIntent } from '../model/outcome/upkeep.ts';
import type { Action, AttributeChange, Block, Marks, Method, StepAction } from '../model/outcome/plan.ts';

export interface KindContext {
  readonly nowMs: number;
  readonly project: DesiredProject | null;
  readonly liveProject: LiveProject | null;
  readonly history: OperationHistory | null;
  readonly noHistory?: boolean;
  readonly facts: JsonObject;
  /** All declarations of the kind below the same parent, including the declaration that is judged. */
  readonly declared: readonly DesiredResource[];
  /** `declared` and `facts` of another kind. `made`: the ids that the verified run created, by address. */
  readonly beside: (kind: KindName) => Pick<KindContext, 'declared' | 'facts'>;
  readonly made: ReadonlyMap<Address, ResourceId>;
  /** All resources that were read in the project. */
  readonly around: readonly LiveResource[];
  /** The id of the parent within the project; null for a parent that does not exist yet, or directly below the project or the account. */
  readonly parentId: ResourceId | null;
}

export interface RequestInput {
  readonly projectId: string | null;
  /** The id of the parent within the project, or `{ADDRESS}` if it is not known yet; null directly below the project. */
  readonly parentId: string | null;
  readonly id: ResourceId | null;
  /** The whole desired spec for a creation; the changed attributes (merged if the API replaces a whole attribute) for an update. */
  readonly attributes: JsonObject;
  readonly live: LiveResource | null;
  readonly set?: string;
  /** For a new resource whose request creates other resources, too: all declarations within the new resource. */
  readonly within?: Within;
}

export interface Within {
  readonly desired: DesiredResource;
  readonly declared: readonly DesiredResource[];
  readonly facts: JsonObject;
}

/** The request of a step; `path` is relative to the base URL and made of validated ids only. */
export interface RequestDraft {
  readonly method: Method;
  readonly path: string;
  readonly body: JsonObject | null;
  /** The addresses of the other resources that the request creates. */
  readonly makes?: readonly Address[];
}

export interface StepPart {
  /** The word with which the id of the step begins, unless it is the first step of the change. */
  readonly name: string;
  readonly attributes: JsonObject;
  /** Waits for the steps on all users of the resource (`users`), or for the steps on its contents and their removals (`contents`). */
  readonly waitsFor?: 'users' | 'contents';
  /** True if only one resource of the scope at a time can have these attributes, and this step gives them to its resource. */
  readonly takesOver?: boolean;
}

/** A change that is no attribute difference (a restart, a rotation, a retirement), proposed by the kind. */
export interface Intent {
  readonly action: Extract<Action, 'restart' | 'rotate' | 'revoke' | 'replace'>;
  /** The live resource that the intent acts on; null for a rotation. */
  readonly target: LiveResource | null;
  readonly due: boolean;
  readonly origin: string;
  readonly reasons: readonly string[];
  readonly notes: readonly string[];
  readonly blockedBy: readonly Block[];
  /** True if the file itself consents (the retirement after a rotation). */
  readonly consented: boolean;
  /** Names of observed values that may change by themselves: if one of them changes, the intent no longer applies. */
  readonly restsOn?: readonly string[];
  /** True if the target is only a guess: without a review, an allowance must give its literal address, not a pattern. */
  readonly isGuess?: boolean;
  /** True if the intent becomes a change only by an allowance. */
  readonly onRequest?: boolean;
  readonly options?: JsonObject;
  /** If set, a review is not enough: an allowance of the action must cover this address, or name the target's id. */
  readonly allowance?: Address;
}

/** The objections to the removal of a live resource, whatever asks for the removal. */
export interface RemovalGuard extends Pick<Verdict, 'blockedBy' | 'notes'> {
  /** True if the resource to which this one belongs keeps it from being pruned; null if that is not known. */
  readonly isKept?: boolean | null;
}

/** The consequences of a declaration, matched or not, besides its attribute differences. */
export interface Verdict {
  readonly intents: readonly Intent[];
  readonly notes: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** Reasons that block the change itself, for example a creation. */
  readonly blockedBy: readonly Block[];
  /** Set if the declaration consents to the deletion of its resource or its data, as long as these observed values stay the same. */
  readonly consented?: { readonly restsOn: readonly string[] } | null;
  /** A sentence about a resource deleted outside trueup: how, and until when, it can be recovered; null or missing if there is none. */
  readonly vanished?: string | null;
  /** True if the resource was deleted at its expiry and is to be re-created. */
  readonly lapsed?: boolean;
  /** Sentences about parts of the declaration that could not be judged, which the plan leaves out. */
  readonly unread?: readonly string[];
}

export interface Choice {
  readonly live: LiveResource | null;
  readonly because: string;
  /** Other live resources that belong to the declaration: neither reported nor pruned. `guess`: any candidate may be the right one. */
  readonly companions: readonly LiveResource[];
  readonly guess: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

export interface EffectInput {
  readonly action: Action;
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
  readonly attributes: readonly AttributeChange[];
  readonly live: LiveResource | null;
  /** True if the resource's parent does not exist yet, so that no client uses the resource. */
  readonly isBelowUnborn?: boolean;
  readonly sinks?: readonly string[];
  /** The project of the resource, for names in the file; null for a project that no file names. */
  readonly project: DesiredProject | null;
  readonly around: readonly LiveResource[];
  /** `until`: the address that takes the empty slot; null if none does. `isPassage`: the move only passed through the slot. */
  readonly leaving?: { readonly until: Address | null; readonly isPassage: boolean };
}

export interface Effect {
  readonly impact: readonly Impact[];
  readonly details: JsonObject;
  readonly notes: readonly string[];
  /** The consent types that the change needs for its address; a removal that lists none needs `drop`. */
  readonly consents?: readonly string[];
}

export interface KindRules extends KindTraits {
  /** True if `prune` removes unlisted resources of the kind. */
  readonly isPruned?: boolean;
  /** The slot of a resource with this spec, in words; null if it has none. */
  place(spec: JsonObject): string | null;
  /** The facts that identify the resource, and the facts that may change by themselves. */
  fingerprint(live: LiveResource): Marks;
  describe?(live: LiveResource): Described;
  /** The reason for a match by pool, in words ("the read_write … of br-…"). */
  poolWords(spec: JsonObject): string;
  /** Chooses among the pinned resource and the unclaimed resources of the pool; without this, slots, names and counts decide. */
  choose?(desired: DesiredResource, candidates: readonly LiveResource[], context: KindContext): Choice;
  /** The consequences of time, history and facts. `differs`: attributes differ; `restarts`: they restart the resource. */
  verdict(input: {
    readonly desired: DesiredResource;
    readonly live: LiveResource | null;
    readonly companions: readonly LiveResource[];
    readonly differs: boolean;
    readonly restarts: boolean;
    readonly context: KindContext;
  }): Verdict;
  /** The effects of each action on data and clients; a missing action has none. `leave`: the effect of a slot that becomes or is empty. */
  readonly effects: Readonly<Partial<Record<Action | 'leave', (input: EffectInput) => Effect>>>;
  /** Called for every removal of a live resource: by the file, a prune rule, an intent or a replacement. */
  removalGuard?(live: LiveResource, context: KindContext): RemovalGuard;
  /** The `--allow` types for this kind's losses, which a review of the plan alone never permits. Without them, allowances name actions. */
  readonly consentWords?: readonly string[];
  /** The request of each action. A kind without requests is derived: other resources define its resources, and only its sinks need work. */
  readonly requests: Readonly<Partial<Record<StepAction, (input: RequestInput) => RequestDraft>>>;
  /** The requests of a creation or an update, in order; without this, there is one. `isAlong`: another request creates the resource. */
  parts?(action: 'create' | 'update', attributes: JsonObject, isAlong: boolean): readonly StepPart[];
  /** The work of every apply besides changes. `differs`: a change is planned; `runs`: a step of the address runs. */
  readonly upkeep?: {
    mayNeed(desired: DesiredResource): boolean;
    needs(input: {
      readonly desired: DesiredResource;
      readonly live: LiveResource | null;
      readonly differs: boolean;
      readonly runs: (address: Address) => boolean;
      readonly context: KindContext;
    }): UpkeepIntent | null;
  };
}
