// Makes declarations that no file contains: for live set members whose key is not listed, and for resources that a retention rule deletes.
import { listed, picked } from '../../base/picked.ts';
import type { JsonObject } from '../../base/json.ts';
import { humanDuration } from '../../base/time/duration.ts';
import { identityOf, type Attribute } from '../../model/attributes.ts';
import { RETENTION, setAddress, SETS, type Address } from '../../model/address.ts';
import {
  KEY,
  markOf,
  memberOf,
  sinkKey,
  sinksOf,
  type ByRule,
  type DesiredResource,
  type MemberSet,
  type ResourceId,
} from '../../model/desired.ts';
import type { LiveResource } from '../../model/live.ts';
import { DROP, givenBy, withinRule } from '../../model/outcome/impact.ts';
import { leavesOf } from '../../model/values.ts';
import type { Plan } from '../../model/outcome/plan.ts';
import { removes } from '../diff/draft.ts';
import type { PlanInput } from '../input.ts';
import { byAddress, type Scope } from '../scope.ts';
import type { Binding } from './match-state.ts';
import type { Matching } from './matching.ts';
import { MANY, retained, type Ruling } from './retention.ts';

/** Adds declarations by rule: for unclaimed set members, for gone members that a reviewed plan removes, and for resources that retention deletes. */
export function withRules(matching: Matching, input: PlanInput): Matching {
  const { scope, frozen } = matching;
  const { sets = [], retention = [] } = scope.project ?? {};
  const isOfKind = ({ kind }: DesiredResource): boolean => kind === scope.rules.kind;
  const own = sets.filter(({ template }) => isOfKind(template[0]));
  const rules = retention.filter(({ template }) => isOfKind(template));
  if (scope.liveProject === null || scope.parent !== null || own.length + rules.length === 0) return matching;
  const isNamed = namedByFiles(scope, input);
  const free = new Set(matching.unclaimed.filter((live) => !frozen.has(live.id) && !isNamed(live)));
  const made: Binding[] = [];
  const add = (binding: Binding): void => {
    made.push(binding);
    if (binding.live !== null) free.delete(binding.live);
  };
  const doubted = new Set<string>();
  for (const set of own) {
    const { bindings, isWrong } = rulingsOf(set, { scope, input, free });
    bindings.forEach(add);
    if (isWrong) doubted.add(set.name);
  }
  for (const rule of rules)
    for (const [live, desired] of retained(rule, { scope, input, free })) add(bindingOf(scope, live, [desired, null]));
  if (made.length === 0) return matching;
  const taken = new Set(made.map(({ live }) => live));
  const believed = matching.bindings.map((binding): Binding => {
    const { live, desired } = binding;
    const { set = '', address } = desired;
    const isHeld = live === null && doubted.has(set) && !isGiven(setAddress(scope.label, set), address, input);
    return isHeld ? { ...binding, isDoubtful: true } : binding;
  });
  return {
    ...matching,
    scope: { ...scope, declared: [...scope.declared, ...made.map(({ desired }) => desired)].sort(byAddress) },
    bindings: [...believed, ...made].sort((a, b) => byAddress(a.desired, b.desired)),
    unclaimed: matching.unclaimed.filter((live) => !taken.has(live)),
  };
}

/** Returns the removals that rules cause in a plan and that no guard blocks, as addresses by resource id. */
export function removedByRule({ changes }: Pick<Plan, 'changes'>): ReadonlyMap<ResourceId, Address> {
  const removed = changes.filter(
    ({ origin, action, blockedBy }) => BY_RULE.has(origin) && removes({ action }) && blockedBy.length === 0,
  );
  return new Map(removed.flatMap(({ resourceId, address }) => (resourceId === null ? [] : [[resourceId, address]])));
}

/** The origins of changes that a rule asks for. */
export const BY_RULE: ReadonlySet<string> = new Set([SETS, RETENTION]);

