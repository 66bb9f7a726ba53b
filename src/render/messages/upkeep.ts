// Upkeep in words: the work of every apply besides the changes, and its result.
import type { Upkeep, UpkeepAction, UpkeepResult } from '../../model/outcome/upkeep.ts';
import { nameText, sentence } from '../text/escape.ts';

/** The title of upkeep in every plan for people. */
export const UPKEEP_TITLE = 'Tasks of every apply';

const DONE: Readonly<Record<UpkeepAction, string>> = { renew: 'renewed', refill: 'refilled', forget: 'forgotten' };

/** `renew`, `refill → file:app.json`. */
export function upkeepDeed({ action, sinks }: Pick<Upkeep, 'action' | 'sinks'>): string {
  return sinks.length === 0 ? action : `${action} → ${sinks.map((sink) => sentence(sink)).join(', ')}`;
}

/** Why, and when it waits for the changes. */
export function upkeepWhy({ reasons, isPending }: Pick<Upkeep, 'reasons' | 'isPending'>): string {
  return `${reasons.map((reason) => sentence(reason)).join('; ')}${isPending ? ' (known after apply)' : ''}`;
}

/** `shop/x: renewed`. */
export function upkeepSentence({ address, action, outcome, message }: UpkeepResult): string {
  return outcome === 'done'
    ? `${nameText(address)}: ${DONE[action]}`
    : `${nameText(address)}: not ${DONE[action]}: ${sentence(message ?? 'the reason is not known')}`;
}
