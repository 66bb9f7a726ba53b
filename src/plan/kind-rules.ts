// What planning asks of a kind of resource. Pure: rules are tables and functions of values.
import type { JsonObject } from '../base/json.ts';
import type { Address } from '../model/address.ts';
import type { KindTraits } from '../model/attributes.ts';
import type { DesiredProject, DesiredResource, KindName, ResourceId } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Described, LiveProject, LiveResource, OperationHistory } from '../model/live.ts';
import type { Impact } from '../model/outcome/impact.ts';
import type { UpkeepIntent } from '../model/outcome/upkeep.ts';
import type { Action, AttributeChange, Block, Marks, Method, StepAction } from '../model/outcome/plan.ts';

/** What a kind decides by, besides a declaration and a live resource: time, history, facts and what is around. */
export interface KindContext {
  readonly nowMs: number;
  readonly project: DesiredProject | null;
  readonly liveProject: LiveProject | null;
  readonly history: OperationHistory | null;
  /** True where the user left the operation logs out. */
  readonly noHistory?: boolean;
  readonly facts: JsonObject;
  /** All that the file declares of its kind below the same parent, itself included. */
  readonly declared: readonly DesiredResource[];
  /** The same of another kind, with its facts; `made`: by address, the ids of what the run that is read back made. */
  readonly beside: (kind: KindName) => Pick<KindContext, 'declared' | 'facts'>;
  readonly made: ReadonlyMap<Address, ResourceId>;
  /** All that was read of its project, of whatever kind. */
  readonly around: readonly LiveResource[];
  /** Id of the parent within the project; null while that does not exist, and directly below the project or the account. */
  readonly parentId: ResourceId | null;
}

export interface RequestInput {
  readonly projectId: string | null;
  /** Id of the parent within the project, or `{ADDRESS}` for one that is not known yet; null directly below the project. */
  readonly parentId: string | null;
  readonly id: ResourceId | null;
  /** Whole desired spec for a create; only what changes (merged where the API replaces a whole) for an update. */
  readonly attributes: JsonObject;
  readonly live: LiveResource | null;
}

/** The request that a step sends; `path` is relative to the base URL and made of validated ids only. */
export interface RequestDraft {
  readonly method: Method;
  readonly path: string;
  readonly body: JsonObject | null;
}

/** One of several requests that a change takes. */
export interface StepPart {
  /** What it does, in a word: the ids of the later steps begin with it. */
  readonly name: string;
  readonly attributes: JsonObject;
  /** It waits for the steps on all that rests on the resource (`users`), or on what lies below it and for removals of what goes with it (`contents`). */
  readonly waitsFor?: 'users' | 'contents';
  /** True where one resource of the scope at a time has these attributes: it takes them over from that one, which must still have them. */
  readonly takesOver?: boolean;
}

/** A change that is not an attribute difference (a restart, a rotation, a retirement), proposed by the kind. */
export interface Intent {
  readonly action: Extract<Action, 'restart' | 'rotate' | 'revoke' | 'replace'>;
  /** The live resource it acts on; a rotation acts on none. */
  readonly target: LiveResource | null;
  readonly due: boolean;
  readonly origin: string;
  readonly reasons: readonly string[];
  readonly notes: readonly string[];
  readonly blockedBy: readonly Block[];
  /** True when the file itself consents (a rotation's own retirement). */
  readonly consented: boolean;
  /** Passing facts of the target that it rests on: when one of them has changed, nobody asks for it any more. */
  readonly restsOn?: readonly string[];
  /** True where the target is only probably what the intent takes it for: without a review, only its literal address consents, no pattern. */
  readonly isGuess?: boolean;
  /** True for what nobody wants unasked: without that allowance it is no change at all. */
  readonly onRequest?: boolean;
  /** Options that its step carries for the executor. */
  readonly options?: JsonObject;
  /** When set, a review is not enough: only an allowance of the intent's action that covers this address, or names the id of the target, consents. */
  readonly allowance?: Address;
}

/** What holds the removal of one live resource back, whoever asks for it. */
export interface RemovalGuard extends Pick<Verdict, 'blockedBy' | 'notes'> {
  /** Whether a resource that it belongs to keeps it from being pruned; null where nobody knows. */
  readonly isKept?: boolean | null;
}

/** What a matched (or unmatched) declaration leads to besides its attribute differences. */
export interface Verdict {
  readonly intents: readonly Intent[];
  readonly notes: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** Reasons for which the change itself (for example a create) is held back. */
  readonly blockedBy: readonly Block[];
  /** The declaration itself consents to the removal of what it declares, as long as these passing facts of what is live are as they were. */
  readonly consented?: { readonly restsOn: readonly string[] } | null;
  /** Until when and how a deleted resource that the declaration means can be recovered, in words. */
  readonly vanished?: string | null;
  /** What of the declaration could not be judged by what was read, in sentences: the plan does not cover it. */
  readonly unread?: readonly string[];
}

