// How much of what is large the tests play: a sample in both lanes, all of it at night.

/** `FULL_SIZE=1` plays all. */
export const isFullSize: boolean = process.env['FULL_SIZE'] === '1';

/** The size that a test has at full size, and otherwise. */
export function atFullSize(full: number, otherwise: number): number {
  return isFullSize ? full : otherwise;
}

/** One of so many of these, the same in every run; at full size all. */
export function sampleOf<T>(items: readonly T[], oneIn: number): readonly T[] {
  return isFullSize ? items : items.filter((_, at) => at % oneIn === 0);
}

/** The one of these whose turn it is; at full size all. */
export function inTurn<T>(items: readonly T[], turn: number): readonly T[] {
  return isFullSize ? items : items.slice(turn % items.length).slice(0, 1);
}
