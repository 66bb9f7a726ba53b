// The bounds of one HTTP exchange: how long its parts may take and how much may come back.

export interface ExchangeLimits {
  readonly connectMs: number;
  /** From the first byte sent to the whole of the reply's headers. */
  readonly headersMs: number;
  /** Longest silence within a body. */
  readonly idleMs: number;
  /** From the first byte sent to the last one received. */
  readonly totalMs: number;
  /** Largest body of a reply to a GET: the lists of a large account. */
  readonly readBytes: number;
  /** Largest body of a reply to a write. */
  readonly writeBytes: number;
  readonly headerBytes: number;
}

const MIB = 1024 * 1024;

export const EXCHANGE_LIMITS: ExchangeLimits = {
  connectMs: 10_000,
  headersMs: 30_000,
  idleMs: 30_000,
  totalMs: 60_000,
  readBytes: 64 * MIB,
  writeBytes: 8 * MIB,
  headerBytes: 64 * 1024,
};
