// Decides which live resources a run deletes by retention rules.
import { groupBy } from '../../base/group-by.ts';
import { plural } from '../../base/text/words.ts';
import { humanDuration } from '../../base/time/duration.ts';
import { matchesGlob, RETENTION, retentionAddress } from '../../model/address.ts';
import { referencesOf } from '../../model/attributes.ts';
import type { DesiredResource, RetentionRule } from '../../model/desired.ts';
import type { LiveResource } from '../../model/live.ts';
import { DROP, givenBy, withinRule } from '../../model/outcome/impact.ts';
import type { PlanInput } from '../input.ts';
import type { Scope } from '../scope.ts';

export interface Ruling {
  readonly scope: Scope;
  readonly input: PlanInput;
  /** The live resources that a rule may take: no declaration or earlier rule matches them, and the files do not name them. */
  readonly free: ReadonlySet<LiveResource>;
}

/** With at least this many resources, a deletion of more than half of them counts as a likely mistake. */
export const MANY = 4;

/** Returns each resource that the rule deletes in this run, with a declaration made for it. The oldest come first, but children before parents. */
export function retained(
  rule: RetentionRule,
  { scope, input, free }: Ruling,
): readonly (readonly [live: LiveResource, desired: DesiredResource])[] {
  const { template, name, olderThanMs, idleForMs, keep, isKeepGiven, max } = rule;
  const address = retentionAddress(scope.label, name);
  const kept = new Set(keep);
  const named = scope.live.filter((live) => isNamed(rule, live));
  const able = named.filter((live) => free.has(live) && !kept.has(nameOf(live)) && isLeftOver(rule, scope, live));
  const all = inFamilies(scope, able);
  const asked = all.filter(({ id }) => input.removals === undefined || input.removals.get(id) === `${address}/${id}`);
  const taken = asked.slice(0, max);
  const isInDoubt = isKeepGiven && named.length >= MANY && all.length * 2 > named.length;
  const left = asked.length - taken.length;
  const reason = `older than ${humanDuration(olderThanMs)}, and not used for ${humanDuration(idleForMs)}`;
  const rest = `max is ${max}: the rule deletes ${plural(left, 'more resource')} in later runs`;
  return taken.map((live, at) => {
    const own = { ...template, address: `${address}/${live.id}`, name: live.id, pin: live.id };
    // An allowance with a pattern covers any deletion by the rule. Only one with the exact address shows that a person saw this deletion.
    const given = givenBy({ word: DROP, address: own.address }, withinRule(address, input.allow));
    const blockedBy = isInDoubt && given !== 'literal' ? (['list_in_doubt'] as const) : [];
    const notes = left > 0 && at === taken.length - 1 ? [rest] : [];
    const byRule = { section: RETENTION, rule: address, reason, notes, blockedBy, contents: [] } as const;
    return [live, { ...own, spec: { name: live.spec['name'] ?? null }, byRule }];
  });
}

function nameOf({ spec: { name } }: LiveResource): string {
  return typeof name === 'string' ? name : '';
}

function isNamed({ match }: RetentionRule, live: LiveResource): boolean {
  return match.some((glob) => matchesGlob(glob, nameOf(live)));
}

/** True for an old, idle, unprotected resource that trueup did not create. Also false if the service hides any of these facts. */
function isLeftOver({ olderThanMs, idleForMs }: RetentionRule, scope: Scope, live: LiveResource): boolean {
  const { rules, nowMs, around } = scope;
  if (live.marks !== undefined || nowMs - (live.createdAtMs ?? Infinity) < olderThanMs) return false;
  if ((rules.removalGuard?.(live, scope).blockedBy ?? []).length > 0) return false;
  const lastMs = rules.contents?.lastUse?.(live, around, true) ?? null;
  return lastMs === null || nowMs - lastMs >= idleForMs;
}

/** Returns the resources in `able` that have no descendant outside `able`, each after its own children. */
function inFamilies({ rules, live: all }: Scope, able: readonly LiveResource[]): readonly LiveResource[] {
  const paths = Object.entries(referencesOf(rules)).flatMap(([path, { kind, onRemoval }]) =>
    kind === rules.kind && onRemoval === 'holds' ? [path] : [],
  );
  const parentsOf = ({ spec }: LiveResource): readonly string[] => paths.map((path) => String(spec[path]));
  const byId = new Map(all.map((live) => [live.id, live]));
  const going = new Set(able);
  const staying = new Set(all.filter((live) => !going.has(live)));
  // A loop over a Set also visits members that the loop adds: this one finds all ancestors, the loop over `family` all descendants.
  for (const one of staying)
    for (const id of parentsOf(one)) {
      const parent = byId.get(id);
      if (parent !== undefined) staying.add(parent);
    }
  const children = groupBy(
    able.flatMap((live) => parentsOf(live).map((id) => ({ id, live }))),
    ({ id }) => id,
  );
  const ordered = new Set<LiveResource>();
  for (const live of able.filter((one) => !staying.has(one))) {
    const family = new Set([live]);
    for (const { id } of family) for (const child of children.get(id) ?? []) family.add(child.live);
    for (const one of [...family].reverse()) ordered.add(one);
  }
  return [...ordered];
}
