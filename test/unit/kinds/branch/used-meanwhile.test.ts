// What came into use after the plan was made is not dropped either: safety.drop.unless_idle is judged again right before the request.
import { describe, expect, it } from 'vitest';
import type { World } from '../../../../src/control-plane/index.ts';
import { openSite } from '../project/site.ts';

const ID = 'spring-example-302709';
const MAIN = 'br-wispy-meadow-118737';
const COMPUTE = 'ep-cool-darkness-123456';
const world: World = {
  version: 1,
  projects: [
    {
      name: 'shop',
      id: ID,
      created_at: '-40d',
      branches: [
        { id: MAIN, name: 'main', default: true },
        {
          id: 'br-calm-sea-220011',
          name: 'staging',
          parent_id: MAIN,
          roles: ['app'],
          databases: [{ name: 'orders', owner_name: 'app' }],
        },
      ],
      computes: [{ id: COMPUTE, branch: 'staging', created_at: '-40d', last_active: '-30d', current_state: 'idle' }],
    },
  ],
};
const SAFETY = 'safety: { drop: { unless_idle: 7d } }\n';
const file = (project: string, safety = SAFETY): string => `version: 1\nprojects: { shop: { ${project} } }\n${safety}`;

describe('a drop of what is in use by now', () => {
  const BRANCH = ['branches: { staging: { state: absent } }', 'drop:shop/branches/staging'] as const;
  it.each([
    ['a branch', ...BRANCH],
    [
      'a database',
      'branches: { staging: { databases: { orders: { state: absent } } } }',
      'drop:shop/branches/staging/databases/orders',
    ],
    ['a project', 'state: absent', 'drop:shop'],
  ])('is held back: %s', async (_name, project, word) => {
    const site = openSite({ seed: world });
    const { plan } = await site.plan(file(project), [word]);
    expect(plan.steps).toHaveLength(1);
    await site.api('POST', `/projects/${ID}/endpoints/${COMPUTE}/start`);
    await site.clock.run(site.clock.sleep(60_000));
    const { result, sent } = await site.saved(plan, [word]);
    expect(result.status).toBe('blocked');
    expect(sent.filter((one) => !one.startsWith('GET'))).toEqual([]);
  });

  it('is sent where nothing was used since, or nobody asks', async () => {
    const site = openSite({ seed: world });
    const [project, word] = BRANCH;
    const { plan } = await site.plan(file(project), [word]);
    expect((await site.saved(plan, [word])).result.status).toBe('converged');
    const busy = openSite({ seed: world });
    const free = await busy.plan(file(project, ''), [word]);
    await busy.api('POST', `/projects/${ID}/endpoints/${COMPUTE}/start`);
    await busy.clock.run(busy.clock.sleep(60_000));
    expect((await busy.saved(free.plan, [word])).result.status).toBe('converged');
  });
});
