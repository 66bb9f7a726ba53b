// Consents by what is lost: each has a word, and names what loses it.
import { matchesParts, type Address } from '../address.ts';

/** What takes a live resource away with all that is in it. */
export const DROP = 'drop';
/** Making anew, empty, what was pinned and has vanished. */
export const RECREATE = 'recreate';

/** A consent that a change needs, and who gave it: somebody in so many words, a pattern, or the declaration itself; null while nobody has. */
export interface NeededConsent {
  readonly word: string;
  readonly address: Address;
  readonly given: 'literal' | 'pattern' | 'file' | null;
}

/** What the user asks for in so many words: `--allow ACTION:ADDRESS` (`*` and globs), or `WORD:ADDRESS` for what is lost. */
export interface Allowance {
  readonly action: string;
  readonly address: string;
  /** Given when the plan was reviewed, and not again since: it lifts no limit of the operator. */
  readonly byReview?: true;
}

/** How it is consented to: by its own name, by a pattern, or (null) not at all. */
export function givenBy(
  { word, address }: Omit<NeededConsent, 'given'>,
  allow: readonly Allowance[],
): 'literal' | 'pattern' | null {
  const own = allow.filter(({ action }) => action === word);
  if (own.some((one) => one.address === address)) return 'literal';
  return own.some((one) => one.address === address || coversLoss(one.address, address)) ? 'pattern' : null;
}

/** Nothing that is above all others, such as a project, is ever covered by a pattern. */
function coversLoss(pattern: string, address: Address): boolean {
  return isBoundPattern(pattern) && address.includes('/') && matchesParts(pattern, address);
}

/** True for what may follow such a word: an address, or a pattern within one named project such as `shop/**` or `shop/a/*`, but not `shop/*` or `shop/a/b/*`. */
export function namesLoss(text: string): boolean {
  return !WILD.test(text) || isBoundPattern(text);
}

const WILD = /[*?]/;

function isBoundPattern(text: string): boolean {
  const [first = '', ...others] = text.split('/');
  if (!WILD.test(text) || first === '' || WILD.test(first)) return false;
  return others.length === 2 || text.endsWith('/**');
}

/** `drop:shop/a`. */
export function consentText({ word, address }: Pick<NeededConsent, 'word' | 'address'>): string {
  return `${word}:${address}`;
}

/** The consents that nobody has given, of all changes; once each. */
export function missingConsents(
  changes: readonly { readonly consents?: readonly NeededConsent[] }[],
): readonly NeededConsent[] {
  const missing = changes.flatMap(({ consents = [] }) => consents.filter(({ given }) => given === null));
  return [...new Map(missing.map((one) => [consentText(one), one])).values()];
}
