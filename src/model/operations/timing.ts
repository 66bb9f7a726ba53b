// Bounds and pauses for the lag of the service's readings and for looks at operations.

/**
 * The log shows an operation this long after its request at the latest. Public clients have seen lags of a few seconds
 * (api-rules 7.10). The outcome of an operation that shows later is not known.
 */
export const LOG_LAG_MS = 10_000;

/**
 * Pauses between looks at an account that does not show a finished change yet: lists lag behind replies by a few seconds. Together 15.5 s;
 * the first look that shows everything ends them.
 */
export const SETTLE_PAUSES_MS: readonly number[] = [500, 1000, 2000, 4000, 4000, 4000];

/** The longest that a step waits for its operations unless the user says otherwise: a large restore takes minutes. */
export const STEP_TIMEOUT_MS = 600_000;

/** Open requests and the last look have this long after a hard stop or the run's deadline: process managers kill after 10 s. */
export const FINISH_MS = 8000;

/** Sinks have this long of that time: a secret that was not stored must still be removed in the rest. */
export const STORE_MS = 5000;

/** The pause between looks that the service recommends (api-rules 7.8): two looks that agree on a failure are never further apart. */
export const POLL_INTERVAL_MS = 5000;

/** The first look at an operation of unknown duration comes after this time, and no step to the next is shorter: most operations take longer. */
export const FIRST_LOOK_MS = 300;

/** The next look comes when this share of the operation's age has passed: its end is noticed within a third of its duration. */
export const LOOK_STEP_SHARE: number = 1 / 3;

/** The reply that names an operation takes its way too, so the operation ends this long after its usual time. */
export const END_MARGIN_MS = 20;

/** Looks that are due within this time are made together: operations that started together end together. */
export const TOGETHER_MS = 500;

/** Right after a 423 the log may look quiet, so the first look waits this long, and longer each time that it was misled. */
export const QUIET_PAUSE_MS = 300;

/** A project that answers 423 again within this time after it looked quiet has misled the look. */
export const QUIET_STREAK_MS = 2000;

/** A list shows what a reply confirmed this long after the reply at the latest. An older request brings nothing more to a list. */
export const LIST_LAG_MS = 30_000;

/** An account is read again this often while a recent request may still show in a list. */
export const YOUNG_PAUSE_MS = 2000;

/** A test or a removal of a new secret is tried again after this time: a new key is unknown to some servers for a second or two. */
export const SECRET_PAUSE_MS = 2000;

/** A secret waits at most this long for the list to fill its record, and less at the end of a run: storing needs the time. */
export const RECORD_WAIT_MS: { readonly most: number; readonly atEnd: number } = { most: 5000, atEnd: 1000 };

/** A secret gets this long to be stored, however late in its step it came. */
export const STORE_LEAST_MS = 5000;
