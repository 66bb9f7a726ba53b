// The assumptions of the client about the limits of the service.

/** Requests that leave a second apart can arrive closer together. */
export const TRAVEL_MS = 100;

/** The service limits bursts (api-rules 12.7) to a fifteenth of the requests of a minute in any second. */
export const BURSTS_IN_A_MINUTE = 15;

/** Complaints within this time concern requests before the first complaint, and count as one. */
export const COMPLAINT_GAP_MS = 1000;

/** A halved pace recovers in half of this time. */
export const COMPLAINT_RECOVERY_MS = 120_000;

/** Machines of a service and proxies stamp replies with different times. Beyond this difference, none is believed. */
export const UNSTEADY_MS = 60_000;

/** Beyond this difference between the service and this machine, one of the two clocks is broken. */
export const MOST_SKEW_MS = 86_400_000;

/** This share of the pace remains after any number of complaints, so that a run ends. */
export const SLOWEST_SHARE: number = 1 / 16;
