// Some members of an object, by their names.

/** The members of these names, as far as they are there. */
export function picked<T extends object, K extends keyof T>(from: T, names: readonly K[]): Pick<T, K> {
  const members = names.map((name) => [name, from[name]] as const).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members) as Pick<T, K>;
}
