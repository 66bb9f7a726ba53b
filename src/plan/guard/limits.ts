// Checks the limits under `safety`: an exceeded count blocks the whole plan; recent use of data, or closed weekly windows, block single changes.
import { RETENTION, type Address, scopeOf, aboveOf, retentionAddress } from '../../model/address.ts';
import { covers, type SafetyLimits, type TimeWindow } from '../../model/desired.ts';
import { DROP, interrupts, drops } from '../../model/outcome/impact.ts';
import {
  type Block,
  type ExceededLimit,
  type Change,
  type CoveringWindows,
  type IdleLimit,
  type Plan,
  type Step,
  tallyOf,
} from '../../model/outcome/plan.ts';
import { removes, type Draft } from '../diff/draft.ts';
import { isAllowed } from './consents.ts';
import type { PlanInput } from '../input.ts';
import { selectionOf } from '../selection.ts';
import { canonicalJson, inOrderOf } from '../../base/json.ts';
import { isoTime } from '../../base/time/clock.ts';

/** Below this many managed resources, a percentage is no useful limit. */
const PERCENT_FROM = 10;

export const LIMITS: ReadonlySet<string> = new Set<ExceededLimit['limit']>([
  'max_deletes',
  'max_drops',
  'max_restarts',
  'max_change_percent',
]);

/** Returns the limits that the changes in `runnable` exceed; the drafts in `all` show which resources are managed. */
export function exceededLimits(
  all: readonly Draft[],
  runnable: readonly Draft[],
  input: PlanInput,
): readonly ExceededLimit[] {
  const selects = selectionOf(input);
  const missing = new Set(all.filter(({ live }) => live === null).map(({ change }) => change.address));
  // Unread resources count as managed, too: without them, the same changes would be a larger percentage.
  const expected = input.desired.resources.filter(({ address }) => selects([address]) && !missing.has(address));
  const single = input.desired.safety.flatMap((block) => {
    // An allowance that a review gave does not lift a limit of the operator.
    const allow = input.allow.filter(({ byReview }) => block.isOperators !== true || byReview !== true);
    const within = runnable.filter(
      (draft) => covers(block, draft.scope.label) && !draft.consented && !isAllowed(draft, allow),
    );
    const deletes = within.filter(({ change }) => removes(change));
    const restarts = within.filter((draft) => countsAsRestart(draft) && !removes(draft.change));
    const changes = within.filter(({ change }) => change.action !== 'create');
    const managed = new Set([
      ...expected.flatMap(({ scope, address }) => (covers(block, scope) ? [address] : [])),
      ...addressesOf(all.filter(({ scope, live }) => covers(block, scope.label) && live !== null)),
    ]).size;
    return [
      ...exceeded(block, 'max_deletes', block.maxDeletes, deletes),
      ...exceeded(block, 'max_restarts', block.maxRestarts, firstBelowEachParent(restarts)),
      ...exceededShare(block, managed, changes),
    ];
  });
  return [...single, ...exceededDrops(runnable, input.desired.safety)];
}

/** True for a change that restarts its resource, or that interrupts clients in a kind with consent types. */
function countsAsRestart({ restarts, change }: Draft): boolean {
  return restarts || (change.consents !== undefined && interrupts(change.impact));
}

/** For kinds with consent types, keeps one change below each parent: such changes run back to back, so they interrupt clients once. */
function firstBelowEachParent(drafts: readonly Draft[]): readonly Draft[] {
  const seen = new Set<Address>();
  return drafts.filter(({ change, scope }) => {
    const place = scope.parent?.address;
    if (change.consents === undefined || place === undefined) return true;
    return !seen.has(place) && seen.add(place);
  });
}

/** Default of `max_drops`: how many drops allowances with a pattern may cover. */
export const MOST_DROPS = 1;