/** Returns a test: true for a live resource that the files name by id, or by a declared or former name. No rule takes such a resource. */
function namedByFiles(
  { rules, project, declared }: Scope,
  { desired: files }: PlanInput,
): (live: LiveResource) => boolean {
  const own = files.resources.filter(({ scope }) => scope === project?.label);
  const ids = new Set<unknown>([
    ...(project?.unmanagedOk ?? []),
    ...Object.values(project?.labels ?? {}),
    ...own.flatMap(({ pin, movedFrom, spec }) => [pin, movedFrom, ...leavesOf(spec).map(({ value }) => value)]),
  ]);
  const names = new Set(declared.flatMap(({ spec, movedFrom }) => [spec['name'], movedFrom]));
  return ({ kind, id, spec }) => ids.has(id) || (kind === rules.kind && names.has(spec['name'] ?? ''));
}

/** Returns the key in a member's name; null if the name does not fit the template. */
export function keyIn({ template }: MemberSet, name: unknown): string | null {
  const [before = '', after = ''] = String(template[0].spec['name']).split(KEY);
  const isOfForm = typeof name === 'string' && name.length > before.length + after.length;
  if (!isOfForm || !name.startsWith(before) || !name.endsWith(after)) return null;
  const key = name.slice(before.length, name.length - after.length);
  return KEY_FORM.test(key) ? key : null;
}

const KEY_FORM = /^(?!\.+$|br-)[A-Za-z0-9._-]{1,64}$/;

interface Rulings {
  readonly bindings: readonly Binding[];
  /** True if the list lacks the keys of so many members that trueup does not trust the new keys in the list either. */
  readonly isWrong: boolean;
}

function rulingsOf(set: MemberSet, { scope, input, free }: Ruling): Rulings {
  const mark = markOf(scope.liveProject?.id ?? '', set.name);
  const members = scope.live.filter(({ marks }) => marks?.['set'] === mark);
  const keyed = new Map(members.map((live) => [live, keyIn(set, live.spec['name'])]));
  const isListed = (live: LiveResource): boolean => set.keys.includes(keyed.get(live) ?? '');
  const isClosed = (live: LiveResource): boolean => !isListed(live) && set.closed.includes(keyed.get(live) ?? '');
  const gone = members.filter((live) => free.has(live) && !isListed(live));
  const counted = members.filter((live) => !isClosed(live));
  const lost = gone.filter((live) => !isClosed(live) && keyed.get(live) !== null);
  const isInDoubt = lost.length === counted.length || (counted.length >= MANY && lost.length * 2 > counted.length);
  const bound = gone.map((live) => {
    const isDoubtful = isInDoubt && lost.includes(live);
    return bindingOf(scope, live, ruledOf(set, { scope, input, live, key: keyed.get(live) ?? null, isDoubtful }));
  });
  return {
    bindings: [...bound, ...removedOf(set, { scope, input, members })],
    isWrong: isInDoubt && lost.length >= MANY,
  };
}

/** True if a `drop` allowance that names the rule (`RULE/…`) covers the address. */
function isGiven(rule: Address, address: Address, { allow }: PlanInput): boolean {
  return givenBy({ word: DROP, address }, withinRule(rule, allow)) !== null;
}

interface Member extends Pick<Ruling, 'scope' | 'input'> {
  readonly live: LiveResource;
  readonly key: string | null;
  /** True if the removal is in doubt: the list of keys would remove all members, or more than half of at least `MANY`. */
  readonly isDoubtful: boolean;
}

/** A declaration by rule. `frozen` says why the declaration changes nothing; null if it may cause a change. */
type Ruled = readonly [desired: DesiredResource, frozen: string | null];

