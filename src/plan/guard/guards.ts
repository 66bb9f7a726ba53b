// Guards single changes: protection, stale pins, consents, windows, and the kind's objections to a removal.
import { textOf } from '../../base/json.ts';
import { listed } from '../../base/picked.ts';
import { addressOf, SETS } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { PROJECT } from '../../model/kind.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Block, Change } from '../../model/outcome/plan.ts';
import { addressesOf, amend, block, isAction, losesData, note, removes, type Draft } from '../diff/draft.ts';
import type { PlanInput } from '../input.ts';
import { gapsOf } from '../match/gaps.ts';
import { addConsents, lacking } from './consents.ts';
import { inUse, type IsKept } from './protection.ts';
import { closedBlocks, coveringWindows, isDisruptive } from './windows.ts';

export function guardChanges(drafts: readonly Draft[], input: PlanInput, isKept: IsKept): void {
  const { safety } = input.desired;
  const windows = coveringWindows(safety);
  const gaps = gapsOf(input.live.unread, input.kinds);
  const isTimeUnknown = (input.clockDoubt ?? null) !== null;
  const nowMs = isTimeUnknown ? null : input.nowMs;
  for (const draft of drafts.filter(isAction)) {
    addConsents(draft, input.allow);
    const { change, isStale, live, scope } = draft;
    const isLost = losesData(change);
    // Matching many patterns takes time, so it happens only if a pattern can block the change.
    const isProtected = (isStale || isLost) && isKept(scope, draft, addressesOf(change, scope.label));
    const isHidden = live !== null && removes(change) && gaps.mayHide(change.kind, scope.projectId, live.id);
    const isShut = isDisruptive(change) && closedBlocks(windows, scope.label, nowMs).length > 0;
    const isTimed = isTimeUnknown && (isShut || change.due || BY_THE_CLOCK.has(change.origin));
    const blocks = listed<Block>(
      isProtected && isLost && 'protect',
      isProtected && isStale && 'stale_pin',
      isHidden && 'unread',
      isTimed && 'clock_unknown',
      isShut && 'window',
      inUse(draft, safety, nowMs),
    );
    block(draft, ...blocks, ...lacking(draft, input));
  }
}

/** Origins of changes that time alone can cause. */
const BY_THE_CLOCK: ReadonlySet<string> = new Set(['restart', 'rotate', SETS]);

export function clockUnknown(changes: readonly Change[], { clockDoubt = null }: PlanInput): readonly Diagnostic[] {
  const isHeld = changes.some(({ blockedBy, held }) => blockedBy.includes('clock_unknown') || held.length > 0);
  if (clockDoubt === null || !isHeld) return [];
  return [
    {
      severity: 'warning',
      code: 'clock_unknown',
      message: `the time at the service is not known (${clockDoubt}), so clock-driven changes are blocked`,
      hint: 'Correct the clock that is wrong, on this machine or at the service, then run trueup plan again.',
    },
  ];
}

/** If the draft is a removal, adds the kind's objections to it. */
export function guardRemoval(draft: Draft): void {
  const { live, scope, change } = draft;
  if (live === null || !removes(change)) return;
  guardName(draft, live);
  const guard = scope.rules.removalGuard?.(live, scope);
  note(draft, ...(guard?.notes ?? []));
  block(draft, ...(guard?.blockedBy ?? []));
}

/** If a file deletes a resource by id, but the live name differs from the file's, only a consent for that id counts. */
function guardName(draft: Draft, live: LiveResource): void {
  const { scope, change, desired } = draft;
  if (desired?.absent !== true || desired.pin !== live.id) return;
  const name = textOf(live.spec['name']);
  if (name === null || name === desired.name || name === desired.spec['name']) return;
  const misnamed = scope.rules.kind === PROJECT ? live.id : addressOf(scope.label, live.id);
  draft.misnamed = misnamed;
  const { address, consents } = change;
  if (consents !== undefined)
    amend(draft, { consents: consents.map((one) => (one.address === address ? { ...one, address: misnamed } : one)) });
}
