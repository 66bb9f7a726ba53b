// What the client assumes of the service's limits, in one place.

/** Requests do not all travel equally long: requests a second apart here may arrive closer together. */
export const TRAVEL_MS = 100;

/** A timer that is late by no more than this does not put off those after it. */
export const LATE_MS = 50;

/** The service limits bursts (api-rules 12.7): a fifteenth of a minute's requests may go in any one second. */
export const BURSTS_IN_A_MINUTE = 15;

/** Complaints that arrive within this time are about requests sent before the first of them, and count as one. */
export const COMPLAINT_GAP_MS = 1000;

/** A halved pace is whole again in half of this time. */
export const COMPLAINT_RECOVERY_MS = 120_000;

/** Replies may tell times that differ: a service has several machines, and proxies may stamp replies. Beyond this none is believed. */
export const UNSTEADY_MS = 60_000;

/** Where the service's clock and this machine's differ by more, one of them is broken, and nothing tells which. */
export const MOST_SKEW_MS = 86_400_000;

/** However often the service complains, this share of the pace is kept: a run must end. */
export const SLOWEST_SHARE: number = 1 / 16;
