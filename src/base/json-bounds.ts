// A look at JSON text before it is parsed: whether it holds more, or deeper, than a file that people hand in may hold.

const MAX_DEPTH = 200;
const MAX_VALUES = 4_000_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const LIST_BEGIN = 0x5b;
const LIST_END = 0x5d;
const OBJECT_BEGIN = 0x7b;
const OBJECT_END = 0x7d;

/** Why the text must not be parsed, in words; null when it may be. */
export function jsonExcess(text: string): string | null {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) at = endOfString(text, at);
    else if (character === LIST_BEGIN || character === OBJECT_BEGIN) {
      values++;
      if (++depth > MAX_DEPTH) return `it is nested deeper than ${MAX_DEPTH} levels`;
    } else if (character === LIST_END || character === OBJECT_END) depth--;
    else if (character === COMMA) values++;
    if (values > MAX_VALUES) return `it holds more than ${MAX_VALUES.toLocaleString('en-US')} values`;
  }
  return null;
}

/** The place of the quote that ends the string which begins at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}
