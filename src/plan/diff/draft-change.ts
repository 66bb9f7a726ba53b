// Drafts the changes of one declaration: attribute differences, repairs of failed changes, and the kind's proposals.
import { identityOf, isOver, referencesOf } from '../../model/attributes.ts';
import { RETENTION, type Address } from '../../model/address.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { LiveResource, Unread } from '../../model/live.ts';
import { INTERRUPTION, interrupts, RECREATE } from '../../model/outcome/impact.ts';
import type { Action, Block, UnmanagedResource } from '../../model/outcome/plan.ts';
import type { Binding } from '../match/match-state.ts';
import {
  cannotCreate,
  creationOf,
  differenceOf,
  neverDiagnostics,
  notCompared,
  specOfNew,
  withoutIgnored,
  type Difference,
} from './difference.ts';
import { amend, block, blockForeign, draftOf, isDerived, note, removalOf, type Draft } from './draft.ts';
import { intents } from './proposals.ts';
import { listed, picked } from '../../base/picked.ts';
import { lastChangeDoubt, repairOf } from './history.ts';
import type { Verdict } from '../kind-rules.ts';
import { isAlong, type Scope } from '../scope.ts';
import type { DesiredResource } from '../../model/desired.ts';
import { isReference, mergeDeep } from '../../model/values.ts';
import type { Matching } from '../match/matching.ts';

export interface Findings {
  readonly diagnostics: Diagnostic[];
  readonly unread: Unread[];
  readonly unmanaged: UnmanagedResource[];
  readonly over: ReturnType<typeof overIn>;
}

export function draftsOf(scope: Scope, binding: Binding, found: Findings): readonly Draft[] {
  const { desired, live, frozen, inherited } = binding;
  if (isDerived(scope.rules)) return [derivedDraft(scope, binding, found)];
  if (frozen !== null) return [unchangedDraft(scope, binding, [`not changed: ${frozen}`])];
  const isBelowGoing = inherited === undefined && scope.parent?.isGoing === true;
  if (isBelowGoing && (desired.byRule !== undefined || !desired.absent)) return [goesWith(scope, binding)];
  if (desired.absent) return draftAbsence(scope, { ...binding, live: live ?? inherited ?? null }, found);
  const there = live ?? inherited;
  return there === undefined ? draftCreation(scope, binding, found) : draftExisting(scope, binding, there, found);
}

function originOf({ absent }: DesiredResource): string {
  return absent ? 'absent' : 'file';
}

/** Drafts a resource of a kind without requests: the draft has an action only to show why the resource's sinks cannot be filled. */
function derivedDraft(scope: Scope, binding: Binding, found: Findings): Draft {
  const { desired, live } = binding;
  const { notes, blockedBy } = verdictOf(scope, binding, found);
  const before = desired.absent ? null : (live?.spec ?? null);
  const after = desired.absent ? null : (before ?? desired.spec);
  const action = blockedBy.length === 0 ? 'none' : 'update';
  const change = { action, before, after, notes, blockedBy, origin: originOf(desired) } as const;
  return draftOf(scope, binding, change, { specAfter: after });
}

function unchangedDraft(scope: Scope, binding: Binding, notes: readonly string[]): Draft {
  const { desired, live } = binding;
  const before = live && picked(live.spec, identityOf(scope.rules));
  const change = { action: 'none', before, after: before, notes, origin: originOf(desired) } as const;
  return draftOf(scope, binding, change, { specAfter: live?.spec ?? null });
}

function goesWith(scope: Scope, binding: Binding): Draft {
  return unchangedDraft(scope, binding, [`deleted with ${scope.parent?.address ?? ''}`]);
}

function draftAbsence(scope: Scope, binding: Binding, found: Findings): readonly Draft[] {
  const before = binding.live?.spec ?? null;
  const verdict = verdictOf(scope, binding, found, before !== null);
  const { byRule } = binding.desired;
  const { notes, blockedBy } = verdict;
  const proposed = intents(scope, binding, verdict);
  if (before === null) return [unchangedDraft(scope, binding, notes), ...proposed];
  // A resource that cannot be deleted alone does not block the deletion of its parent.
  if (scope.parent?.isGoing === true && blockedBy.includes('refused')) return [goesWith(scope, binding)];
  const change = {
    action: removalOf(scope.rules),
    after: null,
    origin: byRule?.section ?? 'absent',
    due: byRule?.section === RETENTION,
    reasons: [byRule?.reason ?? 'state: absent'],
    notes: [...notes, ...(byRule?.notes ?? [])],
    blockedBy: [...blockedBy, ...(byRule?.blockedBy ?? [])],
  };
  const removal = (own: Binding, before: JsonObject, more: { readonly key?: string } = {}): Draft =>
    draftOf(scope, own, { ...change, before }, { expect: before, ...agreedIn(verdict, change.due), ...more });
  // All resources in the slot of an absent declaration are deleted; a kind with `choose` has already chosen the one to delete.
  const beside = scope.rules.choose === undefined ? binding.companions : [];
  const also = beside.map((live) =>
    removal({ ...binding, live }, live.spec, { key: `${change.action}:${binding.desired.address}#${live.id}` }),
  );
  return [removal(binding, before), ...also, ...proposed];
}

