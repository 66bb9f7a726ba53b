// What a read-back reads again, and what the plan's own reading still answers.
import type { KnownReading } from '../../apply/read/read-input.ts';
import type { RunResult } from '../../model/outcome/result.ts';
import type { Joined } from '../applying/join-running.ts';
import { unreportedIds } from './settle.ts';
import type { ApplyRequest } from '../types.ts';

/** What the plan's own reading still tells; nothing when a part of it failed, for then nobody knows what that part holds. */
export function knownOf({ plan, reading }: ApplyRequest, joined: Joined): KnownReading | null {
  if (reading === null || reading.live.unread.length > 0) return null;
  const changed = new Set([...joined.projects, ...plan.steps.map(({ projectId }) => projectId)]);
  return { live: reading.live, changed };
}

/**
 * Ids of the projects whose logs decide as well: where a log was unread, where operations of others were waited for, and where a
 * change that had failed was sent again and no operation of it was followed to its end.
 */
export function logsToJudge({ plan, reading }: ApplyRequest, result: RunResult, joined: Joined): ReadonlySet<string> {
  const followed = new Set(
    result.steps.flatMap(({ address, outcome, operations }) =>
      outcome === 'done' && operations.length > 0 ? [address] : [],
    ),
  );
  const unproven = plan.changes.filter(
    ({ origin, action, address }) => origin === 'last_operation_failed' && action !== 'none' && !followed.has(address),
  );
  const unlogged = (reading?.live.unread ?? []).filter(({ part }) => part !== undefined);
  const unreported = new Set(unreportedIds(result).values());
  const unfollowed = plan.steps.filter(({ address }) => unreported.has(address));
  const open = [...unproven, ...unlogged, ...unfollowed].flatMap(({ projectId }) => projectId ?? []);
  return new Set([...joined.projects, ...open]);
}
