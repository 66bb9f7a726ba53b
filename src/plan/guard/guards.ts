// Guards on single changes: protection, stale pins, consent and windows.
import { plural } from '../../base/text/words.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Block, Change } from '../../model/outcome/plan.ts';
import { blocked, isAction, removes } from '../diff/draft.ts';
import type { Draft } from '../diff/draft.ts';
import type { PlanInput } from '../input.ts';
import { lacking, withConsents } from './consents.ts';
import { inUse, protects } from './protection.ts';
import { coveringWindows, disruptionAllowed, isDisruptive } from './windows.ts';

/** Each draft with the guards that hold it back. */
export function guardChanges(drafts: readonly Draft[], input: PlanInput, stale: ReadonlySet<string>): Draft[] {
  const { safety } = input.desired;
  const windows = coveringWindows(safety);
  const unread = new Set(input.live.unread.map(({ projectId }) => projectId));
  return drafts.map((asked) => {
    if (!isAction(asked)) return asked;
    const draft = withConsents(asked, input.allow);
    const { change } = draft;
    const blocks: Block[] = [];
    const isStale = stale.has(change.address);
    // There may be many patterns: they are only matched where they could hold something back.
    if ((isStale || removes(change)) && protects(draft, safety)) {
      if (removes(change)) blocks.push('protect');
      if (isStale) blocks.push('stale_pin');
    }
    // What is under way or failed there is not known.
    if (unread.has(draft.scope.project?.id ?? '')) blocks.push('unread');
    blocks.push(...lacking(draft, input));
    const isTimeUnknown = (input.clockUncertainty ?? null) !== null;
    const nowMs = isTimeUnknown ? null : input.nowMs;
    if (isTimeUnknown && isClockDriven(change)) blocks.push('clock_unknown');
    blocks.push(...inUse(draft, safety, nowMs));
    if (isDisruptive(change) && !disruptionAllowed(windows, draft.scope.label, nowMs))
      blocks.push(
        ...(isTimeUnknown && !blocks.includes('clock_unknown') ? (['clock_unknown'] as const) : []),
        'window',
      );
    return blocked(draft, ...blocks);
  });
}

/** Where a change comes from that is asked for by a time: a start or a key that is too old, an overlap that is over. */
const BY_THE_CLOCK: ReadonlySet<string> = new Set(['restart', 'rotate']);

function isClockDriven({ due, origin }: Change): boolean {
  return due || BY_THE_CLOCK.has(origin);
}

/** The warning that goes with what is held back because nobody knows the time. */
export function clockUnknown(drafts: readonly Draft[], { clockUncertainty = null }: PlanInput): readonly Diagnostic[] {
  const held = drafts.filter(({ change }) => change.blockedBy.includes('clock_unknown') || change.held.length > 0);
  if (clockUncertainty === null || held.length === 0) return [];
  return [
    {
      severity: 'warning',
      code: 'clock_unknown',
      message: `what time it is at the service is not known: ${clockUncertainty}; ${plural(held.length, 'change')} that the clock drives ${held.length === 1 ? 'is' : 'are'} held back`,
      hint: "Set the clock that is wrong, this machine's or the service's, and plan again.",
    },
  ];
}
