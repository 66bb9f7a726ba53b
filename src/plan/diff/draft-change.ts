// The changes of a binding: attribute differences, repairs of failed changes, and proposals of its kind.
import { identityOf, isOver, referencesOf } from '../../model/attributes.ts';
import { RETENTION, type Address } from '../../model/address.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Unread } from '../../model/live.ts';
import { RECREATE } from '../../model/outcome/consent.ts';
import { INTERRUPTION, interrupts } from '../../model/outcome/impact.ts';
import { mergeDeep } from '../../model/paths.ts';
import type { Action, UnmanagedResource } from '../../model/outcome/plan.ts';
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
import { amend, blockForeign, draftOf, isDerived, note, removalOf, type Draft } from './draft.ts';
import { intents } from './draft-intent.ts';
import { picked } from '../../base/picked.ts';
import { lastChangeInDoubt, lastChangeUnknown, repairOf } from './history.ts';
import type { KindRules, Verdict } from '../kind-rules.ts';
import { isAlong, type Scope } from '../scope.ts';
import type { DesiredResource } from '../../model/desired.ts';
import { isReference } from '../../model/reference.ts';
import { isByRule } from '../match/by-rule.ts';
import type { Matching } from '../match/matching.ts';

export interface Findings {
  readonly diagnostics: Diagnostic[];
  readonly unread: Unread[];
  readonly unmanaged: UnmanagedResource[];
  /** The expired declarations, and those to be created that depend on them: addresses, and ids of live resources. */
  readonly over: ReadonlySet<string>;
}

export function draftsOf(scope: Scope, binding: Binding, found: Findings): readonly Draft[] {
  const { desired, live, frozen, inherited } = binding;
  if (isDerived(scope.rules)) return [derivedDraft(scope, binding, found)];
  if (frozen !== null) return [unchangedDraft(scope, binding, [`not changed: ${frozen}`])];
  const isBelowGoing = inherited === undefined && scope.parent?.isGoing === true;
  if (isBelowGoing && isByRule(desired)) return [goesWith(scope, binding)];
  if (desired.absent) return draftAbsence(scope, { ...binding, live: live ?? inherited ?? null }, found);
  if (isBelowGoing) return [goesWith(scope, binding)];
  if (live === null && inherited === undefined) return draftCreation(scope, binding, found);
  return draftExisting(scope, binding, found);
}

/** A derived resource (of a kind without requests) has nothing to update: its change is shown only if filling its sinks is blocked. */
function derivedDraft(scope: Scope, binding: Binding, found: Findings): Draft {
  const { desired, live } = binding;
  const { notes, blockedBy } = verdictOf(scope, binding, { differs: false, restarts: false }, found);
  const before = desired.absent ? null : (live?.spec ?? null);
  const after = desired.absent ? null : (before ?? desired.spec);
  const origin = desired.absent ? 'absent' : 'file';
  const action = blockedBy.length === 0 ? 'none' : 'update';
  return draftOf(scope, binding, { action, before, after, notes, blockedBy, origin }, { specAfter: after });
}

function unchangedDraft(scope: Scope, binding: Binding, notes: readonly string[]): Draft {
  const { desired, live } = binding;
  const before = live === null ? null : picked(live.spec, identityOf(scope.rules));
  const origin = desired.absent ? 'absent' : 'file';
  const change = { action: 'none', before, after: before, notes, origin } as const;
  return draftOf(scope, binding, change, { specAfter: live?.spec ?? null });
}

function goesWith(scope: Scope, binding: Binding): Draft {
  return unchangedDraft(scope, binding, [`deleted with ${scope.parent?.address ?? ''}`]);
}

function draftAbsence(scope: Scope, binding: Binding, found: Findings): readonly Draft[] {
  const before = binding.live?.spec ?? null;
  const verdict = verdictOf(scope, binding, { differs: before !== null, restarts: false }, found);
  const { byRule } = binding.desired;
  const { notes, blockedBy } = verdict;
  const proposed = intents(scope, binding, verdict);
  if (before === null) return [unchangedDraft(scope, binding, notes), ...proposed];
  // A resource that cannot be deleted alone does not block the deletion of its parent.
  if (scope.parent?.isGoing === true && blockedBy.includes('refused')) return [goesWith(scope, binding)];
  const change = {
    action: removalOf(scope.rules),
    before,
    after: null,
    origin: byRule?.section ?? 'absent',
    due: byRule?.section === RETENTION,
    reasons: [byRule?.reason ?? 'state: absent'],
    notes: [...notes, ...(byRule?.notes ?? [])],
    blockedBy: [...blockedBy, ...(byRule?.blockedBy ?? [])],
  };
  return [draftOf(scope, binding, change, { expect: before, ...agreedIn(verdict, change.due) }), ...proposed];
}

