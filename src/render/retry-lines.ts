// Retries as lines for people: each of a write, and of reads, which fail by the dozen when a host is gone, one now and then.
import type { ApplyEvent } from '../model/event.ts';
import { eventSentence, retryCause } from './event-words.ts';

type Retry = Extract<ApplyEvent, { readonly type: 'retry' }>;

/** Shorter first retries are not worth a line. */
const QUIET_RETRY_MS = 2_000;
/** After a first line for a cause, at most one line about reads in this time. */
const READS_EVERY_MS = 5_000;
/** A service that gives each failure words of its own has told enough causes by then. */
const MOST_CAUSES = 8;

/** False for what will be over before anybody has read of it. */
function isWorthALine({ attempt, delayMs }: Retry): boolean {
  return attempt > 2 || delayMs >= QUIET_RETRY_MS;
}

/** Gives the sentence to print for each retry of a run, or null; all of them when verbose. */
export function retryTeller(verbose: boolean): (event: Retry) => string | null {
  const causes = new Set<string>();
  let toldAtMs = -Infinity;
  let untold = 0;
  return (event) => {
    if (verbose) return eventSentence(event);
    if (!isWorthALine(event)) return null;
    if (event.method !== 'GET') return eventSentence(event);
    const cause = retryCause(event);
    const isNew = !causes.has(cause) && causes.size < MOST_CAUSES;
    if (!isNew && event.atMs - toldAtMs < READS_EVERY_MS) {
      untold++;
      return null;
    }
    const others = untold === 0 ? '' : ` (and ${untold} more repeats of reads since the last such line; -v lists them)`;
    causes.add(cause);
    toldAtMs = event.atMs;
    untold = 0;
    return eventSentence(event) + others;
  };
}