/** Returns the file's consent and the facts that must not change: if `isOfOthers`, only that trueup has not annotated the resource. */
function agreedIn({ consented = null }: Verdict, isOfOthers = false): Pick<Draft, 'consented' | 'restsOn'> {
  return { consented: consented !== null, restsOn: isOfOthers ? ['marked'] : (consented?.restsOn ?? []) };
}

function draftCreation(scope: Scope, binding: Binding, found: Findings): readonly Draft[] {
  const { desired, foreign } = binding;
  const { address } = desired;
  const unsaid = identityOf(scope.rules).filter((path) => desired.spec[path] === undefined);
  if (unsaid.length > 0) {
    found.diagnostics.push(cannotCreate(desired, unsaid));
    return [unchangedDraft(scope, binding, [])];
  }
  const verdict = verdictOf(scope, binding, found, true);
  if (isOver(scope.rules, desired.spec, scope.nowMs)) return [unchangedDraft(scope, binding, verdict.notes)];
  const proposed = intents(scope, binding, verdict);
  if (found.over.has(address))
    return [unchangedDraft(scope, binding, ['a resource that this resource depends on has expired']), ...proposed];
  const { vanished = null, lapsed = false, notes, blockedBy } = verdict;
  const after = specOfNew(scope.rules, desired);
  const change = {
    action: 'create',
    before: null,
    after,
    attributes: creationOf({ ...desired, spec: after }),
    notes: listed(...notes, vanished),
    reasons: ['the resource does not exist'],
    blockedBy,
    origin: lapsed ? 'expired' : 'file',
  } as const;
  const isForeign = foreign !== undefined;
  const draft = draftOf(scope, binding, change, { specAfter: after, send: after, isForeign });
  if (isForeign) blockForeign(draft, foreign);
  if (binding.isDoubtful === true) block(draft, 'list_in_doubt');
  // The re-creation of a resource that was deleted outside trueup needs a consent.
  if (vanished !== null) amend(draft, { consents: [{ word: RECREATE, address, given: null }] });
  // The request that creates the project also creates this resource, so no client is affected.
  if (isAlong(scope, address)) {
    note(draft, `created with ${scope.label}, in the same request`);
    amend(draft, { impact: ['none'], impactDetails: {} });
  }
  return [draft, ...proposed];
}

/**
 * Drafts the changes of a live resource, or of an inherited one: a resource that a new copy of the parent will contain. Steps on an inherited
 * resource run after the creation of the copy, because the id is not known before.
 */
function draftExisting(scope: Scope, own: Binding, live: LiveResource, found: Findings): readonly Draft[] {
  const { desired, successor } = own;
  const { rules } = scope;
  const difference = differenceOf(rules, desired, live, scope.holdsAtMs);
  if (own.live === null && difference.severity === 'none') return [unchangedDraft(scope, own, difference.notes)];
  const binding = { ...own, live };
  const repair = repairOf(scope, binding, difference);
  const restarts = repair.restarts || difference.attributes.some((attribute) => attribute.restarts);
  const action = actionOf(difference, repair.isNeeded);
  const verdict = verdictOf(scope, binding, found, action !== 'none', restarts);
  if (isOver(rules, desired.spec, scope.nowMs)) return [unchangedDraft(scope, binding, verdict.notes)];
  const doubt = lastChangeDoubt(scope, live);
  const isImmutable = difference.pathsOf('immutable').length > 0;
  const isReplaced = action === 'replace';
  const change = {
    action,
    before: difference.before,
    after: difference.after,
    // A replacement restarts nothing: the new resource starts once, with all of its attributes.
    attributes: isReplaced
      ? difference.attributes.map((attribute) => ({ ...attribute, restarts: false }))
      : difference.attributes,
    notes: listed(
      ...difference.notes,
      ...repair.notes,
      ...verdict.notes,
      successor && `the successor ${successor.id} exists already`,
      doubt.note,
    ),
    reasons: listed(
      repair.isNeeded && 'last_operation_failed',
      isReplaced && 'replace_because_cannot_update',
      action === 'update' && difference.attributes.length > 0 && 'attributes differ',
      action === 'move' && 'the file moves the resource',
    ),
    blockedBy:
      action === 'none' ? [] : listed<Block>(...verdict.blockedBy, ...repair.blockedBy, isImmutable && 'immutable'),
    held: difference.held,
    replacePaths: difference.pathsOf('replace'),
    origin: repair.isNeeded ? 'last_operation_failed' : 'file',
  };
  const content = isReplaced
    ? contentOfReplaced(scope, binding, live)
    : contentOf(scope, live, difference, repair.send);
  const main = draftOf(scope, binding, change, { restarts, ...content, ...agreedIn(verdict) });
  // A repair sends all managed values again, so it may restart the resource although no attribute differs.
  if (repair.restarts && !interrupts(main.change.impact))
    amend(main, { impact: [INTERRUPTION, ...main.change.impact.filter((word) => word !== 'none')] });
  const proposed = isReplaced ? [] : intents(scope, binding, verdict);
  const { untoldPaths } = difference;
  const unshown = untoldPaths.length === 0 ? undefined : live.unshown;
  found.diagnostics.push(
    ...neverDiagnostics(desired, difference),
    ...(unshown === undefined ? notCompared(desired, untoldPaths) : []),
  );
  for (const reason of listed(doubt.unread, unshown)) found.unread.push(unjudged(scope, desired.address, reason));
  if (!isSuperseded(main, proposed)) return [main, ...proposed];
  for (const draft of proposed.slice(0, 1)) note(draft, ...main.change.notes);
  return proposed;
}

