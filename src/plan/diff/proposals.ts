// Drafts what kinds propose although no attribute differs: restarts, rotations, replacements, revocations, and the work that every apply also does.
import { assert } from '../../base/assert.ts';
import { inOrderOf, type JsonObject } from '../../base/json.ts';
import { type Address, addressOf } from '../../model/address.ts';
import type { Plan, PlannedUpkeep, Step } from '../../model/outcome/plan.ts';
import type { Binding } from '../match/match-state.ts';
import type { Matching } from '../match/matching.ts';
import { finishStep } from '../order/finish-step.ts';
import type { Scope } from '../scope.ts';
import { withoutIgnored } from './difference.ts';
import { draftOf, parentIdOf, type Draft } from './draft.ts';
import { defined, picked } from '../../base/picked.ts';
import { identityOf } from '../../model/attributes.ts';
import { mergeDeep } from '../../model/values.ts';
import { names } from '../guard/consents.ts';
import type { Intent, Verdict } from '../kind-rules.ts';

/** Returns the work that an apply also does besides the plan's changes, sorted by address and action. */
export function upkeepOf(
  matchings: readonly Matching[],
  { changes, steps }: Pick<Plan, 'changes' | 'steps'>,
): PlannedUpkeep[] {
  const differing = new Set(changes.flatMap(({ address, action }) => (action === 'none' ? [] : [address])));
  const running = new Set(steps.map(({ address }) => address));
  return matchings
    .flatMap(({ scope, bindings }) => bindings.flatMap((binding) => taskFor(scope, binding, differing, running) ?? []))
    .sort(inOrderOf(({ address, action }) => [address, action]));
}

/** `differing`, `running`: the addresses with a change, and with a step. */
function taskFor(
  scope: Scope,
  binding: Binding,
  differing: ReadonlySet<Address>,
  running: ReadonlySet<Address>,
): PlannedUpkeep | null {
  const { live, frozen } = binding;
  const { upkeep } = scope.rules;
  const desired = live === null ? binding.desired : withoutIgnored(scope.rules, binding.desired);
  if (upkeep === undefined || frozen !== null || !upkeep.mayNeed(desired)) return null;
  // Nothing is done below a parent that is deleted or stays missing; once the parent is gone, a later run clears the sinks.
  const { parent } = scope;
  if (parent?.isGoing === true && (!desired.absent || parent.id !== null)) return null;
  if (parent?.id === null && !desired.absent && !running.has(parent.address)) return null;
  const need = upkeep.needs({
    desired,
    live,
    differs: differing.has(desired.address),
    runs: (address) => running.has(address),
    context: scope,
  });
  if (need === null) return null;
  const { action, reasons, sinks = [], isPending = false, restsOn, send, options = {} } = need;
  return {
    address: desired.address,
    kind: desired.kind,
    action,
    resourceId: live?.id ?? null,
    projectId: scope.projectId,
    ...parentIdOf(scope, live?.spec ?? desired.spec),
    reasons,
    sinks,
    isPending,
    ...defined({ restsOn, step: send && renewal(scope, binding, send) }),
    options,
  };
}

/** Builds the step of a renewal: its request sends an expiry again and changes no declared value. */
function renewal(scope: Scope, binding: Binding, send: JsonObject): Step {
  const { desired, live } = binding;
  assert(live !== null, 'a renewal has no live resource');
  const { spec } = live;
  const expect = picked(spec, Object.keys(send));
  const draft = draftOf(scope, binding, { action: 'update', before: spec, after: spec }, { expect });
  const step = { id: `renew:${desired.address}`, draft, action: 'update', target: live, part: {} } as const;
  return finishStep({ ...step, before: spec, after: spec, send }, [], () => []);
}

export function intents(scope: Scope, binding: Binding, verdict: Verdict): readonly Draft[] {
  // An intent with `onRequest` becomes a change only if an allowance names it.
  const isWanted = (intent: Intent): boolean =>
    intent.onRequest !== true || names(scope.allow, ['*', intent.action], allowedBy(intent, scope) ?? []);
  return verdict.intents.filter(isWanted).map((intent) => intentDraft(scope, binding, intent));
}

/** Returns the addresses of which an allowance must name one for the intent to run; null if the intent needs no allowance. */
function allowedBy({ allowance, target }: Intent, { label }: Scope): readonly Address[] | null {
  if (allowance === undefined) return null;
  return target === null ? [allowance] : [allowance, addressOf(label, target.id)];
}

function intentDraft(scope: Scope, binding: Binding, intent: Intent): Draft {
  const { action, target, notes, reasons, blockedBy, due, origin, consented } = intent;
  const { live } = binding;
  const isOwn = target === null || target.id === live?.id;
  const matchedBy = isOwn || live === null ? binding.matchedBy : `beside ${live.id}, the declared one`;
  const spec = target?.spec ?? {};
  const identity = picked(spec, identityOf(scope.rules));
  const wanted = mergeDeep(identity, binding.desired.spec);
  const isRestart = action === 'restart';
  const makes = action === 'rotate' || action === 'replace';
  const shown = isRestart ? identity : spec;
  const after = action === 'revoke' ? null : isRestart ? identity : wanted;
  const own = { action, before: target === null ? null : shown, after, notes, reasons, blockedBy, due, origin };
  return draftOf(
    scope,
    { ...binding, live: target, matchedBy },
    // A rotation without a target creates a successor; until then, the address means the present resource.
    target === null ? { ...own, resourceId: live?.id ?? null } : own,
    {
      key: `${action}:${binding.desired.address}${isOwn ? '' : `#${target.id}`}`,
      specAfter: isRestart ? spec : makes ? wanted : null,
      send: makes ? wanted : {},
      expect: shown,
      options: intent.options ?? {},
      restsOn: intent.restsOn ?? [],
      consented,
      isGuess: intent.isGuess === true,
      needsAllowance: allowedBy(intent, scope),
      restarts: isRestart,
    },
  );
}
