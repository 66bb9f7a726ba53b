// How much of what is large the slow lane plays: a sample in continuous integration, all of it at night.

/** `FULL_SIZE=1` plays all. */
export const isFullSize: boolean = process.env['FULL_SIZE'] === '1';

/** One of so many of these, always the same; at full size all. */
export function sampleOf<T>(items: readonly T[], oneIn: number): readonly T[] {
  return isFullSize ? items : items.filter((_, at) => at % oneIn === 0);
}
