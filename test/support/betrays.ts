// Finds a secret in a text, in the encodings that a program may print.

/** All forms of `value` with 4 characters or more, longest first. */
function encodingsOf(value: string): readonly string[] {
  const bytes = Buffer.from(value, 'utf8');
  const hex = bytes.toString('hex');
  const forms = [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1), hex, hex.toUpperCase()];
  for (const encoding of ['base64', 'base64url'] as const) {
    forms.push(bytes.toString(encoding));
    for (const offset of [0, 1, 2]) forms.push(stablePart(bytes, offset, encoding));
  }
  return [...new Set(forms)].filter((form) => form.length >= 4).sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
}

/** The base64 characters of `bytes` that do not depend on the bytes around them; `offset` bytes stand before, modulo 3. */
function stablePart(bytes: Uint8Array, offset: number, encoding: 'base64' | 'base64url'): string {
  const shifted = Buffer.concat([Buffer.alloc(offset), bytes]).toString(encoding);
  return shifted.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
}

/** The shortest part of a secret that counts. */
const WINDOW = 8;

/** True when `text` holds the secret or a part of 8 characters of it, in any encoding, forwards or backwards. */
export function betrays(text: string, value: string): boolean {
  const reversed = Array.from(value).reverse().join('');
  return [...encodingsOf(value), reversed].some((form) => sharesWindow(text, form));
}

function sharesWindow(text: string, form: string): boolean {
  if (form.length <= WINDOW) return form !== '' && text.includes(form);
  for (let at = 0; at + WINDOW <= form.length; at++) if (text.includes(form.slice(at, at + WINDOW))) return true;
  return false;
}
