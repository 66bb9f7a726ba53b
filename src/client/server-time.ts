// The time of the service by the `Date` of its replies: all rules of time use it, so that a wrong clock here does no harm.
import type { Clock } from '../base/time/clock.ts';
import { humanDuration } from '../base/time/duration.ts';
import { MOST_SKEW_MS, UNSTEADY_MS } from './timing.ts';

/** Names are in lower case. */
interface Head {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ServerClock {
  readonly observe: (reply: Head, tookMs: number) => void;
  /** The time of this machine before the first reply. */
  readonly nowMs: () => number;
  /** Reason not to rely on that time, or null. */
  readonly doubt: () => string | null;
}

/** Resolution of `Date`. */
const SECOND_MS = 1000;

/** Header of a local control plane while its clock is set. */
const SET_CLOCK_HEADER = 'x-trueup-clock';

/** `mayBeSet`: only a service on this machine is believed that its clock is set. */
export function createServerClock(
  clock: Clock,
  { mayBeSet = false }: { readonly mayBeSet?: boolean } = {},
): ServerClock {
  /** The time of the service minus the time of this machine; null before the first reply. */
  let skewMs: number | null = null;
  let isSet = false;
  let widestMs = 0;
  return {
    observe({ status, headers }, tookMs) {
      const toldMs = status < 300 && headers['age'] === undefined ? Date.parse(headers['date'] ?? '') : Number.NaN;
      if (Number.isNaN(toldMs)) return;
      const leastMs = toldMs - clock.nowMs();
      // The time of this machine is kept if the reply allows it, so that equal plans stay equal.
      const seenMs = Math.min(Math.max(0, leastMs), leastMs + SECOND_MS + tookMs);
      const wasSet = isSet;
      isSet = mayBeSet && headers[SET_CLOCK_HEADER] === 'set';
      // A clock that is set can jump at any time.
      if (skewMs !== null && !isSet && !wasSet) widestMs = Math.max(widestMs, Math.abs(seenMs - skewMs));
      skewMs = seenMs;
    },
    nowMs: () => Math.round(clock.nowMs() + (skewMs ?? 0)),
    doubt() {
      if (skewMs === null) return 'the replies of the service have no Date header';
      if (widestMs > UNSTEADY_MS) return `the dates of the service's replies differ by ${humanDuration(widestMs)}`;
      if (isSet || Math.abs(skewMs) <= MOST_SKEW_MS) return null;
      return `the clock of the service is ${humanDuration(Math.abs(skewMs))} ${skewMs < 0 ? 'behind' : 'ahead of'} the clock of this machine`;
    },
  };
}
