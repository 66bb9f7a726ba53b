// Lists the effects of changes on clients and data, as kinds declare them, and describes the consents that losses need.
import { impacts, type ImpactTraits } from '../generated/impacts.ts';
import { matchesParts, type Address } from '../address.ts';

export type Impact = string;

/** Sorted from the worst to the mildest. */
export const IMPACTS: readonly Impact[] = Object.keys(impacts).sort(
  (a, b) => (traitsOf(a)?.rank ?? 0) - (traitsOf(b)?.rank ?? 0),
);

export function traitsOf(impact: Impact): ImpactTraits | undefined {
  return Object.hasOwn(impacts, impact) ? impacts[impact] : undefined;
}

export function interrupts(words: readonly Impact[]): boolean {
  return words.some((word) => traitsOf(word)?.isDisruptive === true);
}

/** The worst effect that interrupts clients; a restart of any resource has this effect. */
export const INTERRUPTION: Impact = IMPACTS.find((word) => interrupts([word])) ?? 'none';

/** The consent type for deleting a live resource with its contents. */
export const DROP = 'drop';
/** The consent type for re-creating a resource that was deleted outside trueup; the new one is empty. */
export const RECREATE = 'recreate';

/** A consent that a change needs. `given` says how: by an address, by a pattern, or by the declaration itself; null while it is missing. */
export interface NeededConsent {
  readonly word: string;
  readonly address: Address;
  readonly given: 'literal' | 'pattern' | 'file' | null;
}

/** One `--allow`: `ACTION:ADDRESS` (`*` and globs are possible), or `TYPE:ADDRESS` with a consent type (such as `drop`) as `action`. */
export interface Allowance {
  readonly action: string;
  readonly address: string;
  /** True if the reviewed plan gave this consent, not this command's `--allow`: such a consent lifts no operator limit. */
  readonly byReview?: true;
}

export function givenBy(
  { word, address }: Omit<NeededConsent, 'given'>,
  allow: readonly Allowance[],
): 'literal' | 'pattern' | null {
  const own = allow.filter(({ action }) => action === word);
  if (own.some((one) => one.address === address)) return 'literal';
  return own.some((one) => coversLoss(one.address, address)) ? 'pattern' : null;
}

/** Returns the allowances that name this rule: only these can cover a removal by the rule. */
export function withinRule(rule: Address, allow: readonly Allowance[]): readonly Allowance[] {
  return allow.filter(({ address }) => address.startsWith(`${rule}/`));
}

/** True if the pattern covers the address; no pattern covers a top-level address, such as a project. */
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

export function drops({ consents = [] }: { readonly consents?: readonly NeededConsent[] }): boolean {
  return consents.some(({ word }) => word === DROP);
}

export function consentText({ word, address }: Pick<NeededConsent, 'word' | 'address'>): string {
  return `${word}:${address}`;
}

export function missingConsents(
  changes: readonly { readonly consents?: readonly NeededConsent[] }[],
): readonly NeededConsent[] {
  const missing = changes.flatMap(({ consents = [] }) => consents.filter(({ given }) => given === null));
  return [...new Map(missing.map((one) => [consentText(one), one])).values()];
}
