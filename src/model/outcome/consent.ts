// Consents by consent type: each names the resource that is lost.
import { matchesParts, type Address } from '../address.ts';

/** Deletes a live resource with its contents. */
export const DROP = 'drop';
/** Re-creates, empty, a pinned resource that was deleted outside trueup. */
export const RECREATE = 'recreate';

/** A consent that a change needs, and its source: an address, a pattern, or the declaration itself; null without a consent. */
export interface NeededConsent {
  readonly word: string;
  readonly address: Address;
  readonly given: 'literal' | 'pattern' | 'file' | null;
}

/** `--allow ACTION:ADDRESS` (`*` and globs), or `TYPE:ADDRESS` for a loss. */
export interface Allowance {
  readonly action: string;
  readonly address: string;
  /** True for a consent of the review that was not given again: it lifts no limit of the operator. */
  readonly byReview?: true;
}

/** The source of the consent: its address, a pattern, or null for none. */
export function givenBy(
  { word, address }: Omit<NeededConsent, 'given'>,
  allow: readonly Allowance[],
): 'literal' | 'pattern' | null {
  const own = allow.filter(({ action }) => action === word);
  if (own.some((one) => one.address === address)) return 'literal';
  return own.some((one) => coversLoss(one.address, address)) ? 'pattern' : null;
}

/** Only an allowance that names the rule covers a removal by the rule. */
export function withinRule(rule: Address, allow: readonly Allowance[]): readonly Allowance[] {
  return allow.filter(({ address }) => address.startsWith(`${rule}/`));
}

/** No pattern covers the top of an address, such as a project. */
function coversLoss(pattern: string, address: Address): boolean {
  return isBoundPattern(pattern) && address.includes('/') && matchesParts(pattern, address);
}

/** True for an address, or a pattern within one project such as `shop/**` or `shop/a/*`, but not `shop/*` or `shop/a/b/*`. */
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

/** The missing consents of all changes, each once. */
export function missingConsents(
  changes: readonly { readonly consents?: readonly NeededConsent[] }[],
): readonly NeededConsent[] {
  const missing = changes.flatMap(({ consents = [] }) => consents.filter(({ given }) => given === null));
  return [...new Map(missing.map((one) => [consentText(one), one])).values()];
}
