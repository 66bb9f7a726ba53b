// The changes of a binding: attribute differences, repairs of failed changes, and proposals of its kind.
import { identityOf, isOver } from '../../model/attributes.ts';
import { matchesGlob } from '../../model/address.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { LiveResource, Unread } from '../../model/live.ts';
import { RECREATE } from '../../model/outcome/consent.ts';
import { INTERRUPTION, interrupts } from '../../model/outcome/impact.ts';
import { mergeDeep } from '../../model/paths.ts';
import type { Action, Change } from '../../model/outcome/plan.ts';
import type { Binding } from '../match/match-state.ts';
import {
  cannotCreate,
  creationOf,
  specOfNew,
  differenceOf,
  notCompared,
  neverDiagnostics,
  withoutIgnored,
  type Difference,
} from './difference.ts';
import { noted, removalOf, type Draft } from './draft.ts';
import { picked } from '../../base/picked.ts';
import { allowedBy, intentDraft } from './draft-intent.ts';
import { changeOf, draftOf, withNeed } from './binding-draft.ts';
import { failedBefore, lastChangeInDoubt, lastChangeUnknown } from './history.ts';
import type { Intent, Verdict } from '../kind-rules.ts';
import { appliedAtStart, repairOf } from './repair.ts';
import { derivedDrafts, isDerived } from './derived.ts';
import { contextOf, type Scope } from '../scope.ts';

export interface Drafts {
  readonly drafts: readonly Draft[];
  readonly diagnostics: readonly Diagnostic[];
  /** The parts of the declaration that could not be judged. */
  readonly unread: readonly Unread[];
}

/** All changes of one declaration. */
export function draftsOf(scope: Scope, binding: Binding): Drafts {
  const { desired, live, frozen } = binding;
  if (isDerived(scope.rules)) return derivedDrafts(scope, binding);
  if (frozen !== null) return only(unchangedDraft(scope, binding, [`not changed: ${frozen}`]));
  if (binding.inherited !== undefined) return draftInherited(scope, binding, binding.inherited);
  if (desired.absent) return draftAbsence(scope, binding);
  if (scope.parent?.isGoing === true) return only(goesWith(scope, binding));
  if (live === null) return draftCreation(scope, binding);
  return draftExisting(scope, binding, differenceOf(scope.rules, desired, live, scope.holdsAtMs));
}

function only(draft: Draft, ...diagnostics: readonly Diagnostic[]): Drafts {
  return { drafts: [draft], diagnostics, unread: [] };
}

/** The drafts with the verdict of the kind. */
function withVerdict(
  scope: Scope,
  { desired }: Binding,
  verdict: Verdict,
  own: Pick<Drafts, 'drafts'> & Partial<Drafts>,
): Drafts {
  const unread = (verdict.unread ?? []).map((reason): Unread => ({
    what: desired.address,
    projectId: scope.project?.id ?? null,
    reason,
  }));
  return { unread, ...own, diagnostics: [...(own.diagnostics ?? []), ...verdict.diagnostics] };
}

function unchangedDraft(scope: Scope, binding: Binding, notes: readonly string[]): Draft {
  const { desired, live } = binding;
  const before = live === null ? null : picked(live.spec, identityOf(scope.rules));
  const origin = desired.absent ? 'absent' : 'file';
  const change = changeOf(scope, binding, { action: 'none', before, after: before, notes, origin });
  return draftOf(scope, binding, change, { specAfter: live?.spec ?? null });
}

function goesWith(scope: Scope, binding: Binding): Draft {
  return unchangedDraft(scope, binding, [`deleted with ${scope.parent?.address ?? ''}`]);
}

function draftAbsence(scope: Scope, binding: Binding): Drafts {
  const before = binding.live?.spec ?? null;
  const verdict = verdictOf(scope, binding, { differs: before !== null, restarts: false });
  const proposed = intents(scope, binding, verdict);
  if (before === null)
    return withVerdict(scope, binding, verdict, {
      drafts: [unchangedDraft(scope, binding, verdict.notes), ...proposed],
    });
  // A resource that cannot be deleted alone does not block the deletion of its parent.
  if (scope.parent?.isGoing === true && verdict.blockedBy.includes('refused')) return only(goesWith(scope, binding));
  const change = changeOf(scope, binding, {
    action: removalOf(scope.rules),
    before,
    after: null,
    origin: 'absent',
    reasons: ['state: absent'],
    notes: verdict.notes,
    blockedBy: verdict.blockedBy,
  });
  const main = draftOf(scope, binding, change, { expect: before, ...agreedIn(verdict) });
  return withVerdict(scope, binding, verdict, { drafts: [main, ...proposed] });
}

