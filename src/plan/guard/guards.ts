// Guards on single changes: protection, stale pins, consent and windows.
import { plural } from '../../base/text/words.ts';
import { coversAddress, matchesGlob } from '../../model/address.ts';
import type { SafetyLimits } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { consentsTo } from '../../model/outcome/plan.ts';
import type { Block, Change } from '../../model/outcome/plan.ts';
import { blocked, isAction, removes } from '../diff/draft.ts';
import type { Draft, NeededAllowance } from '../diff/draft.ts';
import type { Allowance, PlanInput } from '../input.ts';
import { coveringWindows, disruptionAllowed, isDisruptive } from './windows.ts';

/** Each draft with the guards that hold it back. */
export function guardChanges(drafts: readonly Draft[], input: PlanInput, stale: ReadonlySet<string>): Draft[] {
  const { safety } = input.desired;
  const windows = coveringWindows(safety);
  const unread = new Set(input.live.unread.map(({ projectId }) => projectId));
  return drafts.map((draft) => {
    if (!isAction(draft)) return draft;
    const { change } = draft;
    const blocks: Block[] = [];
    const isStale = stale.has(change.address);
    // There may be many patterns: they are held against what they could hold back.
    if ((isStale || removes(change)) && protects(draft, safety)) {
      if (removes(change)) blocks.push('protect');
      if (isStale) blocks.push('stale_pin');
    }
    // What is under way or failed there is not known.
    if (unread.has(draft.scope.project?.id ?? '')) blocks.push('unread');
    const missing = lacking(draft, input);
    if (missing !== null) blocks.push(missing);
    const isTimeUnknown = (input.clockDoubt ?? null) !== null;
    if (isTimeUnknown && isClockDriven(change)) blocks.push('clock_unknown');
    const nowMs = isTimeUnknown ? null : input.nowMs;
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
export function clockUnknown(drafts: readonly Draft[], { clockDoubt = null }: PlanInput): readonly Diagnostic[] {
  const held = drafts.filter(({ change }) => change.blockedBy.includes('clock_unknown') || change.held.length > 0);
  if (clockDoubt === null || held.length === 0) return [];
  return [
    {
      severity: 'warning',
      code: 'clock_unknown',
      message: `what time it is at the service is not known: ${clockDoubt}; ${plural(held.length, 'change')} that the clock drives ${held.length === 1 ? 'is' : 'are'} held back`,
      hint: "Set the clock that is wrong, this machine's or the service's, and plan again.",
    },
  ];
}

function protects({ desired, change, scope }: Draft, safety: readonly SafetyLimits[]): boolean {
  if (desired?.lifecycle.protect === true) return true;
  const names = addressesOf(change, scope.label);
  return safety.some(
    (block) =>
      (block.project === null || block.project === scope.label) &&
      block.protect.some((glob) => names.some((name) => coversAddress(glob, name))),
  );
}

/** Its address in the file, and that of the live resource. */
export function addressesOf(change: Pick<Change, 'address' | 'resourceId'>, scope: string): string[] {
  return change.resourceId === null ? [change.address] : [change.address, `${scope}/${change.resourceId}`];
}

/** What is missing of the agreement to the change: an allowance that names it, or anybody's word; null when nothing is. */
function lacking(draft: Draft, input: PlanInput): 'allowance' | 'consent' | null {
  const missing = draft.needsAllowance.filter((needed) => !isGranted(needed, draft, input.allow));
  if (missing.some(({ exact }) => exact)) return 'allowance';
  return missing.length === 0 && consents(draft, input) ? null : 'consent';
}

/** True when somebody agreed to what the change takes away or interrupts. */
function consents(draft: Draft, input: PlanInput): boolean {
  const { change, consented } = draft;
  if (input.consent === 'reviewed') return true;
  const needed = consentsTo(change);
  const allow = draft.isGuess ? namingLiterally(draft, input.allow) : input.allow;
  if (!needed.every((word) => isNamed(draft, [word], allow)) && !consented) return false;
  return input.consent === 'unattended' || harmsNobody(change);
}

/** True for what may run although nobody has seen it. */
function harmsNobody({ action, impact }: Change): boolean {
  return impact.every(
    (word) => word === 'none' || word === 'secret_created' || (word === 'cold_start' && action === 'create'),
  );
}

function isGranted({ addresses, exact }: NeededAllowance, draft: Draft, allow: readonly Allowance[]): boolean {
  const actions = ['*', draft.change.action, ...(exact ? [draft.scope.rules.removal] : [])];
  return allow.some(
    ({ action, address }) =>
      actions.includes(action) && addresses.some((one) => (exact ? address === one : matchesGlob(address, one))),
  );
}

/** Those that write its address out, in the file's words or by its id. */
function namingLiterally({ change, scope }: Draft, allow: readonly Allowance[]): readonly Allowance[] {
  const names = addressesOf(change, scope.label);
  return allow.filter(({ address }) => names.includes(address));
}

/** True when an allowance names this change; `restart` names everything that restarts its resource. */
export function isAllowed(draft: Draft, allow: readonly Allowance[]): boolean {
  const restarts = draft.restarts && !removes(draft.change) ? ['restart'] : [];
  return isNamed(draft, [draft.change.action, ...consentsTo(draft.change), ...restarts], allow);
}

function isNamed(draft: Draft, words: readonly string[], allow: readonly Allowance[]): boolean {
  const names = addressesOf(draft.change, draft.scope.label);
  return allow.some(
    ({ action, address }) =>
      (action === '*' || words.includes(action)) && names.some((name) => matchesGlob(address, name)),
  );
}
