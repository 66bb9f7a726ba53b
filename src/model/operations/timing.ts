// Sets time limits and pauses: for lists and logs that lag, for polling operations, and for the pace of requests.

/**
 * The longest time between a request and the appearance of its operation in the log. Public clients have seen lags of a few seconds
 * (api-rules 7.10). If an operation appears later, its outcome is not known.
 */
export const LOG_LAG_MS = 10_000;

/**
 * Pauses before the account is read again because lists do not show a finished change yet. The pauses last 15.5 s together. Once the lists
 * show all finished changes, no further pause follows.
 */
export const SETTLE_PAUSES_MS: readonly number[] = [500, 1000, 2000, 4000, 4000, 4000];

/** The default for how long a step waits for its operations: a large restore takes minutes. */
export const STEP_TIMEOUT_MS = 600_000;

/** How long open requests and the last reading may take after a hard stop or the run's deadline: process managers often kill after 10 s. */
export const FINISH_MS = 8000;

/** The part of `FINISH_MS` in which sinks may store secrets; the rest is for removing a secret that was not stored. */
export const STORE_MS = 5000;

/** The pause between polls that the service recommends (api-rules 7.8). Two polls this far apart also suffice to prove a failure. */
export const POLL_INTERVAL_MS = 5000;

/** The age at which an operation of unknown duration is first polled, and the least pause until the next poll: most operations take longer. */
export const FIRST_LOOK_MS = 300;

/** The pause until the next poll as a share of the operation's age: trueup notices the end late by at most a third of the duration. */
export const LOOK_STEP_SHARE: number = 1 / 3;

/** The time added to an operation's usual duration, because the reply that names the operation takes time, too. */
export const END_MARGIN_MS = 20;

/** Polls that fall due within this time are made together, because operations that started together end together. */
export const TOGETHER_MS = 500;

/** The pause between a 423 and the first poll, because the log may not show the locking operation yet. Each misleading log doubles the pause. */
export const QUIET_PAUSE_MS = 300;

/** The log was misleading if a project answers 423 again within this time after the log showed no running operation. */
export const QUIET_STREAK_MS = 2000;

/** The longest time until lists show what a reply confirmed. */
export const LIST_LAG_MS = 30_000;

/** The pause between readings while lists may not show the effect of a recent request yet. */
export const YOUNG_PAUSE_MS = 2000;

/** The pause before trueup again tries to test or remove a new secret: some servers need a second or two to learn a new key. */
export const SECRET_PAUSE_MS = 2000;

/** The longest wait for a list to show facts that the reply with a new secret lacks: `most`, or less near a run's end, but at least `atEnd`. */
export const RECORD_WAIT_MS: { readonly most: number; readonly atEnd: number } = { most: 5000, atEnd: 1000 };

/** Storing a secret gets at least this time, even if the secret arrives at the end of its step. */
export const STORE_LEAST_MS = 5000;

/** Requests may arrive this much closer together than they were sent, so the pace counts periods that are this much longer. */
export const TRAVEL_MS = 100;

/** In any second, the service accepts at most a fifteenth of its limit for a minute (api-rules 12.7). */
export const BURSTS_IN_A_MINUTE = 15;

/** 429 replies within this time count once, because all of them answer requests that were sent before the first 429 arrived. */
export const COMPLAINT_GAP_MS = 1000;

/** The time in which the pace grows from zero to full; a halved pace needs half of this time. */
export const COMPLAINT_RECOVERY_MS = 120_000;

/** Servers and proxies may stamp replies with different times; if the times differ by more than this, trueup trusts none of them. */
export const UNSTEADY_MS = 60_000;

/** If the service's clock and this machine's differ by more than this, one of them is broken, and trueup takes the time as unknown. */
export const MOST_SKEW_MS = 86_400_000;

/** The smallest share of the pace that 429 replies can leave, so that a run still ends. */
export const SLOWEST_SHARE: number = 1 / 16;