/**
 * The resource comes with its parent, which is a copy. A difference is sent as soon as the resource exists, because its id is known then.
 */
function draftInherited(scope: Scope, binding: Binding, live: LiveResource): Drafts {
  const { desired } = binding;
  const there = { ...binding, live };
  if (desired.absent) return draftAbsence(scope, there);
  const difference = differenceOf(scope.rules, desired, live, scope.holdsAtMs);
  if (difference.severity === 'none') return only(unchangedDraft(scope, binding, difference.notes));
  return draftExisting(scope, there, difference);
}

function draftCreation(scope: Scope, binding: Binding): Drafts {
  const { desired } = binding;
  const unsaid = identityOf(scope.rules).filter((path) => desired.spec[path] === undefined);
  if (unsaid.length > 0) return only(unchangedDraft(scope, binding, []), cannotCreate(binding, unsaid));
  const verdict = verdictOf(scope, binding, { differs: true, restarts: false });
  if (isOver(scope.rules, desired.spec, scope.nowMs)) return over(scope, binding, verdict);
  const lost = verdict.vanished ?? null;
  const spec = specOfNew(scope.rules, desired);
  const drafted = changeOf(scope, binding, {
    action: 'create',
    before: null,
    after: spec,
    attributes: creationOf({ ...desired, spec }),
    notes: [...verdict.notes, ...(lost === null ? [] : [lost])],
    reasons: ['the resource does not exist'],
    blockedBy: verdict.blockedBy,
  });
  // A user who re-creates a lost resource must consent to that.
  const made = lost === null ? drafted : withNeed({ ...drafted, consents: [] }, RECREATE);
  const change = scope.along?.addresses.includes(desired.address) === true ? comingAlong(scope, made) : made;
  const main = draftOf(scope, binding, change, { specAfter: spec, send: spec });
  return withVerdict(scope, binding, verdict, { drafts: [main, ...intents(scope, binding, verdict)] });
}

/** No request is sent for it, so it has no effect on clients. */
function comingAlong({ label }: Scope, change: Change): Change {
  const notes = [...change.notes, `created with ${label}, in the same request`];
  return { ...change, notes, impact: ['none'], impactDetails: {} };
}

/** The declaration has expired: nothing is done for it. */
function over(scope: Scope, binding: Binding, verdict: Verdict): Drafts {
  return withVerdict(scope, binding, verdict, {
    drafts: [{ ...unchangedDraft(scope, binding, verdict.notes), isOver: true }],
  });
}

function draftExisting(scope: Scope, binding: Binding, difference: Difference): Drafts {
  const failed = binding.live === null ? null : failedBefore(scope, binding.live);
  const isResting = binding.live !== null && isAtRest(binding.live);
  const repair = failed === null || isResting ? null : repairOf(scope, binding, difference, failed);
  const unreported = binding.live === null ? null : lastChangeUnknown(scope, binding.live);
  const restarts = repair?.restarts === true || difference.attributes.some((attribute) => attribute.restarts);
  const isImmutable = difference.immutablePaths.length > 0;
  const action = actionOf(difference, repair !== null && Object.keys(repair.send).length > 0);
  const verdict = verdictOf(scope, binding, { differs: action !== 'none', restarts });
  if (isOver(scope.rules, binding.desired.spec, scope.nowMs)) return over(scope, binding, verdict);
  const change = changeOf(scope, binding, {
    action,
    before: difference.before,
    after: difference.after,
    attributes: action === 'replace' ? withoutRestarts(difference.attributes) : difference.attributes,
    notes: [
      ...difference.notes,
      ...(repair?.notes ?? []),
      ...(failed !== null && isResting ? [appliedAtStart(failed)] : []),
      ...verdict.notes,
      ...successorNotes(binding),
      ...(unreported === null ? [] : [unreported]),
    ],
    reasons: reasonsOf(action, difference, repair !== null),
    blockedBy: action === 'none' ? [] : [...verdict.blockedBy, ...(isImmutable ? (['immutable'] as const) : [])],
    held: difference.held,
    replacePaths: difference.replacePaths,
    ...(repair === null ? {} : { origin: 'last_operation_failed' }),
  });
  const worst = repair?.restarts === true ? withResendImpact(change) : change;
  const content = contentOf(scope, binding, difference, action, repair?.send ?? {}, restarts);
  const main = draftOf(scope, binding, worst, { ...content, ...agreedIn(verdict) });
  const proposed = action === 'replace' ? [] : intents(scope, binding, verdict);
  const untold = notCompared(binding.desired, difference.untoldPaths);
  const diagnostics = [...neverDiagnostics(binding, difference), ...untold, ...(repair?.diagnostics ?? [])];
  const superseded = proposed.some(({ change: { action: word } }) => word === 'replace') || speaksFor(proposed, change);
  const drafts = superseded
    ? proposed.map((draft, at) => (at > 0 ? draft : noted(draft, ...change.notes)))
    : [main, ...proposed];
  const uncertainty = binding.live === null ? null : lastChangeInDoubt(scope, binding.live);
  const unread = [...(verdict.unread ?? []), ...(uncertainty === null ? [] : [uncertainty])];
  return withVerdict(scope, binding, { ...verdict, unread }, { drafts, diagnostics });
}

