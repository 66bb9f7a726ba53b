// Removals of what a stale pin may mean: held back until the file says which one it means.
import { listOf } from '../base/words.ts';
import { blocked, removes } from './draft.ts';
import type { Draft } from './draft.ts';
import type { Matching } from './matching.ts';

/** The draft, blocked where it removes what a declaration with a stale pin could mean just as well. */
export function guardDoubtful({ doubtful }: Matching, draft: Draft): Draft {
  const { live, change } = draft;
  const meaning = live === null ? undefined : doubtful.get(live.id);
  if (meaning === undefined || !removes(change)) return draft;
  const names = listOf(meaning.map(({ address }) => address));
  const what = meaning.length === 1 ? 'what its id names' : 'what their ids name';
  const note = `${names} may mean it: ${what} does not exist here`;
  return blocked({ ...draft, change: { ...change, notes: [...change.notes, note] } }, 'stale_pin');
}
