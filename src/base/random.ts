// The only source of chance: ids, jitter and seeded faults draw from a Random.
import { randomBytes } from 'node:crypto';

export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** `length` random bytes, fit for secrets when the source is `systemRandom`. */
  bytes(length: number): Uint8Array;
}

export const systemRandom: Random = {
  next: () => randomBytes(6).readUIntBE(0, 6) / 2 ** 48,
  bytes: (length) => randomBytes(length),
};

/** A repeatable source: the same seed gives the same draws (mulberry32). Not for secrets. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { next, bytes: (length) => Uint8Array.from({ length }, () => Math.floor(next() * 256)) };
}
