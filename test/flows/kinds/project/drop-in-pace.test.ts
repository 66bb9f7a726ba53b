// A project of many branches is dropped within a budget of requests: what is in it takes long to look at, and what comes in meanwhile is not lost.
import { expect, it } from 'vitest';
import type { World } from '../../../../src/control-plane/index.ts';
import { openSite, somebody } from '../../../support/site.ts';
import { shopAccount, SHOP } from '../../reconciler/fleet.ts';

const BRANCHES = 40;

it.each([
  [true, 0],
  [false, 1],
])('a colleague makes a branch while it is looked at: %s', async (isMade, deletions) => {
  const bare = shopAccount('    state: absent\n', { roles: ['app'], databases: [], operationMs: { min: 50, max: 50 } });
  const branches = Array.from({ length: BRANCHES }, (_, at) => ({ id: `br-of-${at}`, name: `b${at}`, roles: ['a'] }));
  const [shop] = bare.seed?.projects ?? [];
  const seed: World = {
    version: 1,
    projects: [{ ...shop, name: 'shop', branches: [...(shop?.branches ?? []), ...branches] }],
  };
  let isPlanned = false;
  let made = 0;
  const { apply } = openSite({
    ...bare,
    seed,
    latencyMs: 100,
    reconciler: { requestsPerMinute: 600 },
    meanwhile: async (request, { controlPlane }) => {
      if (!isMade || !isPlanned || made > 0 || request !== `GET /projects/${SHOP}/branches/br-of-20/roles`) return;
      const body = { branch: { name: 'precious' } };
      made = (await somebody(controlPlane, 'POST', `/projects/${SHOP}/branches`, body)).status;
    },
  });
  const { sent } = await apply({ allow: ['drop:shop'], between: () => void (isPlanned = true) });
  expect(made).toBe(isMade ? 201 : 0);
  expect(sent.filter((request) => request === `DELETE /projects/${SHOP}`)).toHaveLength(deletions);
  // Each list at most twice, and some for the plan before and after.
  expect(sent.length).toBeLessThanOrEqual(180);
});
