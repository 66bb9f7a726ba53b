// Protects completion: a step is done when every operation of its own has ended well, whatever its resource reads meanwhile.
import { expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { RunResult } from '../../../src/model/outcome/result.ts';
import { ID, MAIN, shopWorld } from '../../support/shop.ts';
import { openSite } from '../../support/site.ts';

const SIZES = 'autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 2';
const RUNNING = { branch: 'main', current_state: 'active', suspend_timeout_seconds: -1 } as const;

/** A resize whose reply names other operations. */
async function resized(named: (own: readonly JsonObject[]) => readonly JsonObject[]): Promise<RunResult> {
  const bent = async (response: Response): Promise<Response> => {
    const { operations = [], ...body } = (await response.json()) as { readonly operations?: readonly JsonObject[] };
    return Response.json({ ...body, operations: named(operations) }, { status: response.status });
  };
  const site = openSite({
    seed: shopWorld({ computes: [RUNNING] }),
    file: `version: 1\nprojects: { shop: { computes: { primary: { branch_id: ${MAIN}, ${SIZES} } } } }\n`,
    switches: { availabilityChecks: 'off' },
    operationMs: { min: 5000, max: 5000 },
    answers: (request, asItIs) => (request.method === 'GET' ? null : asItIs().then(bent)),
  });
  return (await site.apply()).result;
}

const other = (id: string, action: string, status: string): JsonObject => ({
  id,
  action,
  status,
  project_id: ID,
  failures_count: status === 'error' ? 1 : 0,
});

it('a step is not done before its own operation has ended, though another one of the reply failed first', async () => {
  const result = await resized((own) => [other('side-operation', 'check_availability', 'error'), ...own]);
  expect(result).toMatchObject({ status: 'incomplete', steps: [{ outcome: 'failed' }] });
  expect(result.seconds).toBeGreaterThan(5);
});

it('a step is done when a client cancelled the suspension at its end', async () => {
  const { status } = await resized((own) => [...own, other('at-the-end', 'suspend_compute', 'cancelled')]);
  expect(status).toBe('converged');
});
