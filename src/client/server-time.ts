// What time it is at the service: its replies tell (`Date`), and all rules of time go by that, whatever this machine's clock says.
import type { Clock } from '../base/time/clock.ts';
import { humanDuration } from '../base/time/duration.ts';

/** `uncertainty`: why that is not known, in words; `nowMs` is what its replies tell even so, and this machine's time where they tell none, or several. */
export interface ServerTime {
  readonly nowMs: number;
  readonly uncertainty: string | null;
}

/** The head of a reply; names in lower case. */
interface Head {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** When a request went out and when its reply was there, monotonic. */
interface Trip {
  readonly sentMs: number;
  readonly receivedMs: number;
}

export interface ServerClock {
  /** Takes in what a reply tells. */
  observe(reply: Head, trip: Trip): void;
  now(): ServerTime;
}

/** Replies may tell times that differ: a service has several machines, and proxies may stamp replies. Beyond this difference none is believed. */
const UNSTEADY_MS = 60_000;
/** Where the service's clock and this machine's differ by more, one of them is broken, and nothing tells which. */
export const MOST_SKEW_MS = 86_400_000;
/** `Date` tells whole seconds. */
const SECOND_MS = 1000;

/** What a local control plane adds to its replies while its clock is set forward or stands still. */
const SET_CLOCK_HEADER = 'x-trueup-clock';

/** The service's clock as the replies of one run show it. `mayBeSet`: a service of this machine, which is believed that its clock is set. */
export function createServerClock(
  clock: Clock,
  { mayBeSet = false }: { readonly mayBeSet?: boolean } = {},
): ServerClock {
  // The service's time less the monotonic one lies between these two, by each reply that was observed.
  let leastMs = -Infinity;
  let mostMs = Infinity;
  let isSet = false;
  let stepMs = clock.nowMs() - clock.monotonicMs();
  // While a machine sleeps, its monotonic clock may stand still: bounds from before say nothing then.
  const forgetWhereStepped = (): void => {
    const nowMs = clock.nowMs() - clock.monotonicMs();
    if (Math.abs(nowMs - stepMs) > SECOND_MS) [leastMs, mostMs] = [-Infinity, Infinity];
    stepMs = nowMs;
  };
  return {
    observe({ status, headers }, { sentMs, receivedMs }) {
      const reportedMs = status < 300 && headers['age'] === undefined ? Date.parse(headers['date'] ?? '') : Number.NaN;
      forgetWhereStepped();
      if (Number.isNaN(reportedMs)) return;
      const wasSet = isSet;
      isSet = mayBeSet && headers[SET_CLOCK_HEADER] === 'set';
      // A clock that may be set at any time is as its last reply shows it.
      if (isSet || wasSet) [leastMs, mostMs] = [-Infinity, Infinity];
      leastMs = Math.max(leastMs, reportedMs - receivedMs);
      mostMs = Math.min(mostMs, reportedMs + SECOND_MS - sentMs);
    },
    now() {
      forgetWhereStepped();
      const monotonicMs = clock.monotonicMs();
      const ownMs = clock.nowMs();
      const untold = (uncertainty: string): ServerTime => ({ nowMs: ownMs, uncertainty });
      if (leastMs === -Infinity) return untold('its replies have no date');
      if (leastMs - mostMs > UNSTEADY_MS)
        return untold(`the dates of its replies differ by ${humanDuration(Math.round(leastMs - mostMs))}`);
      const offsetMs = leastMs > mostMs ? (leastMs + mostMs) / 2 : within(ownMs - monotonicMs, leastMs, mostMs);
      const nowMs = Math.round(monotonicMs + offsetMs);
      const skewMs = nowMs - ownMs;
      if (isSet || Math.abs(skewMs) <= MOST_SKEW_MS) return { nowMs, uncertainty: null };
      const side = skewMs < 0 ? 'behind' : 'ahead of';
      return { nowMs, uncertainty: `its clock is ${humanDuration(Math.abs(skewMs))} ${side} this machine's` };
    },
  };
}

/** This machine's own time where the replies allow that: then a plan reads the same as before. */
function within(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
