// The approval of a run: a person at the prompt, a saved plan, a reviewed hash, or a flag.
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

/** Reads the approval from flags and words. Throws UsageError for flags that contradict each other. */
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
      'a saved plan is applied exactly: --expect-hash and --auto-approve=no-impact cannot be given with it',
    );
  if (savedPlan !== null && (settings.target.length > 0 || settings.exclude.length > 0))
    throw new UsageError('a saved plan is applied exactly: --target and --exclude cannot be given with it');
  if (savedPlan !== null && flags['due'] === true)
    throw new UsageError('a saved plan is applied exactly: --due cannot be given with it', 'Plan with --due instead.');
  if (savedPlan !== null && settings.shard !== null)
    throw new UsageError(
      'a saved plan is applied exactly: --shard cannot be given with it',
      'Give --shard to trueup plan instead, and save that plan.',
    );
  return {
    savedPlan,
    asks,
    consent: scope === 'no-impact' ? 'no_impact' : scope === 'all' && expectHash === null ? 'unattended' : 'reviewed',
    allow: allowances(flags['allow'] as readonly string[] | undefined),
    due: flags['due'] === true,
    expectHash,
  };
}

/** Throws UsageError if the run must ask a person and cannot. */
export function requirePerson({ io, settings, words }: Invocation, { asks }: Approval): void {
  if (!asks) return;
  const [word] = words;
  const file = word === undefined ? '' : ` ${word} is a file of desired state: a saved plan ends in .json.`;
  const reason = settings.ci ? '$CI is set' : `${io.stdinIsTerminal ? 'stderr' : 'stdin'} is not a terminal`;
  if (!io.canAsk || settings.ci)
    throw new UsageError(
      `cannot ask for approval: ${reason}`,
      `Give a saved plan (trueup apply plan.json), --expect-hash HASH or --auto-approve.${file}`,
    );
  if (settings.format !== 'human')
    throw new UsageError(`cannot ask for approval with --format ${settings.format}`, 'Add --auto-approve.');
}
