// How far the service's readings may lag behind its replies.

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
