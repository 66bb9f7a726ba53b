// Text from outside, made harmless for a terminal, a log or markup: nothing in it can move the cursor, open a tag, hide or forge a line.

/**
 * Kept: printable characters. Escaped: controls, formatting (bidi, zero-width, tags), separators of lines, lone surrogates, what is drawn as
 * nothing, and what is heaped upon one letter beyond four marks.
 */
export const ACTIVE: RegExp =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\u2800\ufff0-\ufffb]|(?<=\p{M}{4})\p{M}/gu;

/** Printable characters of ASCII. */
const PLAIN = /^[ -~]*$/;

/** True for text that is all ASCII and printable, as most is: a column each, and nothing to escape. */
export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

/** `text` with every active character as `\u{..}`, cut to `maxLength` characters with an ellipsis. */
export function inert(text: string, maxLength: number = 200): string {
  if (text.length <= maxLength && isPlain(text)) return text;
  const points = Array.from(text.length > maxLength * 4 ? text.slice(0, maxLength * 4) : text);
  const cut =
    points.length > maxLength || text.length > maxLength * 4 ? `${points.slice(0, maxLength - 1).join('')}…` : text;
  return cut.replace(ACTIVE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** `text` for the content or a quoted attribute of HTML or XML. It does not touch control characters: make outside text inert first. */
export function escapeMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
