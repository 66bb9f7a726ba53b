// The hash by which a plan is recognised when it is made anew.
import { compareText, digestOf } from '../base/json.ts';
import type { JsonObject } from '../base/json.ts';
import type { Change, Expectation, Plan, StepId } from '../model/plan.ts';
import { expectationToJson } from './step-json.ts';

/**
 * Digest of what would be done: the steps, and before and after of what they change; and of whether operation logs were left out.
 * Not of the clock, nor of runtime noise.
 */
export function planHashOf({ steps, changes, options }: Pick<Plan, 'steps' | 'changes' | 'options'>): string {
  const ids = new Set(steps.map(({ id }) => id));
  return digestOf({
    ...(options.noHistory ? { histories: 'not_read' } : {}),
    steps: [...steps]
      .sort((a, b) => compareText(a.id, b.id))
      .map(({ action, address, body, expects, method, needs, path }) => ({
        action,
        address,
        body,
        expects: lastingOf(expects),
        method,
        needs,
        path,
      })),
    changes: changes
      .filter((change) => change.action !== 'none' && stepIdsOf(change).some((id) => ids.has(id)))
      .map(({ address, after, before, resourceId }) => ({ address, after, before, resourceId }))
      .sort((a, b) => compareText(a.address, b.address) || compareText(a.resourceId ?? '', b.resourceId ?? '')),
  });
}

/** What is expected without what passes: that may have changed by the time the plan is made anew. */
function lastingOf(expects: Expectation): JsonObject {
  const json = expectationToJson(expects);
  if (expects.state === 'absent') return json;
  const { lasting, restsOn } = expects.fingerprint;
  return { ...json, fingerprint: { lasting, rests_on: restsOn } };
}

/** Ids under which a change's own step may stand in the plan. */
function stepIdsOf({ action, address, resourceId }: Change): StepId[] {
  if (action === 'replace') return [`create:${address}`, `delete:${address}`, `revoke:${address}`];
  return [`${action}:${address}`, `${action}:${address}#${resourceId ?? ''}`];
}
