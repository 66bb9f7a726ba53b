// How much the files may hold: beyond these bounds they are refused before they cost anything.

export const MAX_FILE_BYTES: number = 64 * 1024 * 1024;
/** Map entries and list items of one file. */
export const MAX_ENTRIES = 250_000;
export const MAX_DEPTH = 64;
/** Nodes of one file after its aliases are expanded. */
export const MAX_EXPANDED_NODES = 1_000_000;
export const MAX_SCALAR_LENGTH: number = 64 * 1024;
/** Problems that are kept in one run; more are only counted. */
export const MAX_PROBLEMS = 10_000;
