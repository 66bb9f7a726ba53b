// Positions and ranges in the user's files.

/** A position in a text: line and column count from 1, offset from 0 (UTF-16 code units). */
export interface Position {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}

/** A range of a file; `file` is the name as given, `-` for stdin. */
export interface SourceRange {
  readonly file: string;
  readonly start: Position;
  readonly end: Position;
  readonly profile?: string;
  /** The range of the overridden value, if this range is in an overlay. */
  readonly over?: SourceRange;
}

/** Source ranges; each key is the path of an attribute or option. */
export type SourceRanges = Readonly<Record<string, SourceRange>>;

/** The text of every file that was read, by file name, for excerpts in messages. */
export type Sources = ReadonlyMap<string, string>;
