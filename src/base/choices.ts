// Choices among a few things.

/** Every choice of one way for each thing; null chooses nothing for it. There are as many as the product of their numbers. */
export function choicesOf<T extends object>(ways: readonly (readonly (T | null)[])[]): readonly (readonly T[])[] {
  return ways.reduce<readonly (readonly T[])[]>(
    (some, own) => some.flatMap((chosen) => own.map((way) => (way === null ? chosen : [...chosen, way]))),
    [[]],
  );
}
