// Parts of objects and lists: some of the members, or those that are set. A member that is undefined is never copied.

export function picked<T extends object, K extends keyof T>(from: T, names: readonly K[]): Pick<T, K> {
  const members: Partial<Pick<T, K>> = {};
  for (const name of names) if (from[name] !== undefined) members[name] = from[name];
  return members as Pick<T, K>;
}

export function defined<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined)) as T;
}

export function present<T extends object>(members: T): { readonly [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(members).filter(([, member]) => (member ?? null) !== null)) as {
    readonly [K in keyof T]?: NonNullable<T[K]>;
  };
}

/** Returns the items without those whose condition is false, as in `isSo && item`. */
export function listed<T>(...items: readonly (T | false | null | undefined)[]): T[] {
  return items.filter((item): item is T => item !== false && item !== null && item !== undefined);
}
