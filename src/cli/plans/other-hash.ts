// Why a plan has another hash than the expected one: each flag the other way round is tried.
import { listOf } from '../../base/text/words.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { consentText, missingConsents } from '../../model/outcome/consent.ts';
import type { Plan } from '../../model/outcome/plan.ts';
import type { KindRules } from '../../plan/kind-rules.ts';
import { planOfRecord, type PlanRecord } from '../../plan/record.ts';

type Input = PlanRecord['input'];

/** A flag turned round, and its words if only this flag differs. */
interface Turn {
  readonly words: string;
  readonly turned: (input: Input) => Input;
}

/** The error of a plan that does not have the hash `expected`. */
export function otherHash(
  { record, plan }: { readonly record: PlanRecord; readonly plan: Plan },
  expected: string,
  kinds: readonly KindRules[],
): Diagnostic {
  const explained = combinations(turnsOf(record.input, plan)).find((some) => {
    const input = some.reduce((turned, turn) => turn.turned(turned), record.input);
    return planOfRecord({ ...record, input }, kinds).planHash === expected;
  });
  const why =
    explained === undefined
      ? 'The files, the account or the flags have changed since that hash was made. Review the plan above, then apply by its hash, with the same --allow flags.'
      : `The expected hash belongs to the same files and account, but to a plan ${listOf(explained.map(({ words }) => words))}. Apply with the same flags, or review the plan above and apply it by its hash.`;
  return {
    severity: 'error',
    code: 'stale',
    message: `the plan above has the hash ${plan.planHash}, expected was ${expected}`,
    hint: why,
  };
}

function turnsOf({ due, allow }: Input, { changes }: Plan): readonly Turn[] {
  const missing = missingConsents(changes);
  const given = missing.map(({ word, address }) => ({ action: word, address }));
  const flags = missing.slice(0, 3).map((one) => `--allow ${consentText(one)}`);
  return [
    { words: 'without operation logs (plan --no-history)', turned: withoutLogs },
    { words: due ? 'without --due' : 'with --due', turned: (input) => ({ ...input, due: !due }) },
    ...(allow.length > 0 ? [{ words: 'without --allow', turned: (input: Input) => ({ ...input, allow: [] }) }] : []),
    ...(missing.length > 0
      ? [
          {
            words: `with ${flags.join(' ')}${missing.length > flags.length ? ' and the like' : ''}`,
            turned: (input: Input) => ({ ...input, allow: [...input.allow, ...given] }),
          },
        ]
      : []),
  ];
}

function withoutLogs(input: Input): Input {
  const unread = input.live.unread.filter(({ part }) => part === undefined);
  return { ...input, noHistory: true, live: { ...input.live, unread, histories: new Map() } };
}

/** Every choice of some of them, the shorter ones first. */
function combinations(turns: readonly Turn[]): readonly (readonly Turn[])[] {
  const all = turns.reduce<readonly (readonly Turn[])[]>(
    (some, turn) => [...some, ...some.map((chosen) => [...chosen, turn])],
    [[]],
  );
  return all.slice(1).toSorted((a, b) => a.length - b.length);
}
