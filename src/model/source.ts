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
  /** The profile that it stands in, where it serves what is declared elsewhere. */
  readonly profile?: string;
  /** The place that it wins over, where an overlay says something else. */
  readonly over?: SourceRange;
}

/** The text of every file that was read, by name: code frames are cut from it. */
export type Sources = ReadonlyMap<string, string>;