function isSuperseded({ change: { action, held } }: Draft, proposed: readonly Draft[]): boolean {
  if (proposed.some(({ change }) => change.action === 'replace')) return true;
  return action === 'none' && held.length === 0 && proposed.some(({ change }) => change.action !== 'revoke');
}

function actionOf({ severity }: Difference, repairs: boolean): Action {
  if (severity === 'none' || severity === 'never') return repairs ? 'update' : 'none';
  return severity === 'restart' || severity === 'immutable' ? 'update' : severity;
}

function contentOfReplaced({ rules }: Scope, { desired, successor }: Binding, { spec }: LiveResource): Partial<Draft> {
  const wanted = mergeDeep(picked(spec, identityOf(rules)), specOfNew(rules, desired));
  return { specAfter: wanted, send: wanted, expect: spec, successor };
}

/** Returns what an update sends and expects. `again`: values that a repair sends although they do not differ. */
function contentOf(
  { rules }: Scope,
  { spec }: LiveResource,
  { desired, replaced }: Difference,
  again: JsonObject,
): Partial<Draft> {
  const send = mergeDeep(again, desired);
  // The service replaces a whole attribute even if only one member is sent, so the step expects the whole live value.
  const wholes = Object.keys(send).filter((name) => isJsonObject(send[name]));
  const expect = { ...mergeDeep(replaced, picked(spec, identityOf(rules))), ...picked(spec, wholes) };
  return { specAfter: mergeDeep(spec, desired), send, expect };
}

/** Asks the kind for its verdict. `differs`: a change is needed · `restarts`: that change restarts the resource. */
function verdictOf(scope: Scope, binding: Binding, found: Findings, differs = false, restarts = false): Verdict {
  const { live, companions } = binding;
  const { rules } = scope;
  const desired = live === null ? binding.desired : withoutIgnored(rules, binding.desired);
  const verdict = rules.verdict({ desired, live, companions, differs, restarts, context: scope });
  found.diagnostics.push(...verdict.diagnostics);
  for (const reason of verdict.unread ?? []) found.unread.push(unjudged(scope, desired.address, reason));
  return verdict;
}

function unjudged({ projectId }: Scope, what: Address, reason: string): Unread {
  return { what, projectId, reason };
}

/** Returns the addresses of expired declarations and of new ones that depend on them, and the ids of expired live resources. */
export function overIn(matchings: readonly Matching[]): ReadonlySet<string> {
  const over = new Set<string>();
  for (let before = -1; over.size > before;) {
    before = over.size;
    for (const { scope, bindings } of matchings)
      for (const { desired, live, inherited, frozen } of bindings) {
        if (desired.absent || frozen !== null || isDerived(scope.rules)) continue;
        if (isOver(scope.rules, desired.spec, scope.nowMs)) over.add(live?.id ?? desired.address).add(desired.address);
        else if (live === null && inherited === undefined && dependsOn(scope, desired, over)) over.add(desired.address);
      }
  }
  return over;
}

function dependsOn({ parent, rules }: Scope, { spec }: DesiredResource, over: ReadonlySet<string>): boolean {
  const references = over.size === 0 ? {} : referencesOf(rules);
  return (
    over.has(parent?.address ?? '') ||
    Object.entries(references).some(([path, { field }]) => {
      const { [path]: value } = spec;
      return isReference(value) ? over.has(value.ref) : field === 'id' && over.has(String(value));
    })
  );
}