function ruledOf(set: MemberSet, { scope, input, live, key, isDoubtful }: Member): Ruled {
  const rule = setAddress(scope.label, set.name);
  const [member] = memberOf(set, key ?? live.id) as readonly [DesiredResource];
  const { rules } = scope;
  const pathsOf = (isMeant: (row: Attribute) => boolean): readonly string[] =>
    Object.entries(rules.attributes).flatMap(([path, row]) => (isMeant(row) ? [path] : []));
  const identifying = [...identityOf(rules), ...pathsOf(({ change }) => change === 'immutable')];
  const spec = { ...picked(member.spec, identifying), name: live.spec['name'] ?? null };
  const address = `${rule}/${key ?? live.id}`;
  const own = { ...member, address, name: key ?? live.id, pin: live.id, options: {}, spec, byRule: byRuleOf(rule) };
  const left = (why: string, more: Partial<ByRule> = {}): Ruled => [
    { ...own, byRule: byRuleOf(rule, more) },
    `${NOT_LISTED}, and ${why}`,
  ];
  if (set.gone === 'expire') return left(expiryWords(live));
  if (set.gone === 'keep' && key === null) return left(FOREIGN_NAME);
  if (set.gone === 'keep')
    return [
      {
        ...own,
        spec: {
          ...spec,
          ...picked(
            member.spec,
            pathsOf(({ isEnd }) => isEnd === true),
          ),
        },
      },
      null,
    ];
  const removedBy = (more: Partial<ByRule>): Ruled => [{ ...own, absent: true, byRule: byRuleOf(rule, more) }, null];
  if (key === null) return removedBy({ notes: [`${live.id}: ${FOREIGN_NAME}`], blockedBy: ['foreign'] });
  if (input.removals?.has(live.id) === false) return left('the reviewed plan does not have this removal');
  const ageMs = (input.clockDoubt ?? null) === null ? input.nowMs - (live.createdAtMs ?? Infinity) : -Infinity;
  if (ageMs < set.graceMs)
    return left(`it is not known to be older than ${humanDuration(set.graceMs)} (grace)`, { isYoung: true });
  const blockedBy = listed<'list_in_doubt'>(isDoubtful && !isGiven(rule, address, input) && 'list_in_doubt');
  return removedBy({ blockedBy, contents: contentsOf(set, key, input) });
}

function byRuleOf(rule: Address, more: Partial<ByRule> = {}): ByRule {
  return { section: SETS, rule, reason: NOT_LISTED, notes: [], blockedBy: [], contents: [], ...more };
}

const NOT_LISTED = 'its key is not listed';
const FOREIGN_NAME = 'its name does not fit the set';

function expiryWords({ spec: { expires_at: at } }: LiveResource): string {
  return typeof at === 'string' ? `it expires at ${at}` : 'it has no expiry, so it stays';
}

/** Returns the declarations below a removed member, with the sinks that trueup clears: those that no remaining declaration uses. */
function contentsOf(set: MemberSet, key: string, { desired: { resources } }: PlanInput): readonly DesiredResource[] {
  const keysOf = (sink: JsonObject): readonly string[] =>
    Object.entries(sink).map(([kind, target]) => sinkKey(kind, String(target)));
  const kept = new Set(resources.flatMap((one) => (one.absent ? [] : sinksOf(one).flatMap(keysOf))));
  return memberOf(set, key)
    .slice(1)
    .flatMap((one) => {
      const secret = sinksOf(one).filter((sink) => !keysOf(sink).some((place) => kept.has(place)));
      const byRule = byRuleOf(setAddress(one.scope, set.name));
      return secret.length === 0 ? [] : [{ ...one, absent: true, options: { secret }, byRule }];
    });
}

/** Binds members that the reviewed plan removes and that no longer exist, so that their sinks are still cleared. */
function removedOf(
  set: MemberSet,
  { scope, input, members }: Pick<Ruling, 'scope' | 'input'> & { readonly members: readonly LiveResource[] },
): readonly Binding[] {
  const rule = setAddress(scope.label, set.name);
  return [...(input.removals ?? [])].flatMap(([id, address]) => {
    const key = address.slice(rule.length + 1);
    const isHere = address.startsWith(`${rule}/`) && !set.keys.includes(key) && KEY_FORM.test(key);
    if (!isHere || members.some((live) => live.id === id)) return [];
    const [member] = memberOf(set, key) as readonly [DesiredResource];
    const byRule = byRuleOf(rule, { contents: contentsOf(set, key, input) });
    return [bindingOf(scope, null, [{ ...member, pin: id, absent: true, options: {}, byRule }, null])];
  });
}

function bindingOf({ rules }: Scope, live: LiveResource | null, [desired, frozen]: Ruled): Binding {
  const words = `by the rule ${desired.byRule?.rule ?? ''}`;
  const matchedBy = live === null ? 'the resource no longer exists' : `${rules.poolWords(live.spec)}, ${words}`;
  return { desired, live, matchedBy, companions: [], stalePin: false, successor: null, frozen, guess: null };
}
