// Declarations that are as they shall be, and of which there is nothing else to say: most of a large account, so they take no detour.
import { compareText, isJsonObject, jsonEqual } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { LiveResource } from '../model/live.ts';
import type { Change } from '../model/plan.ts';
import { isUnpinned } from './claims.ts';
import type { Binding } from './claims.ts';
import { lastChangeUnknown } from './history.ts';
import type { KindContext, KindRules, Verdict } from './kind-rules.ts';
import type { Scope } from './scope.ts';

/** What is calm in one scope, in order of address. */
export interface Calm {
  readonly scope: Scope;
  readonly bindings: readonly CalmBinding[];
}

export type CalmBinding = Binding & { readonly live: LiveResource };

const NONE: readonly never[] = [];

/** False also where only the whole comparison can tell. */
export function isCalm(scope: Scope, binding: Binding, context: KindContext): binding is CalmBinding {
  const { desired, live, companions } = binding;
  if (live === null || binding.frozen !== null || binding.successor !== null || desired.absent) return false;
  const { hold, ignore } = desired.lifecycle;
  if (hold.length > 0 || ignore.length > 0 || scope.operations.has(live.id)) return false;
  if (lastChangeUnknown(scope, live) !== null) return false;
  return (
    isAsWished(scope.rules, desired.spec, live.spec) &&
    saysNothing(scope.rules.verdict({ desired, live, companions, differs: false, restarts: false, context }))
  );
}

function saysNothing({ intents, notes, diagnostics, unread = NONE }: Verdict): boolean {
  return intents.length + notes.length + diagnostics.length + unread.length === 0;
}

/** True when everything that the declaration speaks of is plain to see and as wished. */
function isAsWished(rules: KindRules, wish: JsonObject, live: JsonObject): boolean {
  // Most of what is planned comes by here: no list of the names is made.
  for (const name in wish) {
    const wanted = wish[name] ?? null;
    if (isJsonObject(wanted)) {
      if (!managesNothing(wanted)) return false;
      continue;
    }
    const have = Object.hasOwn(live, name) ? live[name] : undefined;
    if (wanted !== have && !jsonEqual(rules.canonical(name, wanted), rules.canonical(name, have))) return false;
  }
  return true;
}

/** Empty, or of empty objects alone. */
function managesNothing(value: JsonObject): boolean {
  for (const name in value) {
    const inner = value[name];
    if (!isJsonObject(inner) || !managesNothing(inner)) return false;
  }
  return true;
}

function changeOf(scope: Scope, binding: CalmBinding): Change {
  const { rules, project, declaration } = scope;
  const { desired, live, matchedBy } = binding;
  const part = partOf(rules, desired.spec, live.spec);
  const effect = rules.effect({
    action: 'none',
    before: part,
    after: part,
    attributes: NONE,
    live,
    project: declaration,
  });
  return {
    address: desired.address,
    kind: desired.kind,
    name: desired.name,
    resourceId: live.id,
    projectId: project?.id ?? null,
    matchedBy,
    attributes: NONE,
    impact: effect.impact,
    impactDetails: effect.details,
    reasons: NONE,
    blockedBy: NONE,
    held: NONE,
    due: false,
    origin: 'file',
    source: desired.source,
    lastOperation: null,
    replacePaths: NONE,
    action: 'none',
    before: part,
    after: part,
    notes: effect.notes,
    ...(isUnpinned(scope, binding) ? { pinned: false } : {}),
  };
}

/** What the declaration speaks of and what identifies it, as it is live. */
function partOf(rules: KindRules, wish: JsonObject, live: JsonObject): JsonObject {
  const part: Record<string, Json> = {};
  for (const path of rules.identity) if (live[path] !== undefined) part[path] = live[path];
  for (const name of Object.keys(wish).sort())
    if (!isJsonObject(wish[name]) && Object.hasOwn(live, name)) part[name] = live[name] ?? null;
  return part;
}

/** All changes in order; `others` are sorted, with the keys of their drafts. */
export function withCalm(
  calm: readonly Calm[],
  others: readonly { readonly key: string; readonly change: Change }[],
): Change[] {
  const still = calm.flatMap(({ scope, bindings }) => bindings.map((binding) => changeOf(scope, binding)));
  still.sort((a, b) => compareText(a.address, b.address));
  const changes: Change[] = [];
  let at = 0;
  for (const { key, change } of others) {
    for (let next = still[at]; next !== undefined && goesFirst(next, key, change); next = still[++at])
      changes.push(next);
    changes.push(change);
  }
  return changes.length === 0 ? still : [...changes, ...still.slice(at)];
}

function goesFirst({ address }: Change, key: string, other: Change): boolean {
  return address === other.address ? `none:${address}` < key : address < other.address;
}
