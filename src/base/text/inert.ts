// Makes outside text harmless for a terminal, a log or markup, so that it cannot move the cursor, open a tag, or forge a line.

/**
 * Matches characters to escape: controls, formatting (bidi, zero-width, tags), line separators, lone surrogates, invisible characters,
 * and combining marks beyond four in a row.
 */
export const ACTIVE: RegExp =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\u2800\ufff0-\ufffb]|(?<=\p{M}{4})\p{M}/gu;

const PLAIN = /^[ -~]*$/;

/** True for printable ASCII, which most text is: it needs no escaping, and each character takes one column. */
export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

/** Writes every character that `ACTIVE` matches as `\u{..}`, and cuts the text to `maxLength` characters with an ellipsis. */
export function inert(text: string, maxLength: number = 200): string {
  if (text.length <= maxLength && isPlain(text)) return text;
  const points = Array.from(text.length > maxLength * 4 ? text.slice(0, maxLength * 4) : text);
  const cut =
    points.length > maxLength || text.length > maxLength * 4 ? `${points.slice(0, maxLength - 1).join('')}…` : text;
  return cut.replace(ACTIVE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Escapes `text` for content or a quoted attribute of HTML or XML. Control characters stay, so pass outside text through `inert` first. */
export function escapeMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
