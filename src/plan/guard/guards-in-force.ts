// Lists the guards in force. Compares two sets of files by their guards, and by their rules for every run, such as prune.
import { listed } from '../../base/picked.ts';
import { canonicalJson, compareText, isJsonObject, type Json, isJsonArray, objectOf } from '../../base/json.ts';
import { isoTime } from '../../base/time/clock.ts';
import { addressesIn, type DesiredResource, type DesiredState, type SafetyLimits, KEY } from '../../model/desired.ts';
import type { KindPlace } from '../../model/kind.ts';
import type { Guard, GuardName, GuardChange } from '../../model/outcome/guard.ts';
import { formatDuration } from '../../base/time/duration.ts';
import { RETENTION, retentionAddress, setAddress, SETS, scopeOf, type Address } from '../../model/address.ts';
import type { Change, Plan } from '../../model/outcome/plan.ts';
import { MOST_DROPS } from './limits.ts';

export function guardsOf(
  { resources, safety }: Pick<DesiredState, 'resources' | 'safety'>,
  kinds: readonly Pick<KindPlace, 'parent'>[],
): readonly Guard[] {
  const parents = new Set(kinds.map(({ parent }) => parent));
  const own = resources.flatMap((one) => lifecycleGuards(one, parents.has(one.kind) ? ITSELF : true));
  const keyOf = (guard: Guard): string => canonicalJson([...keyParts(guard), guard.value, guard.from]);
  const guards = [...safety.flatMap(limitsGuards), ...own].map((guard) => [keyOf(guard), guard] as const);
  return guards.sort(([a], [b]) => compareText(a, b)).map(([, guard]) => guard);
}

const MS_PER_SECOND = 1000;

function limitsGuards(limits: SafetyLimits): Guard[] {
  const { project, protect, maxDeletes, maxRestarts, maxChangePercent, windows, isOperators, source = null } = limits;
  const from = isOperators === true ? 'operator' : 'file';
  const counts: readonly [GuardName, number | null][] = [
    ['max_deletes', maxDeletes],
    ['max_drops', limits.maxDrops ?? null],
    ['unless_idle', limits.unlessIdleMs === undefined ? null : limits.unlessIdleMs / MS_PER_SECOND],
    ['max_restarts', maxRestarts],
    ['max_change_percent', maxChangePercent],
  ];
  const covering = { project, address: null, from, source } as const;
  return listed(
    ...protect.map((glob): Guard => ({ ...covering, guard: 'protect', address: glob, value: true })),
    ...counts.flatMap(([guard, value]): Guard[] => (value === null ? [] : [{ ...covering, guard, value }])),
    windows.length > 0 && {
      ...covering,
      guard: 'windows' as const,
      value: windows.map(({ text }) => text).sort(compareText),
    },
  );
}

/** The value of a `protect` guard that covers only one resource; a pattern in a safety block also covers the resources below. */
const ITSELF = 'itself';

function lifecycleGuards({ address, scope, source, lifecycle }: DesiredResource, protection: Json): Guard[] {
  const { protect, ignore, hold } = lifecycle;
  const own = { project: scope, address, from: 'file', source } as const;
  return listed(
    protect && { ...own, guard: 'protect' as const, value: protection },
    ...ignore.map((path): Guard => ({ ...own, guard: 'ignore', value: path })),
    ...hold.map(({ path, value, untilMs, reason, source: at }): Guard => ({
      ...own,
      guard: 'hold',
      value: { path, value, until: isoTime(untilMs), reason },
      source: at,
    })),
  );
}

/** Returns the parts that identify a guard: two guards with equal parts are the same guard, even if one is stricter. */
function keyParts({
  guard,
  project,
  address,
  value,
}: Pick<Guard, 'project' | 'address' | 'value'> & { readonly guard: string }): readonly Json[] {
  const own = [guard, project, address];
  if (guard === 'ignore' || guard === 'protect') return [...own, value];
  return guard === 'hold' && isJsonObject(value) ? [...own, value['path'] ?? null, value['value'] ?? null] : own;
}

