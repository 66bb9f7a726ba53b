// Consents in words: the flags that give them, and who gave them.
import { consentText, type NeededConsent } from '../../model/outcome/consent.ts';
import { consentsTo, type Change } from '../../model/outcome/plan.ts';
import { nameText } from '../text/escape.ts';
import { restarts } from '../view/plan-rows.ts';

const MOST_ALLOWANCES = 3;

/** The flags that consent to these changes, as a shell takes them. */
export function allowances(changes: readonly [Change, ...Change[]]): string {
  const [first] = changes;
  if (changes.length <= MOST_ALLOWANCES) return changes.flatMap(flagsOf).join(' ');
  if ((first.consents ?? []).length === 0) return allowancesOf(first, 'PATTERN');
  const words = [...new Set((first.consents ?? []).map(({ word }) => word))];
  return `for each ${words.map((word) => `--allow ${word}:ADDRESS`).join(' ')}`;
}

function flagsOf(change: Change): readonly string[] {
  const { consents = [] } = change;
  if (consents.length === 0) return [allowancesOf(change, nameText(change.address))];
  return consents.map(({ word, address }) => `--allow ${consentText({ word, address: nameText(address) })}`);
}

/** The flags that name one live resource, of which the address is given. */
export function allowancesOf(change: Change, address: string): string {
  return wordsTo(change)
    .map((word) => `--allow ${quoted(word, address)}`)
    .join(' ');
}

function quoted(action: string, address: string): string {
  return action === '*' ? `'*:${address}'` : `${action}:${address}`;
}

/** The words that `--allow` takes for this change. */
function wordsTo(change: Change): readonly string[] {
  const needed = consentsTo(change);
  if (needed.length > 0) return needed;
  return [restarts(change) ? 'restart' : '*'];
}

const GIVERS: Readonly<Record<NonNullable<NeededConsent['given']> | 'nobody', string>> = {
  literal: 'allowed by its address',
  pattern: 'allowed by a pattern',
  file: 'allowed by its declaration',
  nobody: 'not allowed yet',
};

/** `drop, allowed by its address`: each consent by name, and who gave it. */
export function consentWords({ consents = [] }: Pick<Change, 'consents'>): readonly string[] {
  return consents.map(({ word, given }) => `${word}, ${GIVERS[given ?? 'nobody']}`);
}
