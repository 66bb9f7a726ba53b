// Builds and matches addresses, trueup's names for resources: `PROJECT/NAME`, or `SECTION/NAME` for account-wide kinds.

/** An address such as `shop/first`. The address of an unlisted resource ends with its id or, in a kind with a `key`, with its name. */
export type Address = string;

export function addressOf(scope: string, name: string): Address {
  return `${scope}/${name}`;
}

export function scopeOf(address: Address): string {
  return address.split('/', 1)[0] ?? address;
}

/** Returns all shorter prefixes of an address, the project first. These include the addresses of all resources above. */
export function aboveOf(address: Address): readonly Address[] {
  const parts = address.split('/');
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'));
}

/** The key of a project's preview sets in a file, and a part of every member's address. */
export const SETS = 'previews';

export function setAddress(project: string, set: string): Address {
  return `${project}/${SETS}/${set}`;
}

export const RETENTION = 'retention';

export function retentionAddress(project: string, rule: string): Address {
  return `${project}/${RETENTION}/${rule}`;
}

export function isInSet(address: Address): boolean {
  return address.split('/')[1] === SETS;
}

/** Converts a live name to a part of an address: percent-encodes `%/*?{}`, spaces and control characters. */
export function asPart(name: string): string {
  // A lone surrogate (half a character) cannot be percent-encoded.
  const whole = name.replaceAll(/\p{Cs}/gu, '\ufffd');
  return whole.replaceAll(/[\s\p{C}%/*?{}]/gu, (one) => (one === '*' ? '%2A' : encodeURIComponent(one)));
}

/** True when `pattern` (with `*` for any run of characters and `?` for one) covers the whole of `text`. */
export function matchesGlob(pattern: string, text: string): boolean {
  return matchesRun(pattern, text, '*', (wanted, found) => wanted === '?' || wanted === found);
}

/** True if the parts match: `*` and `?` stay within a part, and `**` stands for any number of parts. */
export function matchesParts(pattern: string, address: Address): boolean {
  return matchesRun(pattern.split('/'), address.split('/'), '**', matchesGlob);
}

/** True if `pattern` matches the address or one of its parents, as in protections and selections. */
export function coversAddress(pattern: string, address: Address): boolean {
  const parts = address.split('/');
  // `shop/*` covers the project itself, too.
  if (parts.length === 1 && pattern.endsWith('/*')) return matchesGlob(pattern.slice(0, -2), address);
  // In an address of at most two parts, a star crosses the slash.
  if (parts.length <= 2 && matchesGlob(pattern, address)) return true;
  return matchesRun([...pattern.split('/'), '**'], parts, '**', matchesGlob);
}

/** Matches characters or parts; `many` stands for any run of them. Backtracks only to the last `many`, so hostile patterns stay fast. */
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
