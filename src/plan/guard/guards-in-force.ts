// Lists the guards of a plan, in the order and form that the hash and the outputs use.
import { listed } from '../../base/picked.ts';
import { canonicalJson, compareText, isJsonObject, type Json } from '../../base/json.ts';
import { isoTime } from '../../base/time/clock.ts';
import type { DesiredResource, DesiredState, SafetyLimits } from '../../model/desired.ts';
import type { KindPlace } from '../../model/kind.ts';
import type { Guard, GuardName } from '../../model/outcome/guard.ts';

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

/** Returns the content of the files' guards, without source ranges and repeats. */
export function guardMeanings(guards: readonly Guard[]): readonly string[] {
  const texts = guards
    .filter(({ from }) => from === 'file')
    .map(({ guard, project, address, value }) => canonicalJson([guard, project, address, value]));
  return [...new Set(texts)].sort(compareText);
}

/** Returns the parts that identify a guard: two guards with equal parts are the same guard, however strict. */
export function keyParts({
  guard,
  project,
  address,
  value,
}: Pick<Guard, 'project' | 'address' | 'value'> & { readonly guard: string }): readonly Json[] {
  const own = [guard, project, address];
  if (guard === 'ignore' || guard === 'protect') return [...own, value];
  return guard === 'hold' && isJsonObject(value) ? [...own, value['path'] ?? null, value['value'] ?? null] : own;
}
