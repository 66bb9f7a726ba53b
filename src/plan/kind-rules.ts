// Declares what planning needs from each kind: tables, and pure functions that read only their arguments and send no request.
import type { JsonObject } from '../base/json.ts';
import type { Address } from '../model/address.ts';
import type { KindTraits, ReferentContext } from '../model/attributes.ts';
import type { DesiredProject, DesiredResource, KindName, ResourceId } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Described, LiveResource, OperationHistory } from '../model/live.ts';
import type { Impact } from '../model/outcome/impact.ts';
import type { UpkeepIntent } from '../model/outcome/upkeep.ts';
import type { Action, Block, Change, Marks, Step, StepAction } from '../model/outcome/plan.ts';

export interface KindContext extends ReferentContext {
  readonly nowMs: number;
  readonly history: OperationHistory | null;
  readonly noHistory?: boolean;
  /** All declarations of the kind below the same parent, including the declaration that is judged. */
  readonly declared: readonly DesiredResource[];
  /** Returns `declared` (below the same parent) and `facts` of a kind. `made`, the next member: ids that the verified run created, by address. */
  readonly beside: (kind: KindName) => Pick<KindContext, 'declared' | 'facts'>;
  readonly made: ReadonlyMap<Address, ResourceId>;
  /** The id of the parent; null if the parent does not exist yet, or is the project or the account itself. */
  readonly parentId: ResourceId | null;
}

export interface RequestInput {
  readonly projectId: string | null;
  /** The id of the parent, or `{ADDRESS}` while the id is not known; null if the parent is the project or the account itself. */
  readonly parentId: string | null;
  readonly id: ResourceId | null;
  /** The attributes that the step sends: for a creation without `parts`, the whole desired spec. */
  readonly attributes: JsonObject;
  readonly live: LiveResource | null;
  /** The set of which the declaration is a member. */
  readonly set?: string;
  /** In a project that does not exist yet: all declarations within the project, because its creation may create others. */
  readonly within?: Within;
}

export interface Within {
  readonly desired: DesiredResource;
  readonly declared: readonly DesiredResource[];
  readonly facts: JsonObject;
}

/** The request of a step. `path` is relative to the base URL and contains only checked ids. */
export interface RequestDraft extends Pick<Step, 'method' | 'path' | 'body'> {
  /** The addresses of the other resources that the request creates. */
  readonly makes?: readonly Address[];
}

export interface StepPart {
  /** Begins the id of the step; the first step of a change keeps the id of the change instead. */
  readonly name: string;
  readonly attributes: JsonObject;
  /** `users`: the step runs after the steps on resources that refer to this one · `contents`: after the steps on its contents. */
  readonly waitsFor?: 'users' | 'contents';
  /** True if the step takes its attributes over from another resource, because only one resource in the scope can have them. */
  readonly takesOver?: boolean;
}

/** A change that the kind proposes although no attribute differs: a restart, a rotation, a replacement or a revocation. */
export interface Intent extends Pick<Change, 'due' | 'origin' | 'reasons' | 'notes' | 'blockedBy'> {
  readonly action: Extract<Action, 'restart' | 'rotate' | 'revoke' | 'replace'>;
  /** The live resource that the intent acts on; null for a rotation that creates a successor beside the live resource. */
  readonly target: LiveResource | null;
  /** True if the file itself consents, as `rotate` does to a rotation and to the revocation that follows. */
  readonly consented: boolean;
  /** Names observed values that the intent depends on: if one of these values changes, the intent no longer applies. */
  readonly restsOn?: readonly string[];
  /** True if the target is only a guess: without a review, an allowance must then name the literal address, not a pattern. */
  readonly isGuess?: boolean;
  /** True if only an allowance (`--allow`) makes the intent a change. */
  readonly onRequest?: boolean;
  readonly options?: JsonObject;
  /** Set if a review is not enough: an allowance for the action must cover this address, or name the target's id. */
  readonly allowance?: Address;
}

