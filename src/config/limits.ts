// How much the files may hold: beyond these bounds they are refused before they cost anything.

/** Of one file, and of all files of a run. */
export const MAX_FILE_BYTES: number = 64 * 1024 * 1024;
/** Map entries and list items of all files of a run, unless the operator allows more. */
const MAX_ENTRIES = 250_000;
export const MAX_DEPTH = 64;
/** Nodes of all files of a run after aliases, merge keys and profiles are expanded. */
export const MAX_EXPANDED_NODES = 1_000_000;
export const MAX_SCALAR_LENGTH: number = 64 * 1024;
/** Problems that are kept in one run; more are only counted. */
export const MAX_PROBLEMS = 1000;

/** Characters that the variables of a run may write into its files. */
const MAX_WRITTEN: number = 16 * 1024 * 1024;

/** What the files of a run may still hold. */
export interface Budget {
  readonly maxEntries: number;
  entries: number;
  nodes: number;
  /** Characters that variables may write. */
  written: number;
}

/** The bounds of a run; an operator may allow more entries, and in proportion all that comes of them. */
export function newBudget(maxEntries: number = MAX_ENTRIES): Budget {
  const share = shareOf(maxEntries);
  return { maxEntries, entries: maxEntries, nodes: MAX_EXPANDED_NODES * share, written: MAX_WRITTEN * share };
}

/** By how much more than usual is allowed. */
export function shareOf(maxEntries: number = MAX_ENTRIES): number {
  return Math.max(1, maxEntries / MAX_ENTRIES);
}

export function tooManyEntries({ maxEntries }: Budget): string {
  return `more than ${maxEntries.toLocaleString('en-US')} entries in the files of this run`;
}
