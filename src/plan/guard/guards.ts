// Guards on single changes: protection, stale pins, consents, windows, and the objections of a kind to a removal.
import { textOf } from '../../base/json.ts';
import { addressOf, type Address } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { PROJECT } from '../../model/kind.ts';
import type { Block, Change } from '../../model/outcome/plan.ts';
import { blocked, isAction, noted, removes, takesAway, type Draft } from '../diff/draft.ts';
import type { PlanInput } from '../input.ts';
import { gapsOf } from '../match/gaps.ts';
import { contextOf } from '../scope.ts';
import { lacking, withConsents } from './consents.ts';
import { inUse, protects, type Names } from './protection.ts';
import { coveringWindows, disruptionAllowed, isDisruptive } from './windows.ts';

export interface Judging {
  readonly input: PlanInput;
  /** Addresses with a stale pin. */
  readonly stale: ReadonlySet<Address>;
  readonly names: Names;
}

export function guardChanges(drafts: readonly Draft[], { input, stale, names }: Judging): Draft[] {
  const { safety } = input.desired;
  const windows = coveringWindows(safety);
  const gaps = gapsOf(input.live.unread, input.kinds);
  return drafts.map((asked) => {
    if (!isAction(asked)) return asked;
    const draft = withConsents(asked, input.allow);
    const { change } = draft;
    const blocks: Block[] = [];
    const isStale = stale.has(change.address);
    // There can be many patterns, so they are matched only if they can block the change.
    const isLost = takesAway(change);
    if ((isStale || isLost) && protects(draft, safety, names)) {
      if (isLost) blocks.push('protect');
      if (isStale) blocks.push('stale_pin');
    }
    const { live, scope } = draft;
    if (live !== null && removes(change) && gaps.mayHide(change.kind, scope.project?.id ?? null, live.id))
      blocks.push('unread');
    blocks.push(...lacking(draft, input));
    const isTimeUnknown = (input.clockDoubt ?? null) !== null;
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

/** Origins of changes that the clock asks for. */
const BY_THE_CLOCK: ReadonlySet<string> = new Set(['restart', 'rotate']);

function isClockDriven({ due, origin }: Change): boolean {
  return due || BY_THE_CLOCK.has(origin);
}

export function clockUnknown(drafts: readonly Draft[], { clockDoubt = null }: PlanInput): readonly Diagnostic[] {
  const isHeld = drafts.some(({ change }) => change.blockedBy.includes('clock_unknown') || change.held.length > 0);
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

export function guardRemoval(asked: Draft): Draft {
  const draft = guardName(asked);
  const { live, scope, change } = draft;
  if (live === null || !removes(change)) return draft;
  const guard = scope.rules.removalGuard?.(live, contextOf(scope));
  return guard === undefined ? draft : blocked(noted(draft, ...guard.notes), ...guard.blockedBy);
}

/** If the live resource of an id has another name than the file says, only a consent by that id counts. */
function guardName(draft: Draft): Draft {
  const { live, scope, change, desired } = draft;
  if (live === null || desired?.absent !== true || desired.pin !== live.id || !removes(change)) return draft;
  const name = textOf(live.spec['name']);
  if (name === null || name === desired.name || name === desired.spec['name']) return draft;
  const misnamed = scope.rules.kind === PROJECT ? live.id : addressOf(scope.label, live.id);
  const { consents } = change;
  if (consents === undefined) return { ...draft, misnamed };
  const byId = consents.map((one) => (one.address === change.address ? { ...one, address: misnamed } : one));
  return { ...draft, misnamed, change: { ...change, consents: byId } };
}