/** The consent that the declaration itself gives, and the facts that the change depends on. A resource of others has no mark. */
function agreedIn({ consented = null }: Verdict, isOfOthers = false): Pick<Draft, 'consented' | 'restsOn'> {
  return { consented: consented !== null, restsOn: isOfOthers ? ['marked'] : (consented?.restsOn ?? []) };
}

function draftCreation(scope: Scope, binding: Binding, found: Findings): readonly Draft[] {
  const { desired } = binding;
  const { address } = desired;
  const unsaid = identityOf(scope.rules).filter((path) => desired.spec[path] === undefined);
  if (unsaid.length > 0) {
    found.diagnostics.push(cannotCreate(desired, unsaid));
    return [unchangedDraft(scope, binding, [])];
  }
  const verdict = verdictOf(scope, binding, { differs: true, restarts: false }, found);
  if (isOver(scope.rules, desired.spec, scope.context.nowMs)) return [unchangedDraft(scope, binding, verdict.notes)];
  const proposed = intents(scope, binding, verdict);
  if (found.over.has(address))
    return [unchangedDraft(scope, binding, ['a resource that this resource depends on has expired']), ...proposed];
  const { vanished = null, lapsed = false, notes, blockedBy } = verdict;
  const after = specOfNew(scope.rules, desired);
  const draft = draftOf(
    scope,
    binding,
    {
      action: 'create',
      before: null,
      after,
      attributes: creationOf({ ...desired, spec: after }),
      notes: vanished === null ? notes : [...notes, vanished],
      reasons: ['the resource does not exist'],
      blockedBy,
      ...(lapsed ? { origin: 'expired' } : {}),
    },
    { specAfter: after, send: after, isForeign: binding.foreign !== undefined },
  );
  if (binding.foreign !== undefined) blockForeign(draft, binding.foreign);
  // A user who re-creates a lost resource must consent to that.
  if (vanished !== null) amend(draft, { consents: [{ word: RECREATE, address, given: null }] });
  // The request for the new project creates this resource, so the creation has no effect on clients.
  if (isAlong(scope, address)) {
    note(draft, `created with ${scope.label}, in the same request`);
    amend(draft, { impact: ['none'], impactDetails: {} });
  }
  return [draft, ...proposed];
}

/**
 * The differences of a live resource, or of a resource that a new copy of its parent will contain. The latter are sent once the resource
 * exists, because its id is known only then.
 */
