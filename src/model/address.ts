// Addresses: our names for resources, `PROJECT/NAME` or `SECTION/NAME`, and the globs that select them.

/** `shop/primary`, `SECTION/NAME` for account-wide kinds, `PROJECT/ID` for what the file does not list. */
export type Address = string;

export function addressOf(scope: string, name: string): Address {
  return `${scope}/${name}`;
}

/** True when `pattern` (with `*` for any run of characters and `?` for one) covers the whole of `text`. */
export function matchesGlob(pattern: string, text: string): boolean {
  let patternAt = 0;
  let textAt = 0;
  let starAt = -1;
  let resumeAt = 0;
  while (textAt < text.length) {
    const wanted = pattern[patternAt];
    if (wanted === '*') {
      starAt = patternAt++;
      resumeAt = textAt;
    } else if (wanted === '?' || (wanted !== undefined && wanted === text[textAt])) {
      patternAt++;
      textAt++;
    } else if (starAt >= 0) {
      patternAt = starAt + 1;
      textAt = ++resumeAt;
    } else return false;
  }
  while (pattern[patternAt] === '*') patternAt++;
  return patternAt === pattern.length;
}