/** The consent that the declaration itself gives. */
function agreedIn({ consented = null }: Verdict): Pick<Draft, 'consented' | 'restsOn'> {
  return { consented: consented !== null, restsOn: consented?.restsOn ?? [] };
}

/** True for an idle resource: a change takes effect at its next start, without an operation. */
function isAtRest({ observed }: LiveResource): boolean {
  return observed['current_state'] === 'idle' && observed['pending_state'] !== 'active';
}

/** A replacement starts once, with all of its attributes. */
function withoutRestarts(attributes: Difference['attributes']): Difference['attributes'] {
  return attributes.map((attribute) => ({ ...attribute, restarts: false }));
}

function successorNotes({ successor }: Binding): string[] {
  return successor === null ? [] : [`the successor ${successor.id} exists already`];
}

/** True if the proposals of the kind are all that the declaration leads to. */
function speaksFor(proposed: readonly Draft[], { action, held }: Change): boolean {
  return action === 'none' && held.length === 0 && proposed.some(({ change }) => change.action !== 'revoke');
}

/** Sending everything again may restart the resource, even if no attribute differs. */
function withResendImpact(change: Change): Change {
  if (interrupts(change.impact)) return change;
  return { ...change, impact: [INTERRUPTION, ...change.impact.filter((impact) => impact !== 'none')] };
}

function actionOf(difference: Difference, repairs: boolean): Action {
  switch (difference.severity) {
    case 'none':
    case 'never':
      return repairs ? 'update' : 'none';
    case 'restart':
    case 'immutable':
      return 'update';
    default:
      return difference.severity;
  }
}

function reasonsOf(action: Action, difference: Difference, repairs: boolean): string[] {
  return [
    ...(repairs ? ['last_operation_failed'] : []),
    ...(action === 'replace' ? ['replace_because_cannot_update'] : []),
    ...(action === 'update' && difference.attributes.length > 0 ? ['attributes differ'] : []),
    ...(action === 'move' ? ['the file moves the resource'] : []),
  ];
}

function contentOf(
  scope: Scope,
  { desired, live, successor }: Binding,
  difference: Difference,
  action: Action,
  again: JsonObject,
  restarts: boolean,
): Pick<Draft, 'specAfter' | 'send' | 'expect' | 'restarts' | 'successor'> {
  const spec = live?.spec ?? {};
  const identity = picked(spec, identityOf(scope.rules));
  if (action === 'replace') {
    const wanted = mergeDeep(identity, specOfNew(scope.rules, desired));
    return { specAfter: wanted, send: wanted, expect: spec, restarts: false, successor };
  }
  return {
    specAfter: mergeDeep(spec, difference.desired),
    send: mergeDeep(again, difference.desired),
    expect: { ...mergeDeep(difference.replaced, identity), ...wholesOf(spec, difference.desired, again) },
    restarts,
    successor: null,
  };
}

/** The live attributes of which a member is sent: the service replaces them whole, so the step expects all of them. */
function wholesOf(spec: JsonObject, ...sent: readonly JsonObject[]): JsonObject {
  const names = new Set(sent.flatMap((part) => Object.keys(part).filter((name) => isJsonObject(part[name]))));
  return picked(spec, [...names]);
}

function verdictOf(scope: Scope, binding: Binding, found: { differs: boolean; restarts: boolean }): Verdict {
  const { live, companions } = binding;
  const desired = live === null ? binding.desired : withoutIgnored(scope.rules, binding.desired);
  const verdict = scope.rules.verdict({ desired, live, companions, ...found, context: contextOf(scope) });
  return { ...verdict, intents: verdict.intents.filter((intent) => isWanted(intent, scope)) };
}

/** An intent on request is a change only if an allowance names it. */
function isWanted(intent: Intent, scope: Scope): boolean {
  if (intent.onRequest !== true) return true;
  const names = allowedBy(intent, scope);
  return scope.allow.some(
    ({ action, address }) =>
      (action === '*' || action === intent.action) && names.some((name) => matchesGlob(address, name)),
  );
}

function intents(scope: Scope, binding: Binding, verdict: Verdict): Draft[] {
  return verdict.intents.map((intent: Intent) => intentDraft(scope, binding, intent));
}
