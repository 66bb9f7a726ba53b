// The consents to data loss that a person gives at the prompt.
import { kinds } from '../../kinds/index.ts';
import { inert } from '../../base/text/inert.ts';
import { consentText, DROP, type NeededConsent } from '../../model/outcome/consent.ts';
import type { Change, Plan } from '../../model/outcome/plan.ts';
import { planOfRecord, type PlanRecord } from '../../plan/record.ts';
import { nameText } from '../../render/text/escape.ts';
import { removedWords } from '../../render/view/plan-rows.ts';
import type { Io } from '../process/io.ts';

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
  const consentsOf = (consents: readonly NeededConsent[]): readonly NeededConsent[] =>
    consents.map((one) => (asked.has(consentText(one)) ? { ...one, given: null } : one));
  return {
    ...plan,
    changes: plan.changes.map((change) =>
      change.consents === undefined ? change : { ...change, consents: consentsOf(change.consents) },
    ),
  };
}

/** The names in a question: `shop/branches/legacy: "important" (br-…)`; empty if no change needs the consent. */
function dropWords(changes: readonly Change[], consent: NeededConsent): string {
  const asked = consentText(consent);
  const change = changes.find(({ consents = [] }) => consents.some((one) => consentText(one) === asked));
  if (change === undefined) return '';
  const [declared, consented] = [nameText(change.address), nameText(consent.address)];
  const address = declared === consented ? declared : `${consented}, declared as ${declared}`;
  return `${address}: ${removedWords(change)}`;
}

/** Asks for the address of each drop that lacks only this consent. Returns all given consents; null if the input ended. */
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
