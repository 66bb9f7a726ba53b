// `rotate`: when a new secret takes the place of an old one, by its age or by a time, whatever kind the secret is of.
import { isJsonObject, numberOf, type Json, type JsonObject } from '../../base/json.ts';
import { millisecondsOf } from '../../base/time/clock.ts';
import { parseDurationMs } from '../../base/time/duration.ts';
import type { EntryProblem } from '../../config/kind-section.ts';
import type { DesiredResource } from '../../model/desired.ts';
import { error } from './problems.ts';

export interface Rotation {
  /** Age at which a new secret is due; null = by age never. */
  readonly everyMs: number | null;
  /** A secret made before this time is replaced once it has passed. */
  readonly notBeforeMs: number | null;
}

const LEAST_MS = 3_600_000;

/** What is written, without what is refused; `what` are keys or passwords. */
export function rotationIn(
  { every, not_before: notBefore }: JsonObject,
  what: string,
  problems: EntryProblem[],
): { readonly everyMs?: number; readonly notBeforeMs?: number } {
  const everyMs = durationOf(every);
  const isTooOften = everyMs !== undefined && everyMs < LEAST_MS;
  if (isTooOften)
    problems.push(
      error(['rotate', 'every'], 'bad_duration', `${what} can be rotated once an hour at most`, {
        hint: 'For example 90d.',
      }),
    );
  const notBeforeMs = millisecondsOf(notBefore);
  return {
    ...(everyMs === undefined || isTooOften ? {} : { everyMs }),
    ...(notBeforeMs === null ? {} : { notBeforeMs }),
  };
}

/** As `parseDurationMs`; undefined also for what is no duration at all. */
export function durationOf(value: Json | undefined): number | undefined {
  return typeof value === 'string' || typeof value === 'number' ? parseDurationMs(value) : undefined;
}

/** As the section wrote it; null where nobody asks for one. */
export function rotationOf({ options: { rotate } }: Pick<DesiredResource, 'options'>): Rotation | null {
  if (!isJsonObject(rotate)) return null;
  return { everyMs: numberOf(rotate['everyMs']), notBeforeMs: numberOf(rotate['notBeforeMs']) };
}
