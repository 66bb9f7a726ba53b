// The approval of a run: a person at the prompt, a saved plan, a reviewed hash, or a flag.
import type { Allowance, Consent } from '../../plan/input.ts';
import type { Invocation } from '../command.ts';
import { UsageError } from '../program/usage-error.ts';
import { allowances } from './allowances.ts';

export interface Approval {
  readonly savedPlan: string | null;
  readonly asks: boolean;
  readonly consent: Consent;
  readonly allow: readonly Allowance[];
  readonly due: boolean;
  readonly expectHash: string | null;
}

/** Flags that would change a saved plan, each with the way to do so. */
const CHANGING: readonly (readonly [
  flag: string,
  isGiven: (invocation: Invocation) => boolean,
  hint: string | null,
])[] = [
  ['--expect-hash', ({ flags }) => flags['expectHash'] !== undefined, null],
  ['--auto-approve=no-impact', ({ flags }) => flags['autoApprove'] === 'no-impact', null],
  ['--target', ({ settings }) => settings.target.length > 0, null],
  ['--exclude', ({ settings }) => settings.exclude.length > 0, null],
  ['--due', ({ flags }) => flags['due'] === true, 'Plan with --due instead.'],
  ['--shard', ({ settings }) => settings.shard !== null, 'Give --shard to trueup plan instead, and save that plan.'],
];

/** Reads the approval from flags and words. Throws UsageError for flags that contradict each other. */
export function approvalOf(invocation: Invocation): Approval {
  const { flags, words } = invocation;
  const [word] = words;
  const savedPlan = word?.endsWith('.json') === true ? word : null;
  const scope = flags['autoApprove'];
  const expectHash = typeof flags['expectHash'] === 'string' ? flags['expectHash'] : null;
  if (expectHash !== null && !/^sha256:[0-9a-f]{64}$/.test(expectHash))
    throw new UsageError(
      '--expect-hash takes sha256: and 64 hexadecimal digits, as `trueup plan --format json` shows under trueup.plan_hash',
    );
  const [changing] = savedPlan === null ? [] : CHANGING.filter(([, isGiven]) => isGiven(invocation));
  if (changing !== undefined)
    throw new UsageError(`a saved plan is applied exactly: ${changing[0]} cannot be given with it`, changing[2]);
  return {
    savedPlan,
    asks: savedPlan === null && scope === undefined && expectHash === null,
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
