// Reads a change of the clock, as the admin interface and the console take it.
import { isJsonObject, type Json } from '../../base/json.ts';
import { parseDurationMs } from '../../base/time/duration.ts';
import { parseInstantMs } from '../../base/time/instant.ts';
import type { OwnClock } from '../../base/time/own-clock.ts';

/** Sets the clock forward, by a duration or to a time, and stops it or lets it go on. Throws RangeError. */
export function setClock(clock: OwnClock, body: Json): void {
  if (!isJsonObject(body)) throw new RangeError('the clock is an object with advance or now, and frozen');
  const { advance, now, frozen, ...rest } = body;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw new RangeError(`the clock has no member ${JSON.stringify(unknown)}`);
  if (advance !== undefined && now !== undefined) throw new RangeError('the clock is set by advance or to now');
  if (frozen !== undefined && typeof frozen !== 'boolean') throw new RangeError('frozen is true or false');
  if (advance !== undefined) clock.setForward(clock.nowMs() + advanceMs(advance));
  if (now !== undefined) clock.setForward(instantMs(now));
  if (frozen !== undefined) clock.freeze(frozen);
}

function instantMs(text: Json): number {
  const ms = typeof text === 'string' ? parseInstantMs(text) : undefined;
  if (ms === undefined) throw new RangeError('now is a time such as 2027-01-01T00:00:00Z');
  return ms;
}

function advanceMs(text: Json): number {
  const ms = typeof text === 'string' || typeof text === 'number' ? parseDurationMs(text) : undefined;
  if (ms === undefined) throw new RangeError('advance is a duration such as 90s, 5m, 24h or 7d');
  return ms;
}
