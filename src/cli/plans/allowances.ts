// `--allow`: its consent types, by action and by the data or access that is lost.
import { kinds } from '../../kinds/index.ts';
import { namesLoss } from '../../model/outcome/consent.ts';
import type { Allowance } from '../../plan/input.ts';
import { UsageError } from '../program/usage-error.ts';

const ACTIONS = ['delete', 'replace', 'restart', 'revoke', 'move', 'disable', '*'];

/** The consent types for lost data and access, as the kinds declare them. */
function lossTypes(): readonly string[] {
  return [...new Set(kinds.flatMap(({ consentWords = [] }) => consentWords))].sort();
}

/** Every consent type. */
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
