// `--allow`: its consent types, and warnings about consents that cover nothing.
import { kinds } from '../../kinds/index.ts';
import { namesLoss, consentText, givenBy } from '../../model/outcome/consent.ts';
import type { Allowance } from '../../plan/input.ts';
import { UsageError } from '../program/usage-error.ts';
import { didYouMean } from '../../base/text/words.ts';
import { matchesGlob, scopeOf } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { consentsTo, isWhole, type Change, type Plan } from '../../model/outcome/plan.ts';
import type { Settings } from '../program/settings.ts';

const ACTIONS = ['delete', 'replace', 'restart', 'revoke', 'move', 'disable', '*'];

/** The consent types for lost data and access, as the kinds declare them. */
function lossTypes(): readonly string[] {
  return [...new Set(kinds.flatMap(({ consentWords = [] }) => consentWords))].sort();
}

export function consentTypes(): readonly string[] {
  return [...ACTIONS, ...lossTypes()];
}

/** The consents that `--allow` gives. Throws UsageError for an unknown type, no address, or too wide a pattern. */
export function allowances(words: readonly string[] = []): readonly Allowance[] {
  const known = consentTypes();
  const losses = lossTypes();
  return words.map((word) => {
    const at = word.indexOf(':');
    const [action, address] = [word.slice(0, at), word.slice(at + 1)];
    if (at < 0 || address === '')
      throw new UsageError(
        `--allow ${word}: the address is missing`,
        'Write TYPE:ADDRESS, such as delete:shop/legacy.',
      );
    if (!known.includes(action))
      throw new UsageError(`--allow ${word}: there is no consent type "${action}"`, `Types: ${known.join(', ')}.`);
    if (losses.includes(action) && !namesLoss(address))
      throw new UsageError(
        `--allow ${word} covers too much`,
        `Write an address, or a pattern inside one project that has three parts or ends in /**, such as shop/branches/pr-* or shop/branches/main/**.`,
      );
    return { action, address };
  });
}

/** A warning for each allowance that covers no planned change. A plan without changes, or of a part, shows nothing about that. */
export function unusedAllowances(
  { shard }: Pick<Settings, 'shard'>,
  plan: Plan | null,
  allow: readonly Allowance[] = [],
): readonly Diagnostic[] {
  if (shard !== null || plan === null || !isWhole(plan)) return [];
  const changes = plan.changes.filter(({ action }) => action !== 'none');
  if (changes.length === 0) return [];
  const unused = allow.filter((one) => !changes.some((change) => covers(one, change)));
  return unused.map(({ action, address }) => {
    const text = consentText({ word: action, address });
    const meant = didYouMean(text, changes.flatMap(neededBy));
    return {
      severity: 'warning',
      code: 'allow_unused',
      message: `--allow ${text} has no effect: it covers no planned change`,
      ...(meant === undefined ? {} : { hint: `Did you mean --allow ${meant}?` }),
    };
  });
}

function neededBy(change: Change): readonly string[] {
  const { address, consents = [] } = change;
  return [...consents.map(consentText), ...consentsTo(change).map((word) => consentText({ word, address }))];
}

function covers(allowance: Allowance, change: Change): boolean {
  const { consents = [], address, resourceId, attributes, impact } = change;
  if (consents.some((one) => givenBy(one, [allowance]) !== null)) return true;
  const types = [
    change.action,
    ...consentsTo(change),
    ...(attributes.some(({ restarts }) => restarts) || impact.includes('drops_connections') ? ['restart'] : []),
  ];
  const names = [address, ...(resourceId === null ? [] : [`${scopeOf(address)}/${resourceId}`])];
  // A change with consents of its own accepts its action for a literal address alone.
  if (consents.length > 0) return types.includes(allowance.action) && names.includes(allowance.address);
  const isType = allowance.action === '*' || types.includes(allowance.action);
  return isType && names.some((name) => matchesGlob(allowance.address, name));
}
