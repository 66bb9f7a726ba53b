// Addresses: our names for resources, `PROJECT/NAME` or `SECTION/NAME`, and the globs that select them.

/** `shop/first`, `SECTION/NAME` for account-wide kinds, `PROJECT/ID` for what the file does not list. */
export type Address = string;

export function addressOf(scope: string, name: string): Address {
  return `${scope}/${name}`;
}

/** The first part of an address or of a glob: the project, or the section of the account. A project's own address is that alone. */
export function scopeOf(address: Address): string {
  const slash = address.indexOf('/');
  return slash < 0 ? address : address.slice(0, slash);
}

/** A live name as one part of an address: characters that would split the part, or read as a glob or a placeholder, are percent-encoded. */
export function asPart(name: string): string {
  // A lone surrogate (half a character) cannot be percent-encoded.
  const whole = name.replaceAll(/\p{Cs}/gu, '\ufffd');
  return whole.replaceAll(/[\s\p{C}%/*?{}]/gu, (one) => (one === '*' ? '%2A' : encodeURIComponent(one)));
}

/** True when `pattern` (with `*` for any run of characters and `?` for one) covers the whole of `text`. */
export function matchesGlob(pattern: string, text: string): boolean {
  return matchesRun(pattern, text, '*', (wanted, found) => wanted === '?' || wanted === found);
}

/** The same part by part: `*` and `?` stay within a part of the address, and `**` stands for any number of parts. */
export function matchesParts(pattern: string, address: Address): boolean {
  return matchesRun(pattern.split('/'), address.split('/'), '**', matchesGlob);
}

/** True when `pattern` matches the address or one of its parents: so protections and selections read their globs. */
export function coversAddress(pattern: string, address: Address): boolean {
  const parts = address.split('/');
  // All of a project is also the project itself.
  if (parts.length === 1 && pattern.endsWith('/*')) return matchesGlob(pattern.slice(0, -2), address);
  // In an address of at most two parts a star has always crossed the slash.
  if (parts.length <= 2 && matchesGlob(pattern, address)) return true;
  return matchesRun([...pattern.split('/'), '**'], parts, '**', matchesGlob);
}

/** Matches a glob, by characters or by parts: `many` stands for any number of members, also none. A mismatch goes back to the last `many` only, so that hostile patterns cannot take long. */
function matchesRun(
  pattern: ArrayLike<string>,
  text: ArrayLike<string>,
  many: string,
  isOne: (wanted: string, found: string) => boolean,
): boolean {
  let patternAt = 0;
  let textAt = 0;
  let manyAt = -1;
  let resumeAt = 0;
  while (textAt < text.length) {
    const wanted = pattern[patternAt];
    if (wanted === many) {
      manyAt = patternAt++;
      resumeAt = textAt;
    } else if (wanted !== undefined && isOne(wanted, text[textAt] ?? '')) {
      patternAt++;
      textAt++;
    } else if (manyAt >= 0) {
      patternAt = manyAt + 1;
      textAt = ++resumeAt;
    } else return false;
  }
  while (pattern[patternAt] === many) patternAt++;
  return patternAt === pattern.length;
}
