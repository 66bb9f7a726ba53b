// The assumptions of the client about the limits of the service.

/** Two requests that are sent a second apart may arrive this much closer together. */
export const TRAVEL_MS = 100;

/** In any second, the service accepts a fifteenth of the requests of a minute (api-rules 12.7). */
export const BURSTS_IN_A_MINUTE = 15;

/** Further 429 replies within this time answer requests from before the first one, so together they count once. */
export const COMPLAINT_GAP_MS = 1000;

/** A halved pace recovers within half of this time. */
export const COMPLAINT_RECOVERY_MS = 120_000;

/** Servers and proxies may stamp replies with different times. Beyond this difference, none of these times is trusted. */
export const UNSTEADY_MS = 60_000;

/** Beyond this difference between the service's clock and this machine's, one of the two is broken. */
export const MOST_SKEW_MS = 86_400_000;

/** The least share of the pace that remains after any number of 429 replies, so that a run still ends. */
export const SLOWEST_SHARE: number = 1 / 16;
