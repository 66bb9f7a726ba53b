// Medians of interleaved repetitions, and ratios to the floor of the same repetition.

/** The middle value; the lower one of two. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[(sorted.length - 1) >> 1];
}

/** Runs every job once per repetition, in turn: A B C A B C; resolves with an array of results per job. */
export async function interleaved(repetitions, jobs) {
  const results = jobs.map(() => []);
  for (let n = 0; n < repetitions; n++) for (const [at, job] of jobs.entries()) results[at].push(await job(n));
  return results;
}

/** Median of `value / floor` over the repetitions. */
export const ratio = (results, floors, of) => median(results.map((result, n) => of(result) / of(floors[n])));
