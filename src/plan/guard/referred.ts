// What something that stays refers to cannot go: the service would refuse that, and say so only when it is asked.
import { groupBy } from '../../base/group-by.ts';
import { listOf } from '../../base/text/words.ts';
import type { Json } from '../../base/json.ts';
import type { Address } from '../../model/address.ts';
import { blocked, removes } from '../diff/draft.ts';
import type { Draft } from '../diff/draft.ts';
import type { ReferenceRule } from '../kind-rules.ts';
import type { Matching } from '../match/matching.ts';
import { unlistedAddress } from '../scope.ts';
import type { Scope } from '../scope.ts';

/** The drafts, those of removals blocked that what stays refers to, each with a note that names it. */
export function guardReferred(drafts: readonly Draft[], matchings: readonly Matching[]): readonly Draft[] {
  const wanted = new Set(matchings.flatMap(({ scope }) => holdingRules(scope).map(([, { kind }]) => kind)));
  if (!drafts.some(({ change }) => removes(change) && wanted.has(change.kind))) return drafts;
  const byLive = new Map(drafts.flatMap((draft) => (draft.live === null ? [] : [[draft.live, draft] as const])));
  const uses = groupBy(
    matchings.flatMap((matching) => usesIn(matching, byLive)),
    ({ key }) => key,
  );
  return drafts.map((draft) => {
    const { change, live, scope } = draft;
    if (live === null || !removes(change) || !wanted.has(change.kind)) return draft;
    const names = namesOf(scope, live.id, live.spec).flatMap((key) => uses.get(key) ?? []);
    if (names.length === 0) return draft;
    const users = [...new Set(names.map(({ address }) => address))].sort();
    const note = `${listOf(users.slice(0, 5))}${users.length > 5 ? ` and ${users.length - 5} more` : ''} ${users.length === 1 ? 'rests' : 'rest'} on it, and ${users.length === 1 ? 'stays' : 'stay'}`;
    return blocked({ ...draft, change: { ...change, notes: [...change.notes, note] } }, 'refused');
  });
}

interface Use {
  readonly key: string;
  readonly address: Address;
}

function holdingRules({ rules: { references = {} } }: Scope): readonly (readonly [string, ReferenceRule])[] {
  return Object.entries(references).filter(([, { holds }]) => holds === true);
}

/** What the live resources of a scope that stay refer to once the plan is done. */
function usesIn({ scope, bindings }: Matching, byLive: ReadonlyMap<Draft['live'], Draft>): readonly Use[] {
  const rules = holdingRules(scope);
  if (rules.length === 0) return [];
  const addresses = new Map(
    bindings.flatMap(({ desired, live }) => (live === null ? [] : [[live, desired.address] as const])),
  );
  return scope.live.flatMap((live) => {
    const draft = byLive.get(live);
    if (draft !== undefined && removes(draft.change)) return [];
    const spec = draft?.specAfter ?? live.spec;
    const address = addresses.get(live) ?? unlistedAddress(scope, live);
    return rules.flatMap(([path, rule]) => {
      const value = spec[path];
      return typeof value === 'string' ? [{ key: keyOf(scope, rule, value), address }] : [];
    });
  });
}

function namesOf(scope: Scope, id: string, spec: { readonly [path: string]: Json }): readonly string[] {
  const { kind } = scope.rules;
  return (['siblings', 'project'] as const).flatMap((among) => [
    keyOf(scope, { kind, field: 'id', among }, id),
    ...Object.entries(spec).flatMap(([field, value]) =>
      typeof value === 'string' ? [keyOf(scope, { kind, field, among }, value)] : [],
    ),
  ]);
}

function keyOf({ project, parent }: Scope, { kind, field, among }: ReferenceRule, value: string): string {
  return JSON.stringify([project?.id ?? '', among === 'siblings' ? (parent?.address ?? '') : null, kind, field, value]);
}
