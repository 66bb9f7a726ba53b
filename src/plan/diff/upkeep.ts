// Plans the work of every apply besides changes, as kinds propose it for selected and planned declarations.
import { assert } from '../../base/assert.ts';
import { inOrderOf, type JsonObject } from '../../base/json.ts';
import type { Address } from '../../model/address.ts';
import type { Plan, PlannedUpkeep, Step } from '../../model/outcome/plan.ts';
import type { Binding } from '../match/match-state.ts';
import type { Matching } from '../match/matching.ts';
import { finishStep } from '../order/finish-step.ts';
import type { Scope } from '../scope.ts';
import { withoutIgnored } from './difference.ts';
import { draftOf, parentIdOf } from './draft.ts';
import { defined, picked } from '../../base/picked.ts';

/** Returns the work sorted by address. */
export function upkeepOf(
  matchings: readonly Matching[],
  { changes, steps }: Pick<Plan, 'changes' | 'steps'>,
): PlannedUpkeep[] {
  const differing = new Set(changes.flatMap(({ address, action }) => (action === 'none' ? [] : [address])));
  const running = new Set(steps.map(({ address }) => address));
  return matchings
    .flatMap(({ scope, bindings }) => bindings.flatMap((binding) => ofBinding(scope, binding, { differing, running })))
    .sort(inOrderOf(({ address, action }) => [address, action]));
}

interface Changing {
  readonly differing: ReadonlySet<Address>;
  readonly running: ReadonlySet<Address>;
}

function ofBinding(scope: Scope, binding: Binding, { differing, running }: Changing): readonly PlannedUpkeep[] {
  const { live, frozen } = binding;
  const { upkeep } = scope.rules;
  const desired = live === null ? binding.desired : withoutIgnored(scope.rules, binding.desired);
  if (upkeep === undefined || frozen !== null || !upkeep.mayNeed(desired)) return [];
  // Nothing is done below a parent that is deleted or stays missing; once the parent is gone, a later run clears the sinks.
  const { parent } = scope;
  if (parent?.isGoing === true && (!desired.absent || parent.id !== null)) return [];
  if (parent?.id === null && !desired.absent && !running.has(parent.address)) return [];
  const need = upkeep.needs({
    desired,
    live,
    differs: differing.has(desired.address),
    runs: (address) => running.has(address),
    context: scope,
  });
  if (need === null) return [];
  const { action, reasons, sinks = [], isPending = false, restsOn, send, options = {} } = need;
  return [
    {
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
    },
  ];
}

/** Builds the request of a renewal, which sends an expiry again and changes no declared value. */
function renewal(scope: Scope, binding: Binding, send: JsonObject): Step {
  const { desired, live } = binding;
  assert(live !== null, 'a renewal has no live resource');
  const { spec } = live;
  const expect = picked(spec, Object.keys(send));
  const draft = draftOf(scope, binding, { action: 'update', before: spec, after: spec }, { expect });
  const step = { id: `renew:${desired.address}`, draft, action: 'update', target: live, part: {} } as const;
  return finishStep({ ...step, before: spec, after: spec, send }, [], () => []);
}
