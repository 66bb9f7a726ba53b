// Drafts: changes in the making, with what the later stages need and the plan does not show.
import { assert } from '../../base/assert.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Address } from '../../model/address.ts';
import type { DesiredResource } from '../../model/desired.ts';
import type { LiveResource } from '../../model/live.ts';
import { traitsOf } from '../../model/outcome/impact.ts';
import type { Block, Change, StepAction } from '../../model/outcome/plan.ts';
import type { KindRules, RequestDraft, RequestInput } from '../kind-rules.ts';
import type { Scope } from '../scope.ts';

export interface Draft {
  /** Unique in the plan: the id of the change's (last) step. */
  readonly key: string;
  readonly scope: Scope;
  readonly change: Change;
  readonly desired: DesiredResource | null;
  /** What it acts on; null for what is made. */
  readonly live: LiveResource | null;
  /** The whole spec once it is done; null when the resource will not exist. */
  readonly specAfter: JsonObject | null;
  /** What a step sends: the desired values of what changes, or all of what is made. */
  readonly send: JsonObject;
  /** What must still be so right before the step. */
  readonly expect: JsonObject;
  /** Options that its step carries for the executor. */
  readonly options?: JsonObject;
  /** Names of passing facts that it rests on. */
  readonly restsOn: readonly string[];
  /** The id of what it removes by that id, and what is called otherwise in the file, as an address: nobody consents but by this. */
  readonly misnamed?: Address;
  /** For what only an allowance can consent to, however the plan was reviewed: it names one address of each list. */
  readonly needsAllowance: readonly (readonly Address[])[];
  /** The file itself consents to what it removes. */
  readonly consented: boolean;
  /** What it acts on is only probably what it is taken for: no pattern consents to it. */
  readonly isGuess: boolean;
  /** The resource restarts, by itself or because of what is sent. */
  readonly restarts: boolean;
  /** What it is to be replaced with, where that is there already. */
  readonly successor: LiveResource | null;
  /** The time of its declaration is over, and it does not exist. */
  readonly isOver?: true;
}

/** A draft that sends nothing and rests on nothing. */
export const PLAIN: Omit<Draft, 'key' | 'scope' | 'change' | 'desired' | 'live'> = {
  specAfter: null,
  send: {},
  expect: {},
  restsOn: [],
  needsAllowance: [],
  consented: false,
  isGuess: false,
  restarts: false,
  successor: null,
};

export function blocked(draft: Draft, ...blocks: readonly Block[]): Draft {
  const more = blocks.filter((block) => !draft.change.blockedBy.includes(block));
  if (more.length === 0) return draft;
  return {
    ...draft,
    change: { ...draft.change, blockedBy: [...new Set([...draft.change.blockedBy, ...more])].sort() },
  };
}

/** The draft with these notes as well, none of them twice. */
export function noted(draft: Draft, ...notes: readonly string[]): Draft {
  return { ...draft, change: { ...draft.change, notes: [...new Set([...draft.change.notes, ...notes])] } };
}

export function isAction(draft: Draft): boolean {
  return draft.change.action !== 'none';
}

/** Its address in the file, and that of the live resource. */
export function addressesOf(change: Pick<Change, 'address' | 'resourceId'>, scope: string): string[] {
  return change.resourceId === null ? [change.address] : [change.address, `${scope}/${change.resourceId}`];
}

/** True when the change takes a live resource away. */
export function removes({ action }: Pick<Change, 'action'>): boolean {
  return action === 'delete' || action === 'replace' || action === 'revoke';
}

/** True for what removes its resource, or lets it go when its time is over. */
export function takesAway({ action, impact }: Pick<Change, 'action' | 'impact'>): boolean {
  return removes({ action }) || impact.some((word) => traitsOf(word)?.isRemoval === true);
}

/** How a resource of the kind is removed. */
export function removalOf({ requests }: Pick<KindRules, 'requests'>): 'delete' | 'revoke' {
  return requests.delete === undefined && requests.revoke !== undefined ? 'revoke' : 'delete';
}

/** The request of a step; asserts that the kind has such an action. */
export function requestOf(rules: KindRules, action: StepAction, input: RequestInput): RequestDraft {
  const draft = rules.requests[action];
  assert(draft !== undefined, `a ${rules.kind} has no ${action}`);
  return draft(input);
}
