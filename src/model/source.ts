// Places in the user's files.

/** A place in a text: line and column count from 1, offset from 0 (UTF-16 code units). */
export interface Position {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}

/** A stretch of one file; `file` is the name as the user gave it, `-` for stdin. */
export interface SourceRange {
  readonly file: string;
  readonly start: Position;
  readonly end: Position;
}

/** The text of every file that was read, by name: code frames are cut from it. */
export type Sources = ReadonlyMap<string, string>;
