// Judges the weekly windows in which disruptive steps may run.
import { canonicalJson, inOrderOf } from '../../base/json.ts';
import { isoTime } from '../../base/time/clock.ts';
import { scopeOf } from '../../model/address.ts';
import { covers, type SafetyLimits, type TimeWindow } from '../../model/desired.ts';
import { interrupts } from '../../model/outcome/impact.ts';
import { type Change, type CoveringWindows, type Plan, type Step, tallyOf } from '../../model/outcome/plan.ts';

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

/** Adds the next opening to each block of windows that a blocked change waits for. */
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

/** Returns the project's blocks of windows without an open window. At an unknown time (null), every window counts as closed. */
export function closedBlocks(
  blocks: readonly CoveringWindows[],
  project: string,
  nowMs: number | null,
): readonly CoveringWindows[] {
  const isOpen = (window: TimeWindow): boolean => nowMs !== null && isWithin(window, nowMs);
  return blocks.filter((block) => block.windows.length > 0 && covers(block, project) && !block.windows.some(isOpen));
}

export function isDisruptive(change: Change): boolean {
  return interrupts(change.impact);
}

/** Returns the windows that block `step` at `nowMs` (null if unknown), as the files write them. */
export function windowsAgainst(plan: Plan, step: Step, nowMs: number | null): readonly string[] {
  const change = plan.changes.find(
    ({ address, action, before, blockedBy }) =>
      address === step.address &&
      blockedBy.length === 0 &&
      (action === 'replace' || tallyOf({ action, before }) === step.action),
  );
  if (change === undefined || !isDisruptive(change)) return [];
  return closedBlocks(plan.windows, scopeOf(step.address), nowMs).flatMap(({ windows }) =>
    windows.map(({ text }) => text),
  );
}

export function isTimeZone(name: string): boolean {
  try {
    formatter(name);
    return true;
  } catch {
    return false;
  }
}

function localTime(timeZone: string, nowMs: number): { readonly weekday: number; readonly minute: number } {
  const parts = formatter(timeZone).formatToParts(nowMs);
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find((one) => one.type === type)?.value ?? '';
  const minute = (Number(part('hour')) * 60 + Number(part('minute'))) % MINUTES_A_DAY;
  return { weekday: WEEKDAYS.indexOf(part('weekday')), minute };
}

function formatter(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
}
