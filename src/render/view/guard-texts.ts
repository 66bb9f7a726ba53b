// Guards and their changes in words. Changes that let more happen come first.
import { groupBy } from '../../base/group-by.ts';
import { compareText, isJsonArray, isJsonObject, jsonEqual, type Json } from '../../base/json.ts';
import { formatDuration } from '../../base/time/duration.ts';
import type { Guard, GuardChange, GuardName, Comparison } from '../../model/outcome/guard.ts';
import { sentence, shown, valueText } from '../text/escape.ts';
import type { PlanRows } from './plan-rows.ts';

export function guardChangeTexts({ guardsChanged }: Pick<Comparison, 'guardsChanged'>): readonly string[] {
  return ranked(guardsChanged).map(guardText);
}

const ALIKE_LISTED = 10;

export interface GuardGroup {
  /** The changes in one line: `removed: protect of shop/*, shop/first and 48 more`. */
  readonly text: string;
  readonly brief: string;
}

export function guardChangeGroups({ guardsChanged }: Pick<Comparison, 'guardsChanged'>): readonly GuardGroup[] {
  const alike = groupBy(ranked(guardsChanged), ({ change, guard }) => `${change}: ${guard}`);
  return [...alike].map(([what, [first, ...others]]): GuardGroup => {
    if (others.length === 0) return { text: guardText(first), brief: what };
    const places = new Set([first, ...others].map(({ project, address }) => address ?? project ?? 'everything'));
    const all = [...places].map((place) => shown(place, 60));
    const more = all.length - ALIKE_LISTED;
    const text = `${what} of ${all.slice(0, ALIKE_LISTED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    return { text, brief: `${what} (${others.length + 1})` };
  });
}

const BEFORE_OTHERS: readonly GuardName[] = ['max_drops', 'max_deletes', 'protect', 'windows', 'unless_idle'];
const AFTER_OTHERS: readonly GuardName[] = ['max_restarts', 'max_change_percent', 'hold', 'ignore'];
/** The keys of the file whose changes matter as much as those of guards. A key that they add lets more happen. */
const KEYS = ['files', 'prune', 'secret', 'other'];
const ORDER = ['expect', 'files', 'prune', ...BEFORE_OTHERS, 'secret', 'other', ...AFTER_OTHERS];

function ranked(all: readonly GuardChange[]): readonly GuardChange[] {
  const rankOf = ({ change, guard, project, address }: GuardChange): number => {
    const name = ORDER.includes(guard) ? guard : 'other';
    const letsMore = KEYS.includes(name) ? change !== 'removed' : change !== 'added' && change !== 'tightened';
    // Guards of everything come before guards of a project, and these before guards of a resource.
    return (letsMore ? 0 : 100) + 3 * ORDER.indexOf(name) + (project === null ? 0 : address === null ? 1 : 2);
  };
  return all.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** Changes are never cut, because two addresses or values may differ in the last character only. */
const WHOLE = Infinity;

/** A change of a guard: `loosened: max_deletes of shop: 1 → 5`, `removed: protect of shop/first`. */
function guardText({ change, guard, project, address, before, after }: GuardChange): string {
  const what = `${change}: ${subject({ guard, project, address, value: after ?? before }, WHOLE)}`;
  if (before === null) return isMark(after) ? what : `${what}: ${limitText(guard, after)}`;
  if (after === null) return isMark(before) ? what : `${what} (was ${limitText(guard, before)})`;
  const moved = partsMoved(guard, before, after);
  return `${what}: ${moved.length > 0 ? moved.join(', ') : `${limitText(guard, before)} → ${limitText(guard, after)}`}`;
}

/** A guard with its scope: `max_deletes of shop`, `protect of shop/first itself`. */
function subject(
  { guard, project, address, value }: Pick<GuardChange, 'guard' | 'project' | 'address'> & { readonly value: Json },
  maxLength?: number,
): string {
  const on = address ?? project;
  if (on === null) return guard;
  return `${guard} of ${shown(on, maxLength)}${value === 'itself' ? ' itself' : ''}`;
}

function isMark(value: Json): boolean {
  return value === true || value === 'itself';
}

/** Only the entries that were added, removed or changed, because the whole value may be too long. */
function partsMoved(guard: string, before: Json, after: Json): readonly string[] {
  if (isJsonObject(before) && isJsonObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort(compareText);
    return names
      .map((name) => ({ name, was: before[name] ?? null, is: after[name] ?? null }))
      .filter(({ was, is }) => !jsonEqual(was, is))
      .map(({ name, was, is }) => `${shown(name)} ${limitText(guard, was)} → ${limitText(guard, is)}`);
  }
  // `windows` is a list (one block) or a list of lists (several blocks). Entries of different shapes cannot be compared.
  if (!isJsonArray(before) || !isJsonArray(after) || before.some(isJsonArray) !== after.some(isJsonArray)) return [];
  const without = (some: readonly Json[], others: readonly Json[]): readonly Json[] =>
    some.filter((one) => !others.some((other) => jsonEqual(one, other)));
  return [
    ...without(after, before).map((one) => `+ ${valueText(one, WHOLE)}`),
    ...without(before, after).map((one) => `- ${valueText(one, WHOLE)}`),
  ];
}

function limitText(guard: string, value: Json): string {
  return guard === 'unless_idle' && typeof value === 'number' ? formatDuration(value * 1000) : valueText(value, WHOLE);
}

/** The guards of this run with their positions, without duplicates: `protect of shop/a (trueup.yaml:12)`. */
export function guardTexts({ guards }: Pick<PlanRows, 'guards'>): readonly string[] {
  return [...new Set(guards.map((guard) => `${guardWords(guard)}${placeText(guard)}`))];
}

function guardWords(own: Guard): string {
  const { guard, value } = own;
  const what = subject(own);
  if (isMark(value)) return what;
  if (guard === 'unless_idle') return `${what}: ${limitText(guard, value)}`;
  if (Array.isArray(value)) return `${what}: ${value.map((one) => shown(String(one), 100)).join('; ')}`;
  if (!isJsonObject(value)) return `${what}: ${typeof value === 'string' ? shown(value, 100) : valueText(value)}`;
  const { path, value: held, until, reason } = value;
  const because = typeof reason === 'string' && reason !== '' ? ` (${sentence(reason)})` : '';
  return `${what}: ${shown(String(path), 100)} at ${valueText(held ?? null, 60)} until ${shown(String(until).slice(0, 10))}${because}`;
}

function placeText({ from, source }: Guard): string {
  const place = source === null ? '' : `${shown(source.file, 200)}:${source.start.line}`;
  const words = [from === 'operator' ? '--safety' : '', place].filter((part) => part !== '').join(' ');
  return words === '' ? '' : ` (${words})`;
}
