// How far the service's readings may lag behind its replies.

/**
 * The log shows an operation this long after its request at the latest. Public clients have seen lags of a few seconds
 * (api-rules 7.10). The outcome of an operation that shows later is not known.
 */
export const LOG_LAG_MS = 10_000;
