// Why a plan has another hash than the one expected: the flag that explains it, or else which of what the hash covers differs.
import { choicesOf } from '../../base/choices.ts';
import { listOf } from '../../base/text/words.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { missingConsents } from '../../model/outcome/consent.ts';
import type { Plan } from '../../model/outcome/plan.ts';
import type { KindRules } from '../../plan/kind-rules.ts';
import { differingParts, HASHED_PARTS } from '../../plan/json/plan-hash.ts';
import { planOfRecord, type PlanRecord } from '../../plan/record.ts';
import { isExplicable } from './named-losses.ts';

type Input = PlanRecord['input'];

/** One flag the other way round, and how it reads where that is the whole difference. */
interface Turn {
  readonly words: string;
  readonly turned: (input: Input) => Input;
}

/** What is said of a plan that does not have the hash `expected`. */
export function otherHash(
  { record, plan: { planHash, changes } }: { readonly record: PlanRecord; readonly plan: Plan },
  expected: string,
  kinds: readonly KindRules[],
): Diagnostic {
  const explained = combinations(flagsOf(record.input)).find((some) => {
    const input = some.reduce((turned: Input, turn) => turn.turned(turned), record.input);
    return planOfRecord({ ...record, input }, kinds).planHash === expected;
  });
  const why =
    explained === undefined
      ? differenceWords(planHash, expected)
      : `That hash is of the same files and account ${listOf(explained.map(({ words }) => words))}.`;
  const losses = missingConsents(changes);
  const unexplained = isExplicable(losses)
    ? ''
    : `Whether that one was made with some of the ${losses.length} losses allowed is not found out: repeat --allow then. `;
  return {
    severity: 'error',
    code: 'stale',
    message: `the plan above has the hash ${planHash}, expected was ${expected}`,
    hint: `${unexplained}${why} Review the plan above and give its hash; or, where that one was made with ${record.input.allow.length === 0 ? '--allow, repeat it' : 'another --allow, repeat that'}.`,
  };
}

/** Two hashes tell by themselves which of what they cover differs. */
function differenceWords(planHash: string, expected: string): string {
  const parts = differingParts(planHash, expected);
  const same = HASHED_PARTS.filter((part) => !parts.includes(part));
  if (parts.length === 0 || same.length === 0)
    return `A hash covers ${listOf(HASHED_PARTS)}: nothing of it is as it was, or that hash is of another version.`;
  return `What differs: ${listOf(parts)}. As it was: ${listOf(same)}.`;
}

function flagsOf({ due, allow }: Input): readonly Turn[] {
  return [
    { words: 'without operation logs (plan --no-history)', turned: withoutLogs },
    { words: due ? 'without --due' : 'with --due', turned: (input) => ({ ...input, due: !due }) },
    ...(allow.length > 0 ? [{ words: 'without --allow', turned: (input: Input) => ({ ...input, allow: [] }) }] : []),
  ];
}

function withoutLogs(input: Input): Input {
  const unread = input.live.unread.filter(({ part }) => part === undefined);
  return { ...input, noHistory: true, live: { ...input.live, unread, histories: new Map() } };
}

/** Every choice of some of them, the shorter ones first. */
function combinations(turns: readonly Turn[]): readonly (readonly Turn[])[] {
  const all = choicesOf(turns.map((turn) => [turn, null]));
  return all.filter((chosen) => chosen.length > 0).toSorted((a, b) => a.length - b.length);
}