/** Returns the exceeded limits of drops. Drops by retention, and drops below a dropped resource, do not count. */
function exceededDrops(runnable: readonly Draft[], safety: readonly SafetyLimits[]): readonly ExceededLimit[] {
  const going = new Set(runnable.flatMap(({ change }) => (drops(change) ? [change.address] : [])));
  const counted = runnable.filter(
    ({ change }) =>
      change.origin !== RETENTION &&
      (change.consents ?? []).some(({ word, given }) => word === DROP && given === 'pattern') &&
      !aboveOf(change.address).some((above) => going.has(above)),
  );
  const said = safety.filter(({ maxDrops }) => maxDrops !== undefined);
  const isIn = (block: SafetyLimits, { scope }: Draft): boolean => covers(block, scope.label);
  const unsaid = counted.filter((draft) => !said.some((block) => isIn(block, draft)));
  return [
    ...said.flatMap((block) => {
      const within = counted.filter((draft) => isIn(block, draft));
      return exceeded(block, 'max_drops', block.maxDrops ?? MOST_DROPS, within);
    }),
    ...exceeded({ project: null }, 'max_drops', MOST_DROPS, unsaid),
  ];
}

function exceeded(
  block: Pick<SafetyLimits, 'project'>,
  limit: ExceededLimit['limit'],
  allowed: number | null,
  counted: readonly Draft[],
): ExceededLimit[] {
  const addresses = addressesOf(counted);
  if (allowed === null || counted.length <= allowed) return [];
  return [{ limit, project: block.project, allowed, planned: counted.length, addresses }];
}

function exceededShare(block: SafetyLimits, managed: number, below: readonly Draft[]): ExceededLimit[] {
  const addresses = addressesOf(below);
  if (block.maxChangePercent === null || managed < PERCENT_FROM) return [];
  if (addresses.length * 100 <= block.maxChangePercent * managed) return [];
  const planned = Math.round((addresses.length * 1000) / managed) / 10;
  return [{ limit: 'max_change_percent', project: block.project, allowed: block.maxChangePercent, planned, addresses }];
}

function addressesOf(drafts: readonly Draft[]): string[] {
  return [...new Set(drafts.map(({ change }) => change.address))].sort();
}

/** Returns the idle limits of all safety blocks and retention rules. */
export function idleLimitsOf({ safety, projects }: PlanInput['desired']): readonly IdleLimit[] {
  return [
    ...safety.flatMap(({ project, unlessIdleMs: ms }) => (ms === undefined ? [] : { project, ms })),
    ...projects.flatMap(({ label, retention = [] }) =>
      retention.map(({ name, idleForMs: ms }) => ({ project: label, rule: retentionAddress(label, name), ms })),
    ),
  ];
}

/** Returns the longest idle limit of a drop; null if there is none or the file consents. A retention rule has a limit of its own. */
export function idleLimitOf(
  limits: readonly IdleLimit[],
  { address, consents = [], origin }: Pick<Change, 'address' | 'consents' | 'origin'>,
): IdleLimit | null {
  const drop = consents.find(({ word }) => word === DROP);
  if (drop === undefined || drop.given === 'file') return null;
  const isOf = ({ project, rule }: IdleLimit): boolean =>
    rule === undefined
      ? origin !== RETENTION && covers({ project }, scopeOf(address))
      : origin === RETENTION && address.startsWith(`${rule}/`);
  return limits.filter(isOf).sort((a, b) => b.ms - a.ms)[0] ?? null;
}

