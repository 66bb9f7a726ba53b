// Who approves a run: a person at the prompt, a saved plan, a reviewed hash, or a flag.
import type { Allowance, Consent } from '../../plan/input.ts';
import type { Invocation } from '../command.ts';
import { UsageError } from '../program/usage-error.ts';
import { allowances } from './allowances.ts';

export interface Approval {
  /** Path of the saved plan, as given. */
  readonly savedPlan: string | null;
  /** A person is asked. */
  readonly asks: boolean;
  readonly consent: Consent;
  readonly allow: readonly Allowance[];
  readonly due: boolean;
  readonly expectHash: string | null;
}

/** Reads the approval from flags and words. Throws UsageError where nobody could approve. */
export function approvalOf({ settings, flags, words }: Invocation): Approval {
  const word = words[0];
  const savedPlan = word?.endsWith('.json') === true ? word : null;
  const scope = flags['autoApprove'];
  const expectHash = typeof flags['expectHash'] === 'string' ? flags['expectHash'] : null;
  const asks = savedPlan === null && scope === undefined && expectHash === null;
  if (expectHash !== null && !/^sha256:[0-9a-f]{64}$/.test(expectHash))
    throw new UsageError(
      '--expect-hash takes sha256: and 64 hexadecimal digits, as `trueup plan --format json` shows under trueup.plan_hash',
    );
  if (savedPlan !== null && (expectHash !== null || scope === 'no-impact'))
    throw new UsageError(
      'a saved plan is applied exactly: --expect-hash and --auto-approve=no-impact do not go with it',
    );
  if (savedPlan !== null && (settings.target.length > 0 || settings.exclude.length > 0))
    throw new UsageError('a saved plan is applied exactly: --target and --exclude do not go with it');
  if (savedPlan !== null && flags['due'] === true)
    throw new UsageError('a saved plan is applied exactly: --due does not go with it', 'What was due was not planned.');
  if (savedPlan !== null && settings.shard !== null)
    throw new UsageError('a saved plan is applied exactly: make it with --shard rather than apply it with it');
  return {
    savedPlan,
    asks,
    consent: scope === 'no-impact' ? 'no_impact' : scope === 'all' && expectHash === null ? 'unattended' : 'reviewed',
    allow: allowances(flags['allow'] as readonly string[] | undefined),
    due: flags['due'] === true,
    expectHash,
  };
}

/** Throws UsageError where a person would have to be asked and there is none. */
export function requireSomebody({ io, settings, words }: Invocation, { asks }: Approval): void {
  const [word] = words;
  const taken =
    word === undefined ? '' : ` ${word} is taken for files of what is wanted: the name of a saved plan ends in .json.`;
  if (asks && (!io.canAsk || settings.ci))
    throw new UsageError(
      'nobody can be asked here',
      `Without a terminal, apply needs a saved plan, --expect-hash or --auto-approve.${taken}`,
    );
  if (asks && settings.format !== 'human')
    throw new UsageError(`--format ${settings.format} does not go with a question`, 'Add --auto-approve.');
}
