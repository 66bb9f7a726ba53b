// Derives the service's time from the `Date` of its replies. All rules about time use it, so that a wrong local clock does no harm.
import type { Clock } from '../base/time/clock.ts';
import { humanDuration } from '../base/time/duration.ts';
import { MOST_SKEW_MS, UNSTEADY_MS } from '../model/operations/timing.ts';

interface Head {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ServerClock {
  readonly observe: (reply: Head, tookMs: number) => void;
  /** Before the first reply, the time of this machine. */
  readonly nowMs: () => number;
  readonly doubt: () => string | null;
}

const SECOND_MS = 1000;

/** A local control plane sends this header while its clock is set by hand. */
const SET_CLOCK_HEADER = 'x-trueup-clock';

/** `mayBeSet`: true for a service on this machine; only such a service may say that its clock is set. */
export function createServerClock(
  clock: Clock,
  { mayBeSet = false }: { readonly mayBeSet?: boolean } = {},
): ServerClock {
  /** The service's time minus this machine's; null before the first reply. */
  let skewMs: number | null = null;
  let isSet = false;
  let widestMs = 0;
  return {
    observe({ status, headers }, tookMs) {
      const toldMs = status < 300 && headers['age'] === undefined ? Date.parse(headers['date'] ?? '') : Number.NaN;
      if (Number.isNaN(toldMs)) return;
      const leastMs = toldMs - clock.nowMs();
      // The smallest difference between the clocks that the reply's `Date` (whole seconds) allows, so that rounding does not change plans.
      const seenMs = Math.min(Math.max(0, leastMs), leastMs + SECOND_MS + tookMs);
      const wasSet = isSet;
      isSet = mayBeSet && headers[SET_CLOCK_HEADER] === 'set';
      // A clock that is set by hand may jump at any time.
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
