// Drafts: changes with the facts that later stages need and the plan does not show.
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
  /** The target; null for a creation. */
  readonly live: LiveResource | null;
  /** The whole spec afterwards; null for a removal. */
  readonly specAfter: JsonObject | null;
  /** The attributes that the step sends: the changed ones, or all of a creation. */
  readonly send: JsonObject;
  /** The live values that the step still expects. */
  readonly expect: JsonObject;
  /** Options of the step for its execution. */
  readonly options?: JsonObject;
  /** Names of passing facts that the change depends on. */
  readonly restsOn: readonly string[];
  /** An address with the live id, if the declaration has another name: only an allowance with this id consents. */
  readonly misnamed?: Address;
  /** Lists of addresses: an allowance must name an address of each list, also for a reviewed plan. */
  readonly needsAllowance: readonly (readonly Address[])[];
  /** True if the file itself consents to the removal. */
  readonly consented: boolean;
  /** True if the target is only a guess: no pattern consents to its removal. */
  readonly isGuess: boolean;
  /** True if the resource restarts, by the action or by an attribute. */
  readonly restarts: boolean;
  /** The replacement, if it exists already. */
  readonly successor: LiveResource | null;
  /** True if the declaration has expired and the resource does not exist. */
  readonly isOver?: true;
}

/** A draft that sends nothing and depends on nothing. */
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

/** The draft with further notes, each once. */
export function noted(draft: Draft, ...notes: readonly string[]): Draft {
  return { ...draft, change: { ...draft.change, notes: [...new Set([...draft.change.notes, ...notes])] } };
}

export function isAction(draft: Draft): boolean {
  return draft.change.action !== 'none';
}

/** The declared address, and the address with the live id. */
export function addressesOf(change: Pick<Change, 'address' | 'resourceId'>, scope: string): string[] {
  return change.resourceId === null ? [change.address] : [change.address, `${scope}/${change.resourceId}`];
}

/** True when the change takes a live resource away. */
export function removes({ action }: Pick<Change, 'action'>): boolean {
  return action === 'delete' || action === 'replace' || action === 'revoke';
}

/** True for a removal, and for an expiry that lets the resource be deleted. */
export function takesAway({ action, impact }: Pick<Change, 'action' | 'impact'>): boolean {
  return removes({ action }) || impact.some((word) => traitsOf(word)?.isRemoval === true);
}

/** The action that removes a resource of the kind. */
export function removalOf({ requests }: Pick<KindRules, 'requests'>): 'delete' | 'revoke' {
  return requests.delete === undefined && requests.revoke !== undefined ? 'revoke' : 'delete';
}

/** The request of a step; asserts that the kind has such an action. */
export function requestOf(rules: KindRules, action: StepAction, input: RequestInput): RequestDraft {
  const draft = rules.requests[action];
  assert(draft !== undefined, `a ${rules.kind} has no ${action}`);
  return draft(input);
}
