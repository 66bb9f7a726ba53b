// Bounds of the files: a larger input is refused before it costs time or memory.

/** The most bytes of one file, and of all files of a run. */
export const MAX_FILE_BYTES: number = 64 * 1024 * 1024;
/** The default bound of entries and list items in all files. */
const MAX_ENTRIES = 250_000;
export const MAX_DEPTH = 64;
/** The most nodes in all files, after the expansion of aliases, merge keys and profiles. */
export const MAX_EXPANDED_NODES = 1_000_000;
export const MAX_SCALAR_LENGTH: number = 64 * 1024;
export const MAX_PROBLEMS = 1000;

/** The most characters that variables add to all files. */
const MAX_WRITTEN: number = 16 * 1024 * 1024;

export interface Budget {
  readonly maxEntries: number;
  entries: number;
  nodes: number;
  written: number;
}

/** A higher bound of entries raises the other bounds in proportion. */
export function newBudget(maxEntries: number = MAX_ENTRIES): Budget {
  const share = shareOf(maxEntries);
  return { maxEntries, entries: maxEntries, nodes: MAX_EXPANDED_NODES * share, written: MAX_WRITTEN * share };
}

export function shareOf(maxEntries: number = MAX_ENTRIES): number {
  return Math.max(1, maxEntries / MAX_ENTRIES);
}

export function tooManyEntries({ maxEntries }: Budget): string {
  return `more than ${maxEntries.toLocaleString('en-US')} entries in the files of this run`;
}
