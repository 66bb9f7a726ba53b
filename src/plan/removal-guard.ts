// What a kind itself has to say against the removal of one of its resources, whoever asks for it.
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
  const needed = guard.allowance === null ? [] : [{ address: guard.allowance, exact: true }];
  const guarded = { ...draft, change: { ...change, notes }, needsAllowance: [...draft.needsAllowance, ...needed] };
  return blocked(guarded, ...guard.blockedBy);
}