/** A kind's objections to the removal of a live resource, whatever asks for the removal. */
export interface RemovalGuard extends Pick<Verdict, 'blockedBy' | 'notes'> {
  /** True if another resource, such as a disposable parent, keeps prune from deleting this one; null if that is not known. */
  readonly isKept?: boolean | null;
}

/** Says what follows from a declaration, with or without a live resource, besides its attribute differences. */
export interface Verdict {
  readonly intents: readonly Intent[];
  readonly notes: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** Reasons that block the declaration's own change, such as a creation. */
  readonly blockedBy: readonly Block[];
  /** Set if the declaration consents to losing its resource or data, as long as the observed values in `restsOn` stay the same. */
  readonly consented?: { readonly restsOn: readonly string[] } | null;
  /** A sentence about a resource that was deleted outside trueup, and about its recovery; null or missing if there is none. */
  readonly vanished?: string | null;
  /** True if the resource was deleted at its expiry, so that the plan creates it again. */
  readonly lapsed?: boolean;
  /** Sentences about parts of the declaration that could not be judged; the plan reports these parts as unread. */
  readonly unread?: readonly string[];
}

export interface Choice {
  readonly live: LiveResource | null;
  readonly because: string;
  /** Other live resources of the declaration: trueup neither reports nor prunes them. `guess`: true if the choice of `live` is only a guess. */
  readonly companions: readonly LiveResource[];
  readonly guess: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

export interface EffectInput extends Pick<Change, 'action' | 'before' | 'after' | 'attributes' | 'sinks'> {
  readonly live: LiveResource | null;
  /** True if the resource's parent does not exist yet, so that no client uses the resource. */
  readonly isBelowUnborn?: boolean;
  /** The declared project of the resource; null if no file declares the project. */
  readonly project: DesiredProject | null;
  readonly around: readonly LiveResource[];
  /** The slot that empties; missing if it is empty already. `until`: the address that takes the slot next · `isPassage`: it is only a `via` slot. */
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
  /** True if prune deletes unlisted resources of the kind. */
  readonly isPruned?: boolean;
  /** Returns the slot that a spec gives a resource, in words; null if it gives none. */
  place(spec: JsonObject): string | null;
  /** Returns the facts that identify the resource, and the facts that may change by themselves. */
  fingerprint(live: LiveResource): Marks;
  describe?(live: LiveResource): Described;
  /** Says in words to which pool a spec belongs, such as "the read_write … of br-…". */
  poolWords(spec: JsonObject): string;
  /** Chooses among `candidates`: the pinned resource and unclaimed ones of the pool. Without `choose`, slots, names and counting decide. */
  choose?(desired: DesiredResource, candidates: readonly LiveResource[], context: KindContext): Choice;
  /** Judges a declaration by time, history and facts. `differs`: a change is needed · `restarts`: that change restarts the resource. */
  verdict(input: {
    readonly desired: DesiredResource;
    readonly live: LiveResource | null;
    readonly companions: readonly LiveResource[];
    readonly differs: boolean;
    readonly restarts: boolean;
    readonly context: KindContext;
  }): Verdict;
  /** Returns an action's effect on data and clients; a missing action has none. `leave`: the effect of a slot that becomes or is empty. */
  readonly effects: Readonly<Partial<Record<Action | 'leave', (input: EffectInput) => Effect>>>;
  /** Judges every removal of a live resource, whether the file, prune, an intent or a replacement asks for it. */
  removalGuard?(live: LiveResource, context: KindContext): RemovalGuard;
  /** The consent types of the kind. A loss needs an `--allow` with its type, even after a review. Without types, `--allow` names the action. */
  readonly consentWords?: readonly string[];
  /** Builds the request of each action. A derived kind has no requests: its resources follow from others, and only its sinks need work. */
  readonly requests: Readonly<Partial<Record<StepAction, (input: RequestInput) => RequestDraft>>>;
  /** Splits a creation or update into requests, in order; without `parts`, one is sent. `isAlong`: another request creates the resource. */
  parts?(action: 'create' | 'update', attributes: JsonObject, isAlong: boolean): readonly StepPart[];
  /** Proposes the work that every apply does besides changes. `differs`: a change is planned · `runs`: a step of the address runs. */
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
