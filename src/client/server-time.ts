// What time it is at the service: its replies tell (`Date`), and all rules of time go by that, whatever this machine's clock says.
import type { Clock } from '../base/time/clock.ts';
import { humanDuration } from '../base/time/duration.ts';
import { MOST_SKEW_MS, UNSTEADY_MS } from './timing.ts';

/** The head of a reply; names in lower case. */
interface Head {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ServerClock {
  /** Takes in what a reply tells that took so long. */
  readonly observe: (reply: Head, tookMs: number) => void;
  /** The service's time by its newest reply, this machine's before that. */
  readonly nowMs: () => number;
  /** Why that time is not to be relied on, in words; null where it is. */
  readonly doubt: () => string | null;
}

/** `Date` tells whole seconds. */
const SECOND_MS = 1000;

/** What a local control plane adds to its replies while its clock is set forward or stands still. */
const SET_CLOCK_HEADER = 'x-trueup-clock';

/** The service's clock as the replies of one run show it. `mayBeSet`: a service of this machine, which is believed that its clock is set. */
export function createServerClock(
  clock: Clock,
  { mayBeSet = false }: { readonly mayBeSet?: boolean } = {},
): ServerClock {
  /** The service's time less this machine's; null before a reply has told it. */
  let skewMs: number | null = null;
  let isSet = false;
  let widestMs = 0;
  return {
    observe({ status, headers }, tookMs) {
      const toldMs = status < 300 && headers['age'] === undefined ? Date.parse(headers['date'] ?? '') : Number.NaN;
      if (Number.isNaN(toldMs)) return;
      const leastMs = toldMs - clock.nowMs();
      // This machine's own time where the reply allows that: then a plan reads the same as before.
      const seenMs = Math.min(Math.max(0, leastMs), leastMs + SECOND_MS + tookMs);
      const wasSet = isSet;
      isSet = mayBeSet && headers[SET_CLOCK_HEADER] === 'set';
      // A clock that may be set at any time is as its last reply shows it.
      if (skewMs !== null && !isSet && !wasSet) widestMs = Math.max(widestMs, Math.abs(seenMs - skewMs));
      skewMs = seenMs;
    },
    nowMs: () => Math.round(clock.nowMs() + (skewMs ?? 0)),
    doubt() {
      if (skewMs === null) return 'the replies of the service have no date';
      if (widestMs > UNSTEADY_MS) return `the dates of the service's replies differ by ${humanDuration(widestMs)}`;
      if (isSet || Math.abs(skewMs) <= MOST_SKEW_MS) return null;
      return `the clock of the service is ${humanDuration(Math.abs(skewMs))} ${skewMs < 0 ? 'behind' : 'ahead of'} the clock of this machine`;
    },
  };
}