/** Returns `not_idle` for a drop whose data was in use lately, or `clock_unknown` if `nowMs` is null (time not known); otherwise null. */
export function inUse(
  { change, live, scope }: Draft,
  limits: readonly IdleLimit[],
  nowMs: number | null,
): Block | null {
  const limit = live === null ? null : idleLimitOf(limits, change);
  if (live === null || limit === null) return null;
  if (nowMs === null) return 'clock_unknown';
  const lastMs = scope.rules.contents?.lastUse?.(live, scope.around, limit.rule !== undefined) ?? null;
  return lastMs !== null && nowMs - lastMs < limit.ms ? 'not_idle' : null;
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MINUTES_A_DAY = 24 * 60;

/** True if the window is open. A window whose end is at or before its start ends on the next day. */
export function isWithin(window: TimeWindow, nowMs: number): boolean {
  const { weekday, minute } = localTime(window.timeZone, nowMs);
  const on = (day: number): boolean => window.weekdays.length === 0 || window.weekdays.includes(day);
  if (window.startMinute < window.endMinute)
    return on(weekday) && minute >= window.startMinute && minute < window.endMinute;
  return (on(weekday) && minute >= window.startMinute) || (on((weekday + 6) % 7) && minute < window.endMinute);
}

/** Returns the windows of all safety blocks, sorted so that the order of the files does not matter. */
export function coveringWindows(limits: readonly SafetyLimits[]): CoveringWindows[] {
  return limits
    .flatMap(({ project, windows }) => (windows.length === 0 ? [] : [{ project, windows }]))
    .sort(inOrderOf(({ project, windows }) => [canonicalJson([project, ...windows.map(({ text }) => text)])]));
}

/** Adds `opensAt`, when the next window opens, to each safety block without an open window, if a change waits for one of its windows. */
export function withOpenings(
  blocks: readonly CoveringWindows[],
  changes: readonly Change[],
  nowMs: number,
): readonly CoveringWindows[] {
  const waiting = changes
    .filter(({ blockedBy }) => blockedBy.includes('window'))
    .map(({ address }) => scopeOf(address));
  return blocks.map((block) => {
    const isWaitedFor = block.project === null ? waiting.length > 0 : waiting.includes(block.project);
    if (!isWaitedFor || block.windows.some((window) => isWithin(window, nowMs))) return block;
    return { ...block, opensAt: isoTime(Math.min(...block.windows.map((window) => opensAtMs(window, nowMs)))) };
  });
}

const MINUTE_MS = 60_000;

/** Returns the next opening after `nowMs`, by the UTC offset that the time zone has at the opening. */
function opensAtMs(window: TimeWindow, nowMs: number): number {
  const { weekday, minute } = localTime(window.timeZone, nowMs);
  const soonest = WEEKDAYS.map((_, days) => days).concat(WEEKDAYS.length);
  const days = soonest.find((ahead) => {
    const isOn = window.weekdays.length === 0 || window.weekdays.includes((weekday + ahead) % WEEKDAYS.length);
    return isOn && ahead * MINUTES_A_DAY + window.startMinute > minute;
  });
  const ahead = (days ?? 0) * MINUTES_A_DAY + window.startMinute - minute;
  const openMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS + ahead * MINUTE_MS;
  const off = localTime(window.timeZone, openMs).minute - window.startMinute;
  const wrapped = ((off + MINUTES_A_DAY / 2 + MINUTES_A_DAY) % MINUTES_A_DAY) - MINUTES_A_DAY / 2;
  return openMs - wrapped * MINUTE_MS;
}

/** Returns the safety blocks that cover the project and have windows, but no open one. If the time is not known (null), none is open. */
export function closedBlocks(
  blocks: readonly CoveringWindows[],
  project: string,
  nowMs: number | null,
): readonly CoveringWindows[] {
  const isOpen = (window: TimeWindow): boolean => nowMs !== null && isWithin(window, nowMs);
  return blocks.filter((block) => covers(block, project) && !block.windows.some(isOpen));
}

/** Returns the windows that block `step` at `nowMs` (null if unknown), as the files write them. */
export function windowsAgainst(plan: Plan, step: Step, nowMs: number | null): readonly string[] {
  const change = plan.changes.find(
    ({ address, action, before, blockedBy }) =>
      address === step.address &&
      blockedBy.length === 0 &&
      (action === 'replace' || tallyOf({ action, before }) === step.action),
  );
  if (change === undefined || !interrupts(change.impact)) return [];
  return closedBlocks(plan.windows, scopeOf(step.address), nowMs).flatMap(({ windows }) =>
    windows.map(({ text }) => text),
  );
}

function localTime(timeZone: string, nowMs: number): { readonly weekday: number; readonly minute: number } {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(nowMs);
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find((one) => one.type === type)?.value ?? '';
  return { weekday: WEEKDAYS.indexOf(part('weekday')), minute: Number(part('hour')) * 60 + Number(part('minute')) };
}
