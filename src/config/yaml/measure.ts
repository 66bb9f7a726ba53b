// Counts the entries, depth, lengths and pieces of a text while it is parsed, and stops at the first excess.
import { MAX_DEPTH, MAX_SCALAR_LENGTH } from '../limits.ts';
import { syntaxOf, type YamlToken } from './yaml-package.ts';

type ExcessCode = 'too_deep' | 'too_many_entries' | 'too_long' | 'too_complex';

export interface Excess {
  readonly code: ExcessCode;
  readonly at: number;
}

/** The maximum length of a scalar over several lines, as written: its indentation and folded lines count too. */
const MAX_WRITTEN_LENGTH: number = MAX_SCALAR_LENGTH * 64;
/** Marks, values, line breaks, comments and blanks take memory: a text may have this many beyond those of its entries. */
const SPARE_PIECES = 200_000;
/** The parser builds a text character by character, so this many characters cost as much as one piece. */
const CHARACTERS_OF_A_PIECE = 4;
const PIECES_OF_AN_ENTRY = 20;

/** The character that the lexer emits before a scalar. */
const SCALAR = '\u001f';
const FILLER = /^[ \t\n\r#]/;

export function measuredSyntax(text: string, maxEntries: number): readonly YamlToken[] | Excess {
  const count: Record<string, number> = { ':': 0, ',': 0, '-': 0 };
  let pieces = 0;
  let isScalar = false;
  return syntaxOf(text, (lexeme, depth): ExcessCode | null => {
    const wasScalar = isScalar;
    isScalar = !wasScalar && lexeme === SCALAR;
    if (isScalar) return null;
    const isText = wasScalar || !FILLER.test(lexeme);
    pieces += 1 + (isText ? lexeme.length / CHARACTERS_OF_A_PIECE : 0);
    const most = lexeme.includes('\n') ? MAX_WRITTEN_LENGTH : MAX_SCALAR_LENGTH + 2;
    if (isText && lexeme.length > most) return 'too_long';
    if (depth > MAX_DEPTH) return 'too_deep';
    const known = wasScalar || lexeme.length > 1 ? undefined : count[lexeme];
    if (known !== undefined) count[lexeme] = known + 1;
    const entries = (count['-'] ?? 0) + Math.max(count[':'] ?? 0, count[','] ?? 0);
    if (entries > maxEntries) return 'too_many_entries';
    return pieces > SPARE_PIECES + PIECES_OF_AN_ENTRY * entries ? 'too_complex' : null;
  });
}
