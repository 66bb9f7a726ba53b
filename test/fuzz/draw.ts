// Draws of a fuzzer from one seed: the same seed makes the same input.
import { seededRandom } from '../../src/base/random.ts';

export interface Draw {
  /** A whole number from 0 to `below` - 1. */
  below(below: number): number;
  /** True in `share` of the draws. */
  chance(share: number): boolean;
  pick<T>(items: readonly T[]): T;
}

export function drawsOf(seed: number): Draw {
  const random = seededRandom(seed);
  const below = (count: number): number => Math.floor(random.next() * count);
  return {
    below,
    chance: (share) => random.next() < share,
    pick: <T>(items: readonly T[]): T => items[below(items.length)] as T,
  };
}