/** A guard, or a rule for every run, such as prune. */
type Order = Pick<Guard, 'project' | 'address' | 'value' | 'from'> & { readonly guard: string };

/**
 * Compares guards and the rules for every run (prune, sinks, rotation), because a rule without an effect now may have a large effect later.
 * Includes the rules of a new address if its resource exists already (`isThere`): otherwise a new label would hide that the rules differ.
 */
export function wordsChanged(
  before: DesiredState,
  after: DesiredState,
  {
    kinds,
    isThere,
  }: { readonly kinds: Parameters<typeof guardsOf>[1]; readonly isThere: (address: Address) => boolean },
): readonly GuardChange[] {
  const [was, is] = [new Set(addressesIn(before)), new Set(addressesIn(after))];
  return guardChanges(
    [...guardsOf(before, kinds), ...ordersOf(before, (address) => is.has(address))],
    [...guardsOf(after, kinds), ...ordersOf(after, (address) => was.has(address) || isThere(address))],
  );
}

/** Returns the rules that hold in every run. `isTold`: false for an address whose declaration is new or gone, so its rules are left out. */
function ordersOf(
  { resources, projects, accountPrune, projectsComplete, expect }: DesiredState,
  isTold: (address: Address) => boolean,
): readonly Order[] {
  const orders: Order[] = [];
  const add = (guard: string, value: Json, project: string | null = null, address: Address | null = null): void => {
    orders.push({ guard, project, address, value, from: 'file' });
  };
  if (expect !== null) add('expect', { base_url: expect.baseUrl, has_project: expect.hasProject });
  if (projectsComplete !== undefined) add('projects_complete', projectsComplete);
  for (const kind of accountPrune) add('prune', true, kind);
  for (const { label, prune, sets = [], retention = [] } of projects) {
    if (prune !== false) add('prune', prune, label);
    for (const { name, gone, graceMs, template } of sets) {
      const form = String(template[0].spec['name']).replace(KEY, '{key}');
      add(SETS, { gone, grace_ms: graceMs, name: form }, label, setAddress(label, name));
    }
    for (const { name, match, olderThanMs, idleForMs, keep, isKeepGiven, max } of retention) {
      const value = {
        match: [...match],
        older_than: formatDuration(olderThanMs),
        idle_for: formatDuration(idleForMs),
        keep: isKeepGiven ? 'variable' : [...keep],
        max,
      };
      add(RETENTION, value, label, retentionAddress(label, name));
    }
  }
  for (const { address, scope, options } of resources.filter((one) => isTold(one.address)))
    for (const [name, value] of Object.entries(options))
      // The option `name` is not a rule.
      if (name !== 'name') add(name, value, scope, address);
  return orders;
}

/** Adds to each new or changed retention rule the number of resources that it deletes now. */
export function withTaken(guards: readonly GuardChange[], { changes }: Pick<Plan, 'changes'>): readonly GuardChange[] {
  return guards.map((one) => {
    const { guard, address, after } = one;
    if (guard !== RETENTION || !isJsonObject(after)) return one;
    const taken = changes.filter((change) => change.due && change.address.startsWith(`${address}/`));
    return { ...one, after: { ...after, takes_now: taken.length } };
  });
}

/** Returns changes of access in the form of guard changes: a grant needs no consent, so a reviewer could otherwise overlook the grant. */
export function accessChanged(changes: readonly Change[]): readonly GuardChange[] {
  return changes
    .filter(({ impact, consents }) => consents !== undefined && impact.includes('access_changes'))
    .flatMap(({ kind, address, action, attributes, impactDetails }): GuardChange[] => {
      const on = { project: scopeOf(address), address };
      if (action === 'create') return [{ ...on, change: 'added', guard: kind, before: null, after: true }];
      const { paths = null } = objectOf(impactDetails['access_changes']);
      return attributes
        .filter(({ path }) => isJsonArray(paths) && paths.includes(path))
        .map(({ path, before, after }) => ({ ...on, change: 'changed', guard: path, before, after }));
    });
}