function draftExisting(scope: Scope, own: Binding, found: Findings): readonly Draft[] {
  const { desired, successor } = own;
  const live = own.live ?? own.inherited;
  if (live === undefined) return [];
  const { rules, context } = scope;
  const difference = differenceOf(rules, desired, live, scope.holdsAtMs);
  if (own.live === null && difference.severity === 'none') return [unchangedDraft(scope, own, difference.notes)];
  const binding = { ...own, live };
  const repair = repairOf(scope, binding, difference);
  const restarts = repair.restarts || difference.attributes.some((attribute) => attribute.restarts);
  const isImmutable = difference.pathsOf('immutable').length > 0;
  const action = actionOf(difference, repair.isNeeded);
  const verdict = verdictOf(scope, binding, { differs: action !== 'none', restarts }, found);
  if (isOver(rules, desired.spec, context.nowMs)) return [unchangedDraft(scope, binding, verdict.notes)];
  const unreported = lastChangeUnknown(scope, live);
  const notes = [
    ...difference.notes,
    ...repair.notes,
    ...verdict.notes,
    ...(successor === null ? [] : [`the successor ${successor.id} exists already`]),
    ...(unreported === null ? [] : [unreported]),
  ];
  const main = draftOf(
    scope,
    binding,
    {
      action,
      before: difference.before,
      after: difference.after,
      // A replacement restarts nothing: the new resource starts once, with all of its attributes.
      attributes:
        action === 'replace'
          ? difference.attributes.map((attribute) => ({ ...attribute, restarts: false }))
          : difference.attributes,
      notes,
      reasons: reasonsOf(action, difference, repair.isNeeded),
      blockedBy:
        action === 'none'
          ? []
          : [...verdict.blockedBy, ...repair.blockedBy, ...(isImmutable ? (['immutable'] as const) : [])],
      held: difference.held,
      replacePaths: difference.pathsOf('replace'),
      origin: repair.isNeeded ? 'last_operation_failed' : 'file',
    },
    { ...contentOf(scope, binding, { difference, action, again: repair.send, restarts }), ...agreedIn(verdict) },
  );
  // Sending everything again may restart the resource, even if no attribute differs.
  if (repair.restarts && !interrupts(main.change.impact))
    amend(main, { impact: [INTERRUPTION, ...main.change.impact.filter((word) => word !== 'none')] });
  const proposed = action === 'replace' ? [] : intents(scope, binding, verdict);
  found.diagnostics.push(...neverDiagnostics(desired, difference), ...notCompared(desired, difference.untoldPaths));
  const uncertainty = lastChangeInDoubt(scope, live);
  if (uncertainty !== null) found.unread.push(unjudged(scope, desired.address, uncertainty));
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

function reasonsOf(action: Action, difference: Difference, isRepair: boolean): string[] {
  return [
    ...(isRepair ? ['last_operation_failed'] : []),
    ...(action === 'replace' ? ['replace_because_cannot_update'] : []),
    ...(action === 'update' && difference.attributes.length > 0 ? ['attributes differ'] : []),
    ...(action === 'move' ? ['the file moves the resource'] : []),
  ];
}

interface Compared extends Pick<Draft, 'restarts'> {
  readonly difference: Difference;
  readonly action: Action;
  readonly again: JsonObject;
}

function contentOf(
  { rules }: Scope,
  { desired, live, successor }: Binding,
  { difference, action, again, restarts }: Compared,
): Partial<Draft> {
  const spec = live?.spec ?? {};
  const identity = picked(spec, identityOf(rules));
  if (action === 'replace') {
    const wanted = mergeDeep(identity, specOfNew(rules, desired));
    return { specAfter: wanted, send: wanted, expect: spec, successor };
  }
  const send = mergeDeep(again, difference.desired);
  // The service replaces a whole attribute even if only a member is sent, so the step expects all of its live value.
  const wholes = Object.keys(send).filter((name) => isJsonObject(send[name]));
  return {
    specAfter: mergeDeep(spec, difference.desired),
    send,
    expect: { ...mergeDeep(difference.replaced, identity), ...picked(spec, wholes) },
    restarts,
  };
}

type Judged = Pick<Parameters<KindRules['verdict']>[0], 'differs' | 'restarts'>;

function verdictOf(scope: Scope, binding: Binding, judged: Judged, found: Findings): Verdict {
  const { live, companions } = binding;
  const { rules, context } = scope;
  const desired = live === null ? binding.desired : withoutIgnored(rules, binding.desired);
  const verdict = rules.verdict({ desired, live, companions, ...judged, context });
  found.diagnostics.push(...verdict.diagnostics);
  for (const reason of verdict.unread ?? []) found.unread.push(unjudged(scope, desired.address, reason));
  return verdict;
}

function unjudged({ projectId }: Scope, what: Address, reason: string): Unread {
  return { what, projectId, reason };
}

export function overIn(matchings: readonly Matching[]): ReadonlySet<string> {
  const over = new Set<string>();
  for (let before = -1; over.size > before;) {
    before = over.size;
    for (const { scope, bindings } of matchings)
      for (const { desired, live, inherited, frozen } of bindings) {
        if (desired.absent || frozen !== null || isDerived(scope.rules)) continue;
        if (isOver(scope.rules, desired.spec, scope.context.nowMs))
          over.add(live?.id ?? desired.address).add(desired.address);
        else if (live === null && inherited === undefined && dependsOn(scope, desired, over)) over.add(desired.address);
      }
  }
  return over;
}

function dependsOn({ parent, rules }: Scope, { spec }: DesiredResource, over: ReadonlySet<string>): boolean {
  if (over.size === 0) return false;
  const references = referencesOf(rules);
  const referred = Object.entries(spec).flatMap(([path, value]) =>
    isReference(value) ? [value.ref] : references[path]?.field === 'id' && typeof value === 'string' ? [value] : [],
  );
  return [parent?.address ?? [], ...referred].flat().some((address) => over.has(address));
}
