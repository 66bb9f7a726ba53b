// Time limits and pauses: for lists and logs that lag, for polling operations, and for the pace of requests.

/**
 * The longest time after a request until the log shows its operation. Public clients have seen lags of a few seconds (api-rules 7.10).
 * The outcome of an operation that appears later is not known.
 */
export const LOG_LAG_MS = 10_000;

/**
 * Pauses between readings of an account that does not show a finished change yet: lists lag behind replies by a few seconds. They are
 * 15.5 s together; the first reading that shows everything ends them.
 */
export const SETTLE_PAUSES_MS: readonly number[] = [500, 1000, 2000, 4000, 4000, 4000];

/** The default of the longest time that a step waits for its operations: a large restore takes minutes. */
export const STEP_TIMEOUT_MS = 600_000;

/** The time for open requests and the last reading after a hard stop or the run's deadline: process managers kill after 10 s. */
export const FINISH_MS = 8000;

/** The part of `FINISH_MS` for sinks; in the rest, a secret that was not stored must still be removed. */
export const STORE_MS = 5000;

/** The pause between polls that the service recommends (api-rules 7.8); two polls that prove a failure need not be further apart. */
export const POLL_INTERVAL_MS = 5000;

/** The age at which an operation of unknown duration is polled first, and the least pause after that: most operations take longer. */
export const FIRST_LOOK_MS = 300;

/** The next poll comes after this share of the operation's age, so its end is noticed late by at most a third of its duration. */
export const LOOK_STEP_SHARE: number = 1 / 3;

/** Added to the usual duration of an operation, because the reply that names the operation takes time too. */
export const END_MARGIN_MS = 20;

/** Polls that are due within this time are made together, because operations that started together end together. */
export const TOGETHER_MS = 500;

/** The pause after a 423 before the first poll, because the log may look quiet too early; it grows each time that the log misleads. */
export const QUIET_PAUSE_MS = 300;

/** If a project answers 423 again within this time after its log looked quiet, the log has misled. */
export const QUIET_STREAK_MS = 2000;

/** The longest time until lists show what a reply confirmed. */
export const LIST_LAG_MS = 30_000;

/** The pause between readings of an account while a recent request may still appear in a list. */
export const YOUNG_PAUSE_MS = 2000;

/** The pause before the next attempt to test or remove a new secret: some servers need a second or two to learn a new key. */
export const SECRET_PAUSE_MS = 2000;

/** The longest wait until a list shows what a reply lacks about a secret; shorter at the end of a run, because storing needs the time. */
export const RECORD_WAIT_MS: { readonly most: number; readonly atEnd: number } = { most: 5000, atEnd: 1000 };

/** The least time to store a secret, even if it arrives at the end of its step. */
export const STORE_LEAST_MS = 5000;

/** Requests may arrive this much closer together than they were sent, so the pace counts periods that are this much longer. */
export const TRAVEL_MS = 100;

/** In any second, the service accepts a fifteenth of the requests of a minute (api-rules 12.7). */
export const BURSTS_IN_A_MINUTE = 15;

/** Further 429 replies within this time answer requests from before the first one, so together they count once. */
export const COMPLAINT_GAP_MS = 1000;

/** The time in which the pace would recover from zero; a halved pace needs half of it. */
export const COMPLAINT_RECOVERY_MS = 120_000;

/** Servers and proxies may stamp replies with different times. Beyond this difference, none of these times is trusted. */
export const UNSTEADY_MS = 60_000;

/** Beyond this difference between the service's clock and this machine's, one of the two is broken. */
export const MOST_SKEW_MS = 86_400_000;

/** The least share of the pace that remains after any number of 429 replies, so that a run still ends. */
export const SLOWEST_SHARE: number = 1 / 16;
