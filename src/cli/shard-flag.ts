// The word after `--shard`: which part of how many.
import { UsageError } from './usage-error.ts';

/** The part `index` of `count`; both count from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

const MOST_SHARDS = 1000;

/** Reads `I/N`. Throws UsageError for anything else. */
export function parseShard(word: string): Shard {
  const parts = /^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(word);
  const index = Number(parts?.[1]);
  const count = Number(parts?.[2]);
  if (parts === null || index > count || count > MOST_SHARDS)
    throw new UsageError('--shard takes I/N, such as 1/4 to 4/4', `N is at most ${MOST_SHARDS}.`);
  return { index, count };
}
