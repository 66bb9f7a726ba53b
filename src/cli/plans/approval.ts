// The approval of a run: by a person at the prompt, by a saved plan, by a reviewed hash, or by flags.
import { kinds } from '../../kinds/index.ts';
import { namesLoss, consentText, DROP, type NeededConsent } from '../../model/outcome/impact.ts';
import type { Allowance, Consent } from '../../plan/input.ts';
import { UsageError } from '../process/exit-code.ts';
import type { Invocation } from '../command.ts';
import { inert } from '../../base/text/inert.ts';
import type { Change, Plan } from '../../model/outcome/plan.ts';
import { planOfRecord, type PlanRecord } from '../../plan/make-plan.ts';
import { nameText } from '../../render/text/escape.ts';
import { removedWords } from '../../render/view/plan-rows.ts';
import type { Io } from '../process/io.ts';

const ACTIONS = ['delete', 'replace', 'restart', 'revoke', 'move', 'disable', '*'];

const LOSSES: readonly string[] = [...new Set(kinds.flatMap(({ consentWords = [] }) => consentWords))].sort();

export function consentTypes(): readonly string[] {
  return [...ACTIONS, ...LOSSES];
}

export function allowances(words: readonly string[] = []): readonly Allowance[] {
  const known = consentTypes();
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
    if (LOSSES.includes(action) && !namesLoss(address))
      throw new UsageError(
        `--allow ${word} covers too much`,
        `Write an address, or a pattern inside one project that has three parts or ends in /**, such as shop/branches/pr-* or shop/branches/main/**.`,
      );
    return { action, address };
  });
}

export interface Approval {
  readonly savedPlan: string | null;
  readonly asks: boolean;
  readonly consent: Consent;
  readonly allow: readonly Allowance[];
  readonly due: boolean;
  readonly expectHash: string | null;
}

/** Flags that would change a saved plan, each with a hint (or null) that says what to do instead. */
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

/** Reads the approval from flags and arguments. Throws UsageError for invalid flags, and for flags that change a saved plan. */
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

/** Throws UsageError if the run must ask a person but cannot: without a terminal, in CI, or with a format other than human. */
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

export interface Recorded {
  readonly plan: Plan;
  readonly record: PlanRecord | null;
}

export function withNamed(made: Recorded, record: PlanRecord, consents: readonly NeededConsent[]): Recorded {
  if (consents.length === 0) return made;
  const given = consents.map(({ word, address }) => ({ action: word, address }));
  const again = { ...record, input: { ...record.input, allow: [...record.input.allow, ...given] } };
  return { plan: planOfRecord(again, kinds), record: again };
}

export function withUnnamed(plan: Plan, missing: readonly NeededConsent[]): Plan {
  const asked = new Set(missing.map(consentText));
  const changes = plan.changes.map((change) => {
    if (change.consents === undefined) return change;
    const consents = change.consents.map((one) => (asked.has(consentText(one)) ? { ...one, given: null } : one));
    return { ...change, consents };
  });
  return { ...plan, changes };
}

/** The name in the question about a drop: `shop/branches/legacy: "important" (br-…)`; empty if no change needs the consent. */
function dropWords(changes: readonly Change[], consent: NeededConsent): string {
  const asked = consentText(consent);
  const change = changes.find(({ consents = [] }) => consents.some((one) => consentText(one) === asked));
  if (change === undefined) return '';
  const [declared, consented] = [nameText(change.address), nameText(consent.address)];
  const address = declared === consented ? declared : `${consented}, declared as ${declared}`;
  return `${address}: ${removedWords(change)}`;
}

/** Asks for the address of each drop that lacks only this consent. Returns all given consents; null without an answer. */
export async function nameDrops(
  io: Io,
  plan: Plan,
  missing: readonly NeededConsent[],
  signal: AbortSignal,
): Promise<readonly NeededConsent[] | null> {
  const running = plan.changes.filter(({ blockedBy }) => blockedBy.length === 0);
  const needed = new Set(running.flatMap(({ consents = [] }) => consents.map(consentText)));
  const consents: NeededConsent[] = [];
  for (const one of missing) {
    const shown = nameText(one.address);
    const isAsked = one.word === DROP && needed.has(consentText(one));
    const answer = isAsked
      ? await io.question(
          `This deletes ${dropWords(running, one) || shown}.\nType ${shown} to delete it, or nothing to keep it: `,
          signal,
        )
      : one.address;
    if (answer === null) return null;
    if (answer === one.address || answer === shown) consents.push(one);
    else await io.stderr.write(`Kept ${shown}${answer === '' ? '' : `: "${inert(answer)}" is not its address`}\n`);
  }
  return consents;
}
