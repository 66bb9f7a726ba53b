// What a plan loses, named by a person at the prompt, or by whoever reviewed its hash.
import { kinds } from '../../kinds/index.ts';
import { consentText, DROP, missingAmong, type Allowance, type NeededConsent } from '../../model/outcome/consent.ts';
import { choicesOf } from '../../base/choices.ts';
import { turnOver } from '../../base/time/clock.ts';
import type { Change, Plan } from '../../model/outcome/plan.ts';
import { consentsAsked, mayRestOn } from '../../plan/json/plan-hash.ts';
import { planOfRecord, type PlanRecord } from '../../plan/record.ts';
import { nameText } from '../../render/text/escape.ts';
import { removedWords } from '../../render/view/plan-rows.ts';
import type { Io } from '../process/io.ts';

/** A plan, and what it was made from. */
export interface Recorded {
  readonly plan: Plan;
  readonly record: PlanRecord | null;
}

/** The plan made again from the same reading, with these consents given by their addresses. */
export function withNamed(made: Recorded, record: PlanRecord, consents: readonly NeededConsent[]): Recorded {
  return consents.length === 0 ? made : madeAgain(record, consents.map(allowanceOf));
}

function allowanceOf({ word, address }: NeededConsent): Allowance {
  return { action: word, address };
}

/** `allow` comes to what is allowed already. */
function madeAgain(record: PlanRecord, allow: readonly Allowance[], areLimitsLifted: boolean = false): Recorded {
  const again = { ...record, input: { ...record.input, allow: [...record.input.allow, ...allow] } };
  const rules = kinds.map((kind) => kind.rules);
  return { plan: planOfRecord(again, rules, { areLimitsLifted }), record: again };
}

/** The plan of this hash; null where nobody can have reviewed it by that, or `signal` ended the search. */
export async function reviewedBy<One extends Recorded>(
  made: One,
  record: PlanRecord,
  { hash, signal }: { readonly hash: string; readonly signal: AbortSignal },
): Promise<One | null> {
  for (const one of asReviewed(made, record, hash)) {
    if (one.plan.planHash === hash) return { ...made, ...one };
    // Signals are heard between two plans.
    await turnOver();
    if (signal.aborted) return null;
  }
  return null;
}

/**
 * The plan as whoever reviewed it by `hash` may have had it: with what it loses allowed, and with the limits of the files lifted. It is made
 * again for those ways alone that the hash does not rule out.
 */
export function* asReviewed(made: Recorded, record: PlanRecord, hash: string): Generator<Recorded> {
  yield made;
  const { changes, options } = made.plan;
  const asked = consentsAsked(changes, options);
  const isFitting = mayRestOn(hash, options, asked);
  for (const given of mannersOf(missingAmong(asked)).filter(isFitting)) {
    const allow = given.map(reviewedAllowance);
    if (allow.length > 0) yield madeAgain(record, allow);
    if (setsLimits(record)) yield madeAgain(record, allow, true);
  }
}

function reviewedAllowance(given: NeededConsent): Allowance {
  return { ...allowanceOf(given), byReview: true, ...(given.given === 'pattern' ? { byPattern: true } : {}) };
}

function setsLimits({ input }: PlanRecord): boolean {
  const limits = input.desired.safety.flatMap((one) => [one.maxDeletes, one.maxRestarts, one.maxChangePercent]);
  return limits.some((limit) => limit !== null);
}

/** In more ways than these a hash is not explained: nine drops may each be allowed by name, by a pattern, or not at all. */
const MOST_MANNERS = 20_000;

/** Each way in which these may have been allowed: by name, of drops also by a pattern, since that counts, or not at all. Of too many all in the same way. */
function mannersOf(losses: readonly NeededConsent[]): readonly (readonly NeededConsent[])[] {
  const ways = losses.map((one) => [...waysOf(one), null]);
  if (isExplicable(losses)) return choicesOf(ways);
  return [[], losses.map((one) => ({ ...one, given: 'literal' })), losses.flatMap((one) => waysOf(one).at(-1) ?? [])];
}

function waysOf(loss: NeededConsent): readonly NeededConsent[] {
  const given = loss.word === DROP ? (['literal', 'pattern'] as const) : (['literal'] as const);
  return given.map((how) => ({ ...loss, given: how }));
}

/** False where a hash may be of a plan with some of these allowed although that is not found out. */
export function isExplicable(losses: readonly NeededConsent[]): boolean {
  return losses.reduce((product, one) => product * (waysOf(one).length + 1), 1) <= MOST_MANNERS;
}

/** The plan as it is shown before its drops are named: nobody has allowed them yet. */
export function withUnnamed(plan: Plan, missing: readonly NeededConsent[]): Plan {
  const asked = new Set(missing.map(consentText));
  const consentsOf = (consents: readonly NeededConsent[]): readonly NeededConsent[] =>
    consents.map((one) => (asked.has(consentText(one)) ? { ...one, given: null } : one));
  return {
    ...plan,
    changes: plan.changes.map((change) =>
      change.consents === undefined ? change : { ...change, consents: consentsOf(change.consents) },
    ),
  };
}

/** `shop/branches/legacy: "important" (br-…)`; empty where no change needs the consent. */
function dropWords(changes: readonly Change[], consent: NeededConsent): string {
  const asked = consentText(consent);
  const change = changes.find(({ consents = [] }) => consents.some((one) => consentText(one) === asked));
  if (change === undefined) return '';
  const [declared, consented] = [nameText(change.address), nameText(consent.address)];
  const address = declared === consented ? declared : `${consented}, declared as ${declared}`;
  return `${address}: ${removedWords(change)}`;
}

/** Asks for the address of each drop that would run for lack of nothing else: what was named, and what needs no naming; null where the input ended. */
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
          `It drops ${dropWords(running, one) || shown}.\nType its address to let it go, or nothing to keep it: `,
          signal,
        )
      : one.address;
    if (answer === null) return null;
    if (answer === one.address || answer === shown) consents.push(one);
    else await io.stderr.write(`${answer === '' ? 'Kept' : 'That is not its address; kept'}: ${shown}\n`);
  }
  return consents;
}
