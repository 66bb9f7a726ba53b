// `--allow`: the actions that allowances name, and the words for what is lost.
import { kinds } from '../../kinds/index.ts';
import { namesLoss } from '../../model/outcome/consent.ts';
import type { Allowance } from '../../plan/input.ts';
import { UsageError } from '../program/usage-error.ts';

const ACTIONS = ['delete', 'replace', 'restart', 'revoke', 'move', 'disable', '*'];

/** Words of consents by what is lost, as the kinds have them. */
function lossWords(): readonly string[] {
  return [...new Set(kinds.flatMap(({ rules }) => rules.consentWords ?? []))].sort();
}

/** All that may stand before the colon. */
export function allowWords(): readonly string[] {
  return [...ACTIONS, ...lossWords()];
}

/** What `--allow` names. Throws UsageError for what it cannot mean. */
export function allowances(words: readonly string[] = []): readonly Allowance[] {
  const known = allowWords();
  const losses = lossWords();
  return words.map((word) => {
    const at = word.indexOf(':');
    const [action, address] = [word.slice(0, at), word.slice(at + 1)];
    if (at < 0 || !known.includes(action) || address === '')
      throw new UsageError(
        '--allow takes ACTION:ADDRESS',
        `Actions are ${known.join(', ')}; for example --allow delete:shop/legacy.`,
      );
    if (losses.includes(action) && !namesLoss(address))
      throw new UsageError(
        `--allow ${word}: ${action} takes no such pattern`,
        `With ${action} goes an address or, for what lies in a project, a pattern that begins with its label and has three parts or ends in /**, such as shop/branches/pr-* or shop/branches/main/**.`,
      );
    return { action, address };
  });
}