/** What the request that makes a project makes along with it: what is to be merged into the project's own spec for that, and the addresses that need no request then. */
export interface Along {
  readonly spec: JsonObject;
  readonly addresses: readonly Address[];
}

/** The live resource chosen among several that could be a declaration, and why. */
export interface Choice {
  readonly live: LiveResource | null;
  readonly because: string;
  /** Others that belong to the same declaration, neither unmanaged nor pruned; `guess`: each could be meant just as well. */
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
  /** True where its parent does not exist yet: nobody uses anything there. */
  readonly isBelowUnborn?: boolean;
  /** Where a secret that it makes goes; left out where it makes none, or nobody keeps it. */
  readonly sinks?: readonly string[];
  /** Its project, for the names that the file gives to places; null where no file speaks of it. */
  readonly project: DesiredProject | null;
  /** All that was read of its project, of whatever kind: what is in it, or hangs on it. */
  readonly around: readonly LiveResource[];
  /** How long a slot is left: until the taker arrives, or for good; `isPassage` if its holder only passed through. Absent for an empty slot. */
  readonly leaving?: { readonly until: Address | null; readonly isPassage: boolean };
}

export interface Effect {
  readonly impact: readonly Impact[];
  readonly details: JsonObject;
  readonly notes: readonly string[];
  /** For a kind with `consentWords`: the consents that the change needs, for its own address where none is given. A removal for which none is given needs `drop`. */
  readonly consents?: readonly { readonly word: string; readonly address?: Address }[];
}

export interface KindRules extends KindTraits {
  /** True for a kind of which `prune` removes what no file lists. */
  readonly isPruned?: boolean;
  /** The capacity-one place that a resource with this spec holds, in words; null when it holds none. */
  place(spec: JsonObject): string | null;
  /** What tells the resource from every other, and what of it passes: a step upon it expects to find it so. */
  fingerprint(live: LiveResource): Marks;
  /** What lists, results and candidates tell of a resource. */
  describe?(live: LiveResource): Described;
  /** Why a resource found by its pool is the declaration, in words ("the read_write … of br-…"). */
  poolWords(spec: JsonObject): string;
  /** Chooses the resource of a declaration among `candidates`: the unclaimed ones of its pool and the pinned one. Without this, slots, names and numbers decide. */
  choose?(desired: DesiredResource, candidates: readonly LiveResource[], context: KindContext): Choice;
  /** Clock, history and facts: what else is to be done, and what holds the change back. `differs` tells that attributes differ, `restarts` that they restart it. */
  verdict(input: {
    readonly desired: DesiredResource;
    readonly live: LiveResource | null;
    readonly companions: readonly LiveResource[];
    readonly differs: boolean;
    readonly restarts: boolean;
    readonly context: KindContext;
  }): Verdict;
  /** The effects of each action on data and clients; a missing action has none. `leave`: a slot is left, or is empty. */
  readonly effects: Readonly<Partial<Record<Action | 'leave', (input: EffectInput) => Effect>>>;
  /** Asked for every removal of a live resource: by the file, by a prune rule, by an intent, as part of a replacement. */
  removalGuard?(live: LiveResource, context: KindContext): RemovalGuard;
  /** For a kind whose changes are consented to by what is lost: the words that `--allow` takes for them. No review and no other allowance covers them. Without this, allowances name actions. */
  readonly consentWords?: readonly string[];
  /** The request of each action that the kind has. Without any, its resources follow from others, and only their upkeep is done. */
  readonly requests: Readonly<Partial<Record<StepAction, (input: RequestInput) => RequestDraft>>>;
  /** The requests among which a creation or an update shares out what it sends, in their order; without this, one. The later ones of a creation act on what the first has made. `isAlong`: it comes with something else, as that makes it. */
  parts?(action: 'create' | 'update', attributes: JsonObject, isAlong: boolean): readonly StepPart[];
  /** For the kind of projects: what is made along with one, of all that is declared in it, and by its facts. */
  along?(desired: DesiredResource, declared: readonly DesiredResource[], facts: JsonObject): Along;
  /** What every apply does for it besides changes: what it may ever need, and needs now. `differs`: a change of it is planned, which may be blocked; `runs`: a step at the address is carried out. */
  readonly upkeep?: {
    mayNeed(desired: DesiredResource): boolean;
    needs(input: {
      readonly desired: DesiredResource;
      readonly live: LiveResource | null;
      readonly differs: boolean;
      readonly runs: (address: Address) => boolean;
      readonly context: KindContext;
    }): readonly UpkeepIntent[];
  };
}
