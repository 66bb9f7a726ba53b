// The lease of a branch: renewed by any apply when less than half of it is left, so that what is declared does not run out.
import { isoTime } from '../../../base/time/clock.ts';
import { humanDuration } from '../../../base/time/duration.ts';
import type { KindRules } from '../../../plan/kind-rules.ts';

/** A lease that is to change in itself is sent by that change; one whose end nobody tells is left alone. */
export const lease: NonNullable<KindRules['upkeep']> = {
  mayNeed: ({ absent, spec }) => !absent && typeof spec['ttl_seconds'] === 'number',
  needs({ desired: { spec }, live, differs, isTimeUnknown, context: { nowMs } }) {
    const seconds = spec['ttl_seconds'];
    const expiresAt = live?.spec['expires_at'];
    if (typeof seconds !== 'number' || typeof expiresAt !== 'string' || differs || isTimeUnknown) return [];
    const wholeMs = seconds * 1000;
    const leftMs = Date.parse(expiresAt) - nowMs;
    if (Number.isNaN(leftMs) || leftMs >= wholeMs / 2) return [];
    const left = leftMs > 0 ? `${humanDuration(leftMs)} are left` : 'nothing is left';
    const reason = `of its lease of ${humanDuration(wholeMs)}, ${left}: it expires at ${isoTime(Date.parse(expiresAt))}`;
    return [{ action: 'renew', reasons: [reason], send: { ttl_seconds: seconds } }];
  },
};
