// Impacts in words, with the numbers behind them.
import { isJsonObject } from '../base/json.ts';
import type { Json } from '../base/json.ts';
import type { Change, Impact } from '../model/plan.ts';
import { shown } from './text.ts';
import { valueText } from './value.ts';

const WORDS: Readonly<Record<Impact, string>> = {
  permanent: 'permanent: cannot be undone',
  drops_connections: 'drops existing connections',
  host_changes: 'the host name changes',
  cold_start: 'the next connection waits for a cold start',
  max_connections: 'the connection limit changes',
  secret_created: 'a new secret is created',
  none: 'none',
};
const ORDER = Object.keys(WORDS) as Impact[];

/** What the change does to people, worst first; empty when it does nothing to them. */
export function impactWords(change: Change): string[] {
  return [...effectWords(change), ...numberWords(change)];
}

/** The effects in our own words, without those for which there are numbers. */
export function effectWords(change: Pick<Change, 'impact' | 'impactDetails'>): string[] {
  return ORDER.filter(
    (impact) => impact !== 'none' && change.impact.includes(impact) && !Object.hasOwn(change.impactDetails, impact),
  ).map((impact) => WORDS[impact]);
}

/** The numbers behind the effects. */
export function numberWords(change: Change): string[] {
  return Object.entries(change.impactDetails).map(([key, value]) => detailWords(key, value));
}

/** `max connections 1802 → 3604`, `RAM 4 → 8 GB`: the numbers that come with the impact. */
function detailWords(key: string, value: Json): string {
  const gigabytes = key.endsWith('_gb');
  const name = (gigabytes ? key.slice(0, -3) : key).replaceAll('_', ' ').replace(/^ram$/, 'RAM');
  return `${shown(name, 60)} ${sides(value)}${gigabytes ? ' GB' : ''}`;
}

function sides(value: Json): string {
  if (isJsonObject(value) && Object.hasOwn(value, 'before') && Object.hasOwn(value, 'after')) {
    const { before, after } = value;
    return `${before === null ? 'unknown' : valueText(before)} → ${after === null ? 'unknown' : valueText(after)}`;
  }
  return valueText(value);
}

/** True when the change cuts people off or takes something away for good. */
export function isDangerous(change: Change): boolean {
  if (change.action === 'delete' || change.action === 'replace' || change.action === 'revoke') return true;
  if (change.action === 'restart') return true;
  return change.impact.some(
    (impact) => impact === 'drops_connections' || impact === 'permanent' || impact === 'host_changes',
  );
}
