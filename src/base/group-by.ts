// Groups items by a key; groups and their items keep the order in which they came.

export function groupBy<T, K = string>(items: readonly T[], keyOf: (item: T) => K): Map<K, [T, ...T[]]> {
  const groups = new Map<K, [T, ...T[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** Pairs the first item of each key with every later item of that key; items whose key is null are left out. */
export function repeatsIn<T>(items: Iterable<T>, keyOf: (item: T) => string | null): readonly (readonly [T, T])[] {
  const firsts = new Map<string, T>();
  const repeats: (readonly [T, T])[] = [];
  for (const item of items) {
    const key = keyOf(item);
    if (key === null) continue;
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, item);
    else repeats.push([first, item]);
  }
  return repeats;
}

export function groupWithin<T extends { readonly kind: string }>(
  items: readonly T[],
  keyOf: (item: T) => string,
): ReadonlyMap<string, ReadonlyMap<string, readonly T[]>> {
  return new Map([...groupBy(items, ({ kind }) => kind)].map(([kind, own]) => [kind, groupBy(own, keyOf)]));
}
