// What a kind itself has to say against the removal of one of its resources, whoever asks for it.
import { addressOf, type Address } from '../model/address.ts';
import { blocked, removes } from './draft.ts';
import type { Draft } from './draft.ts';
import { contextOf } from './scope.ts';

/** The draft with its kind's objections: blocks, an allowance that it needs, and notes. */
export function guardRemoval(draft: Draft): Draft {
  const { live, scope, change } = draft;
  if (live === null || !removes(change)) return draft;
  const guard = scope.rules.removalGuard?.(live, contextOf(scope));
  if (guard === undefined) return draft;
  const notes = [...new Set([...change.notes, ...guard.notes])];
  const needed = guard.allowance === null ? [] : [{ addresses: [guard.allowance, ...ownAddress(draft)], exact: true }];
  const guarded = { ...draft, change: { ...change, notes }, needsAllowance: [...draft.needsAllowance, ...needed] };
  return blocked(guarded, ...guard.blockedBy);
}

/** A removal that the file asks for at an address is named by that address as well, unless it reads like another one's id. */
function ownAddress({ change, scope }: Draft): readonly Address[] {
  const isAnothers = scope.live.some(({ id }) => addressOf(scope.label, id) === change.address);
  return change.origin === 'absent' && !isAnothers ? [change.address] : [];
}