/** Returns the guards that differ between the files; the operator's limits are not compared. */
export function guardChanges(before: readonly Order[], after: readonly Order[]): readonly GuardChange[] {
  const [was, is] = [strictest(before), strictest(after)];
  const keys = [...new Set([...was.keys(), ...is.keys()])].sort(compareText);
  return keys.flatMap((key): GuardChange[] => {
    const [one, other] = [was.get(key), is.get(key)];
    const known = other ?? one;
    if (known === undefined || canonicalJson(one?.value) === canonicalJson(other?.value)) return [];
    const { guard, project, address } = known;
    const change = one === undefined ? addedWord(known, was, is) : changeWord(one, other);
    return [{ change, guard, project, address, before: one?.value ?? null, after: other?.value ?? null }];
  });
}

/** Combines the files' guards with equal `keyParts` into one guard that is as strict as all of them together. */
function strictest(guards: readonly Order[]): Known {
  const known = new Map<string, Order>();
  for (const one of guards) {
    if (one.from !== 'file') continue;
    const key = canonicalJson(keyParts(one));
    const other = known.get(key);
    known.set(key, other === undefined ? one : { ...other, value: stricter(one.guard, other.value, one.value) });
  }
  return known;
}

/** Guards for which a higher number is stricter. */
const RISING: ReadonlySet<string> = new Set<GuardName>(['unless_idle']);

/** Combines two values: the stricter number, the hold that ends last, or both lists of windows: a change needs an open window in each list. */
function stricter(guard: string, one: Json, other: Json): Json {
  if (typeof one === 'number' && typeof other === 'number')
    return RISING.has(guard) ? Math.max(one, other) : Math.min(one, other);
  if (isJsonObject(one) && isJsonObject(other))
    return compareText(String(one['until']), String(other['until'])) > 0 ? one : other;
  if (!isJsonArray(one) || !isJsonArray(other)) return other;
  const blocks = isJsonArray(one[0] ?? null) ? one : [one];
  if (blocks.some((block) => canonicalJson(block) === canonicalJson(other))) return one;
  return [...blocks, other];
}

type Known = ReadonlyMap<string, Order>;

/** Returns `loosened` if a new `max_drops` permits more drops by pattern. The default is one for the whole plan, so one for each project is more. */
function addedWord({ guard, project, value }: Order, was: Known, is: Known): GuardChange['change'] {
  if (guard !== 'max_drops') return 'added';
  if (project === null) return Number(value) > MOST_DROPS ? 'loosened' : 'added';
  const ofAll = canonicalJson(keyParts({ guard, project: null, address: null, value }));
  if (is.has(ofAll)) return 'added';
  return Number(value) > Number(was.get(ofAll)?.value ?? MOST_DROPS - 1) ? 'loosened' : 'added';
}

function changeWord(one: Order, other: Order | undefined): GuardChange['change'] {
  if (other === undefined) return 'removed';
  const [before, after] = [one.value, other.value];
  if (typeof before === 'number' && typeof after === 'number')
    return after > before === RISING.has(other.guard) ? 'tightened' : 'loosened';
  if (isJsonArray(before) && isJsonArray(after)) return windowsWord(before, after);
  if (!isJsonObject(before) || !isJsonObject(after)) return 'changed';
  const { until: since, ...held } = before;
  const { until, ...holds } = after;
  if (canonicalJson(held) !== canonicalJson(holds)) return 'changed';
  return compareText(String(since), String(until)) > 0 ? 'loosened' : 'tightened';
}

/** Adding windows to a block loosens it, and removing windows tightens it. */
function windowsWord(before: readonly Json[], after: readonly Json[]): GuardChange['change'] {
  if ([...before, ...after].some((one) => typeof one !== 'string')) return 'changed';
  if (before.every((one) => after.includes(one))) return 'loosened';
  return after.every((one) => before.includes(one)) ? 'tightened' : 'changed';
}
