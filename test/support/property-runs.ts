// How often a property is played: a quarter of its full size in the lanes, many times that at night.
import fc from 'fast-check';

/** `PROPERTY_RUNS=1` plays each property at its full size. */
const FACTOR = Number(process.env['PROPERTY_RUNS'] ?? 0.25);

/** The parameters of a property whose full size is `count` runs. */
export function runs(count: number): { readonly numRuns: number } {
  return { numRuns: Math.ceil(count * FACTOR) };
}

// A property that states no size has that of fast-check.
fc.configureGlobal(runs(100));
