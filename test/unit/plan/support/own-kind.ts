// A kind with rules of its own: computes whose calls are named after their steps.
import { compute } from '../../../../src/kinds/compute/compute.ts';
import type { LiveResource } from '../../../../src/model/live.ts';
import type { Plan, StepAction } from '../../../../src/model/outcome/plan.ts';
import type { Intent, KindRules, RequestDraft, RequestInput, Verdict } from '../../../../src/plan/kind-rules.ts';
import { makePlan } from '../../../../src/plan/make-plan.ts';
import { inputOf, shop, type World } from './world.ts';

const ACTIONS: readonly StepAction[] = ['create', 'update', 'move', 'delete', 'restart', 'rotate', 'revoke'];

const QUIET = { notes: [], blockedBy: [] };
function requestsOf(actions: readonly StepAction[]): KindRules['requests'] {
  return Object.fromEntries(
    actions.map((action) => [
      action,
      ({ id, attributes }: RequestInput): RequestDraft => ({
        method: 'POST',
        path: `/${id ?? 'new'}/${action}`,
        body: attributes,
      }),
    ]),
  );
}

/** Computes whose removal is a revocation. */
export const REVOKED: Partial<KindRules> = { requests: requestsOf(ACTIONS.filter((action) => action !== 'delete')) };

/** The plan of a world in which computes have these rules instead of their usual ones. */
export function planWith(own: Partial<KindRules>, world: World): Plan {
  const kind: KindRules = { ...compute, requests: requestsOf(ACTIONS), ...own };
  return makePlan({ ...inputOf(world), kinds: [kind] });
}

/** Rules by which the kind says this of every declaration. */
export function saying(
  say: Partial<Verdict> | ((ask: Parameters<KindRules['verdict']>[0]) => Partial<Verdict>),
): Partial<KindRules> {
  return {
    verdict: (ask) => ({ intents: [], diagnostics: [], ...QUIET, ...(typeof say === 'function' ? say(ask) : say) }),
  };
}

export function intent(action: Intent['action'], target: LiveResource | null, own: Partial<Intent> = {}): Intent {
  return { action, target, due: false, origin: 'kind', reasons: ['it is time'], ...QUIET, consented: false, ...own };
}

/** One compute, as its file wants it. */
export const ONE: World = oneAs('a: { branch: br-1, max: 2 }');

/** The same one, wanted like this. */
export function oneAs(computes: string, more: World = {}): World {
  return shop(computes, 'ep-a: { branch: br-1, min: 1, max: 2 }', more);
}
