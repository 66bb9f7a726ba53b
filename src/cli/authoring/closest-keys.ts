// The keys that somebody may mean by a word that is no key: by their spelling, their parts, and their descriptions.
import { didYouMean } from '../../base/text/words.ts';
import { isChosen } from './explanation.ts';
import type { Place } from './schema-places.ts';

/** A key of the file with its description. */
export interface NamedKey {
  readonly key: string;
  readonly description: string;
}

const MOST = 6;
/** A shorter word is part of too many others. */
const SHORTEST = 3;

/** The keys closest to `word`, the likeliest first; none where nothing is like it. */
export function closestKeys(places: readonly Place[], word: string): readonly NamedKey[] {
  const wanted = (word.split('.').at(-1) ?? '').toLowerCase();
  const keys = places.flatMap(namedKey);
  const misspelt = didYouMean(wanted, new Set(keys.map(({ key }) => key)));
  const beginning = wanted.replace(/s$/, '');
  const found = new Map<string, { readonly one: NamedKey; readonly rank: number }>();
  for (const one of keys) {
    const rank = Math.min(rankOf(one, beginning), one.key === misspelt ? 1 : Infinity);
    if (rank < (found.get(one.key)?.rank ?? Infinity)) found.set(one.key, { one, rank });
  }
  return [...found.values()]
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MOST)
    .map(({ one }) => one);
}

function namedKey({ path, schema: { description } }: Place): readonly NamedKey[] {
  const key = path.at(-1);
  return key === undefined || isChosen(key) || typeof description !== 'string' ? [] : [{ key, description }];
}

/** A part of the key's name, else a word of its description: the earlier the word stands, the closer the key. */
function rankOf({ key, description }: NamedKey, beginning: string): number {
  if (beginning.length < SHORTEST) return Infinity;
  const parts = key.split('_');
  if (parts.includes(beginning)) return 0;
  if (parts.some((part) => part.startsWith(beginning))) return 1;
  const words = description.toLowerCase().split(/[^a-z0-9]+/);
  const at = words.findIndex((one) => one.startsWith(beginning));
  return at < 0 ? Infinity : 2 + at;
}
