// Choices of some of a few things.

/** Every choice of some of them, from none to all: the shorter ones first. There are 2 to the power of their number. */
export function choicesOf<T>(items: readonly T[]): readonly (readonly T[])[] {
  const all = items.reduce<readonly (readonly T[])[]>(
    (some, item) => [...some, ...some.map((chosen) => [...chosen, item])],
    [[]],
  );
  return all.toSorted((a, b) => a.length - b.length);
}
