// Protects completion: a step is done when every operation of its own has ended well, whatever its resource reads meanwhile.
import { expect, it, onTestFinished } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { desiredOf } from '../../support/files.ts';
import { openSite } from '../../support/site.ts';

const SHOP = 'spring-example-302709';
const MAIN = 'br-wispy-meadow-118737';
const SIZES = 'autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 2';

/** How a resize ends whose reply names other operations, and after how many seconds. */
async function resized(
  named: (own: readonly JsonObject[]) => readonly JsonObject[],
): Promise<{ readonly status: string; readonly outcomes: readonly string[]; readonly seconds: number }> {
  const site = openSite({
    seed: {
      version: 1,
      projects: [
        {
          name: 'shop',
          id: SHOP,
          branches: [{ id: MAIN, name: 'main', default: true }],
          computes: [{ branch: 'main', current_state: 'active', suspend_timeout_seconds: -1 }],
        },
      ],
    },
    switches: { availabilityChecks: 'off' },
    operationMs: { min: 5000, max: 5000 },
    answers: (request, asItIs) => (request.method === 'GET' ? null : asItIs().then(bent)),
  });
  onTestFinished(() => site.controlPlane.close());
  const bent = async (response: Response): Promise<Response> => {
    const { operations = [], ...body } = (await response.json()) as { readonly operations?: readonly JsonObject[] };
    return Response.json({ ...body, operations: named(operations) }, { status: response.status });
  };
  const desired = await desiredOf(
    `version: 1\nprojects: { shop: { computes: { primary: { branch_id: ${MAIN}, ${SIZES} } } } }\n`,
  );
  const reconciler = site.started();
  const { plan, reading } = await site.clock.run(reconciler.plan({ desired }));
  if (plan === null) throw new Error('there is no plan');
  const { status, steps, seconds } = await site.clock.run(reconciler.apply({ plan, desired, reading, request: {} }));
  return { status, outcomes: steps.map(({ outcome }) => outcome), seconds };
}

const other = (id: string, action: string, status: string): JsonObject => ({
  id,
  action,
  status,
  project_id: SHOP,
  failures_count: status === 'error' ? 1 : 0,
});

it('a step is not done before its own operation has ended, though another one of the reply failed first', async () => {
  const { status, outcomes, seconds } = await resized((own) => [
    other('side-operation', 'check_availability', 'error'),
    ...own,
  ]);
  expect([status, outcomes]).toEqual(['incomplete', ['failed']]);
  expect(seconds).toBeGreaterThan(5);
});

it('a step is done when a client cancelled the suspension at its end', async () => {
  const { status } = await resized((own) => [...own, other('at-the-end', 'suspend_compute', 'cancelled')]);
  expect(status).toBe('converged');
});
