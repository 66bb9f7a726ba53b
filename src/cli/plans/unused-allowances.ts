// `--allow` that consents to nothing in the plan: most likely a slip.
import { didYouMean } from '../../base/text/words.ts';
import { matchesGlob, scopeOf } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { consentText, givenBy } from '../../model/outcome/consent.ts';
import { consentsTo, isWhole, type Change, type Plan } from '../../model/outcome/plan.ts';
import type { Allowance } from '../../plan/input.ts';
import type { Settings } from '../program/settings.ts';

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

/** The consents that the change needs, as `--allow` takes them. */
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
