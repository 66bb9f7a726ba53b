// Guards on removals: what a kind itself has to say against one, and what a declaration with a stale pin may mean.
import { listOf } from '../../base/text/words.ts';
import { addressOf } from '../../model/address.ts';
import type { Address } from '../../model/address.ts';
import { blocked, noted, removes } from '../diff/draft.ts';
import type { Draft } from '../diff/draft.ts';
import type { Matching } from '../match/matching.ts';
import { contextOf } from '../scope.ts';

/** The draft with its kind's objections: blocks, an allowance that it needs, and notes. */
export function guardRemoval(draft: Draft): Draft {
  const { live, scope, change } = draft;
  if (live === null || !removes(change)) return draft;
  const guard = scope.rules.removalGuard?.(live, contextOf(scope));
  if (guard === undefined) return draft;
  const needed = guard.allowance === null ? [] : [{ addresses: [guard.allowance, ...ownAddress(draft)], exact: true }];
  const guarded = { ...noted(draft, ...guard.notes), needsAllowance: [...draft.needsAllowance, ...needed] };
  return blocked(guarded, ...guard.blockedBy);
}

/** A removal that the file asks for at an address is named by that address as well, unless it reads like another one's id. */
function ownAddress({ change, scope }: Draft): readonly Address[] {
  const isAnothers = scope.live.some(({ id }) => addressOf(scope.label, id) === change.address);
  return change.origin === 'absent' && !isAnothers ? [change.address] : [];
}

/** The draft, blocked where it removes what a declaration with a stale pin could mean just as well. */
export function guardUncertain({ uncertain }: Matching, draft: Draft): Draft {
  const { live, change } = draft;
  const meaning = live === null ? undefined : uncertain.get(live.id);
  if (meaning === undefined || !removes(change)) return draft;
  const names = listOf(meaning.map(({ address }) => address));
  const what = meaning.length === 1 ? 'what its id names' : 'what their ids name';
  return blocked(noted(draft, `${names} may mean it: ${what} does not exist here`), 'stale_pin');
}
