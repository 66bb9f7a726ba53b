// Text from outside, made harmless for a terminal or a log: nothing in it can move the cursor, hide or forge a line.

// Kept: printable characters. Escaped: controls (C0, DEL, C1), bidi controls, zero-width, tags, lone surrogates, separators.
const ACTIVE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}]|[\ud800-\udfff]/gu;

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
