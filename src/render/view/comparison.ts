// A plan's changes told apart: what this change brings, what was pending before it, what it lets go.
import { isJsonObject, type Json } from '../../base/json.ts';
import { plural } from '../../base/text/words.ts';
import { formatDuration } from '../../base/time/duration.ts';
import type { Address } from '../../model/address.ts';
import type { Comparison } from '../../model/outcome/comparison.ts';
import type { Guard, GuardChange, GuardName } from '../../model/outcome/guard.ts';
import type { Change } from '../../model/outcome/plan.ts';
import type { PlanRows } from './plan-rows.ts';
import { sentence, shown } from '../text/escape.ts';
import { valueText } from '../text/value.ts';

/** One of the sections that a comparison makes of a plan: each says what it has, of a kind or of several. */
export interface ComparedSection {
  readonly title: string;
  readonly sentences: readonly string[];
  /** What an apply does now. */
  readonly changes: readonly Change[];
  /** What waits or is held back. */
  readonly elsewhere: readonly { readonly change: Change; readonly where: 'blocked' | 'due' }[];
  readonly addresses: readonly Address[];
  /** True where a reader looks for it, so that nothing is said to be nothing. */
  readonly isAlwaysTold: boolean;
}

const EMPTY: Omit<ComparedSection, 'title'> = {
  sentences: [],
  changes: [],
  elsewhere: [],
  addresses: [],
  isAlwaysTold: false,
};

/** Sorts rows by what the comparison says of their addresses; what it does not know counts as from this change. */
export function comparedSections(rows: PlanRows, comparison: Comparison): readonly ComparedSection[] {
  const pending = new Set(comparison.alreadyPending);
  const changesWhere = (isMember: (change: Change) => boolean): Pick<ComparedSection, 'changes' | 'elsewhere'> => ({
    changes: rows.changes.filter(isMember),
    elsewhere: [
      ...rows.blocked.filter(isMember).map((change) => ({ change, where: 'blocked' as const })),
      ...rows.due.filter(isMember).map((change) => ({ change, where: 'due' as const })),
    ],
  });
  return [
    { ...EMPTY, title: 'Guards changed', sentences: guardChangeTexts(comparison) },
    {
      ...EMPTY,
      title: 'From this change',
      ...changesWhere(({ address }) => !pending.has(address)),
      isAlwaysTold: true,
    },
    {
      ...EMPTY,
      title: 'Already pending (without this change)',
      ...changesWhere(({ address }) => pending.has(address)),
    },
    { ...EMPTY, title: 'No longer managed (live, and left alone)', addresses: comparison.noLongerManaged },
  ];
}

/** `2 from this change, 1 already pending, 1 no longer managed`: in one line, whatever there is. */
export function comparedCounts(
  { changes, blocked, due }: PlanRows,
  { alreadyPending, noLongerManaged, guardsChanged }: Comparison,
): string {
  const pending = new Set(alreadyPending);
  const all = [...changes, ...blocked, ...due];
  const before = all.filter(({ address }) => pending.has(address)).length;
  const guards = guardsChanged.length === 0 ? '' : `, ${plural(guardsChanged.length, 'guard')} changed`;
  return (
    `${all.length - before} from this change, ${before} already pending, ` +
    `${noLongerManaged.length} no longer managed${guards}`
  );
}

/** What of the guards is another one than in the files compared with, what lets more happen first. */
export function guardChangeTexts({ guardsChanged }: Pick<Comparison, 'guardsChanged'>): readonly string[] {
  return guardsChanged.toSorted((a, b) => rankOf(a) - rankOf(b)).map(guardText);
}

/** Guards that keep hands off one attribute; all others say what a run may do. */
const OF_ATTRIBUTES: ReadonlySet<string> = new Set<GuardName>(['hold', 'ignore']);
/** What holds a run back; all else orders something: to remove what is in no file, where secrets go, when a clock acts. */
const HOLDING: Readonly<Record<GuardName | 'expect', true>> = {
  protect: true,
  hold: true,
  ignore: true,
  windows: true,
  unless_idle: true,
  max_deletes: true,
  max_drops: true,
  max_restarts: true,
  max_change_percent: true,
  expect: true,
};

/** The lower, the more it lets happen: to the whole account or a project, to one resource, to one attribute, and nothing. */
function rankOf({ change, guard, address }: GuardChange): number {
  const isHolding = Object.hasOwn(HOLDING, guard);
  const mayLetMore = isHolding ? change !== 'added' && change !== 'tightened' : change !== 'removed';
  if (!mayLetMore) return 3;
  if (OF_ATTRIBUTES.has(guard)) return 2;
  return address === null ? 0 : 1;
}

/** `loosened: max_deletes of shop: 1 → 5`, `removed: protect of shop/first`. */
function guardText({ change, guard, project, address, before, after }: GuardChange): string {
  const on = address ?? project;
  const what = `${change}: ${guard}${on === null ? '' : ` of ${shown(on)}`}`;
  if (before === true || after === true) return what;
  if (before === null) return `${what}: ${limitText(guard, after)}`;
  return after === null
    ? `${what} (was ${limitText(guard, before)})`
    : `${what}: ${limitText(guard, before)} → ${limitText(guard, after)}`;
}

/** A time in use is recorded in seconds, and read as a duration. */
function limitText(guard: string, value: Json): string {
  return guard === 'unless_idle' && typeof value === 'number' ? formatDuration(value * 1000) : valueText(value);
}

/** What does not let a run do everything, once each, and from where: `protect of shop/a (trueup.yaml:12)`, `max_deletes: 1 (--safety limits.yaml:2)`. */
export function guardTexts({ guards }: Pick<PlanRows, 'guards'>): readonly string[] {
  return [...new Set(guards.map((guard) => `${guardWords(guard)}${placeText(guard)}`))];
}

function guardWords({ guard, project, address, value }: Guard): string {
  const on = address ?? project;
  const what = `${guard}${on === null ? '' : ` of ${shown(on)}`}`;
  if (value === true) return what;
  if (guard === 'unless_idle') return `${what}: ${limitText(guard, value)}`;
  if (Array.isArray(value)) return `${what}: ${value.map((one) => shown(String(one), 100)).join('; ')}`;
  if (!isJsonObject(value)) return `${what}: ${typeof value === 'string' ? shown(value, 100) : valueText(value)}`;
  const { path, value: held, until, reason } = value;
  const because = typeof reason === 'string' && reason !== '' ? ` (${sentence(reason)})` : '';
  return `${what}: ${shown(String(path), 100)} at ${valueText(held ?? null, 60)} until ${shown(String(until).slice(0, 10))}${because}`;
}

/** Of the operator's own limits the flag that named their file is said, too. */
function placeText({ from, source }: Guard): string {
  const place = source === null ? '' : `${shown(source.file, 200)}:${source.start.line}`;
  const words = [from === 'operator' ? '--safety' : '', place].filter((part) => part !== '').join(' ');
  return words === '' ? '' : ` (${words})`;
}
