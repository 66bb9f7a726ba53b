// Rules of seed files: their times, and the errors of inconsistent ones.
import { parseDurationMs } from '../../base/time/duration.ts';
import { parseWrittenTimeMs } from '../../base/time/instant.ts';

/** Inconsistent seed data: a duplicate id, a branch that is not there, two primaries on one branch. */
export class WorldError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WorldError';
  }
}

/** Turns the times of seed data into milliseconds; relative ones count from the start. */
export function worldTimeMs(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  if (!text.startsWith('-')) {
    const ms = parseWrittenTimeMs(text);
    if (ms === undefined) throw new WorldError(`${text} is not a time`);
    return ms;
  }
  const agoMs = parseDurationMs(text.slice(1));
  if (agoMs === undefined) throw new WorldError(`${text} is not a time`);
  return nowMs - agoMs;
}

/** The same of a time to come: relative ones have no sign. */
export function timeToCome(text: string, nowMs: number): number {
  const inMs = parseDurationMs(text);
  return inMs === undefined ? (worldTimeMs(text, nowMs) ?? nowMs) : nowMs + inMs;
}
