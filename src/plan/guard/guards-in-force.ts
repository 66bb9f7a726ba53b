// The guards that a plan was made under, and what changed of them between two sets of files.
import { canonicalJson, compareText, isJsonArray, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { isoTime } from '../../base/time/clock.ts';
import type { Address } from '../../model/address.ts';
import type { DesiredResource, DesiredState, SafetyLimits } from '../../model/desired.ts';
import type { Guard, GuardChange, GuardName } from '../../model/outcome/guard.ts';
import { sourceToJson } from '../json/change-json.ts';
import { MOST_DROPS } from './limits.ts';

/** All of them, sorted by what they are and cover. */
export function guardsOf({ resources, safety }: Pick<DesiredState, 'resources' | 'safety'>): readonly Guard[] {
  const guards = [...safety.flatMap(limitsGuards), ...resources.flatMap(lifecycleGuards)];
  return guards
    .map((guard) => ({ guard, key: canonicalJson([...keyParts(guard), guard.value, guard.from]) }))
    .sort((a, b) => compareText(a.key, b.key))
    .map(({ guard }) => guard);
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
  return [
    ...protect.map((glob): Guard => ({ ...covering, guard: 'protect', address: glob, value: true })),
    ...counts.flatMap(([guard, value]): Guard[] => (value === null ? [] : [{ ...covering, guard, value }])),
    ...(windows.length === 0
      ? []
      : [{ ...covering, guard: 'windows' as const, value: windows.map(({ text }) => text).sort(compareText) }]),
  ];
}

function lifecycleGuards({ address, scope, source, lifecycle }: DesiredResource): Guard[] {
  const { protect, ignore, hold } = lifecycle;
  const own = { project: scope, address, from: 'file', source } as const;
  return [
    ...(protect ? [{ ...own, guard: 'protect' as const, value: true }] : []),
    ...ignore.map((path): Guard => ({ ...own, guard: 'ignore', value: path })),
    ...hold.map(({ path, value, untilMs, reason, source: at }): Guard => ({
      ...own,
      guard: 'hold',
      value: { path, value, until: isoTime(untilMs), reason },
      source: at,
    })),
  ];
}

/** What the guards of the files say, without where they stand: twice the same is once. */
export function guardMeanings(guards: readonly Guard[]): readonly string[] {
  const texts = guards
    .filter(({ from }) => from === 'file')
    .map(({ guard, project, address, value }) => canonicalJson([guard, project, address, value]));
  return [...new Set(texts)].sort(compareText);
}

export function guardToJson({ guard, project, address, value, from, source }: Guard): JsonObject {
  return { guard, project, address, value, from, source: source === null ? null : sourceToJson(source) };
}

/** What makes two guards the same one, however strict. */
function keyParts({ guard, project, address, value }: Omit<Order, 'from'>): readonly Json[] {
  const part = guard === 'ignore' ? value : guard === 'hold' && isJsonObject(value) ? (value['path'] ?? null) : null;
  return [guard, project, address, part];
}

type Held = Pick<DesiredState, 'resources' | 'safety'>;
type Ordered = Pick<DesiredState, 'resources' | 'projects' | 'accountPrune' | 'expect'>;

/**
 * What `after` guards and orders otherwise than `before`. Orders that stand (what is pruned, where a secret goes, when a clock acts) may
 * change nothing today: a plan then shows no change, and a run next month does. Those of an address that is new are told where `isThere`:
 * another label hides nothing.
 */
export function wordsChanged(
  before: Held & Ordered,
  after: Held & Ordered,
  isThere: (address: Address) => boolean,
): readonly GuardChange[] {
  const [was, is] = [addressesIn(before), addressesIn(after)];
  return guardChanges(
    [...guardsOf(before), ...ordersOf(before, (address) => is.has(address))],
    [...guardsOf(after), ...ordersOf(after, (address) => was.has(address) || isThere(address))],
  );
}

function addressesIn({ resources }: Ordered): ReadonlySet<Address> {
  return new Set(resources.map(({ address }) => address));
}

/** Standing orders; of resources only of those, since the others stand in the plan as what comes and goes. */
function ordersOf(
  { resources, projects, accountPrune, expect }: Ordered,
  isTold: (address: Address) => boolean,
): readonly Order[] {
  const order = (guard: string, value: Json, own: Partial<Order> = {}): Order => ({
    guard,
    project: null,
    address: null,
    value,
    from: 'file',
    ...own,
  });
  return [
    ...(expect === null ? [] : [order('expect', { base_url: expect.baseUrl, has_project: expect.hasProject })]),
    ...accountPrune.map((kind) => order('prune', true, { project: kind })),
    ...projects.flatMap(({ label, prune }) => (prune === false ? [] : [order('prune', prune, { project: label })])),
    ...resources
      .filter(({ address }) => isTold(address))
      .flatMap(({ address, scope, options }) =>
        Object.entries(options)
          // What it is called orders nothing.
          .filter(([name]) => name !== 'name')
          .map(([name, value]) => order(name, value, { project: scope, address })),
      ),
  ];
}

/** A guard, or an order that is none. */
type Order = Pick<Guard, 'project' | 'address' | 'value' | 'from'> & { readonly guard: string };

/** What `after` guards otherwise than `before`; the operator's limits are no part of either's files. */
export function guardChanges(before: readonly Order[], after: readonly Order[]): readonly GuardChange[] {
  const [was, is] = [strictest(before), strictest(after)];
  const keys = [...new Set([...was.keys(), ...is.keys()])].sort(compareText);
  return keys.flatMap((key): GuardChange[] => {
    const [one, other] = [was.get(key), is.get(key)];
    const known = other ?? one;
    if (known === undefined || canonicalJson(one?.value) === canonicalJson(other?.value)) return [];
    const { guard, project, address } = known;
    return [
      {
        change: one === undefined ? addedWord(known, was, is) : changeWord(one, other),
        guard,
        project,
        address,
        before: one?.value ?? null,
        after: other?.value ?? null,
      },
    ];
  });
}

/** Guards by what they are and cover; several on the same become one, as strict as they are together. */
function strictest(guards: readonly Order[]): ReadonlyMap<string, Order> {
  const byKey = new Map<string, Order>();
  for (const guard of guards) {
    if (guard.from !== 'file') continue;
    const key = canonicalJson(keyParts(guard));
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, guard);
    else byKey.set(key, { ...known, value: together(guard.guard, known.value, guard.value) });
  }
  return byKey;
}

/** Guards of which the higher number is the stricter one. */
const RISING: ReadonlySet<string> = new Set<GuardName>(['unless_idle']);

/** Each count holds, so the strictest one; of windows, one of each block has to be open. */
function together(guard: string, one: Json, other: Json): Json {
  if (typeof one === 'number' && typeof other === 'number')
    return RISING.has(guard) ? Math.max(one, other) : Math.min(one, other);
  if (!isJsonArray(one) || !isJsonArray(other) || canonicalJson(one) === canonicalJson(other)) return other;
  const first = one[0];
  return first !== undefined && isJsonArray(first) ? [...one, other] : [one, other];
}

type Known = ReadonlyMap<string, Order>;

/** Where no block says how many may be dropped that only a pattern names, one may in all: one of each project is more. */
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

/** More windows of one block let more through. */
function windowsWord(before: readonly Json[], after: readonly Json[]): GuardChange['change'] {
  const has = (list: readonly Json[], one: Json): boolean =>
    list.some((item) => canonicalJson(item) === canonicalJson(one));
  if ([...before, ...after].some((one) => typeof one !== 'string')) return 'changed';
  if (before.every((one) => has(after, one))) return 'loosened';
  return after.every((one) => has(before, one)) ? 'tightened' : 'changed';
}
