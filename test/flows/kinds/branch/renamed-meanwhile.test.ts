// A saved plan does nothing on what has another name by now, or is gone: its names were what the files meant.
import { describe, expect, it } from 'vitest';
import { openSite } from '../../../support/site.ts';
import { ID, shopWith, STAGING } from '../../../support/shop.ts';

const world = shopWith(STAGING, 'staging');
const file = (branches: string, more = ''): string =>
  `version: 1\nprojects: { shop: { branches: { ${branches} }${more} } }\n`;

describe('a saved plan', () => {
  it.each([
    ['a role', file('staging: { roles: { app: {} } }')],
    ['a child', file('staging: {}, child: { from: staging }')],
    ['a compute', file('staging: {}', ', computes: { c: { branch: staging } }')],
  ])('makes %s on no branch that has another name by now', async (_name, yaml) => {
    const site = openSite({ seed: world });
    const plan = await site.plan(yaml);
    await site.api('PATCH', `/projects/${ID}/branches/${STAGING}`, { branch: { name: 'precious' } });
    await site.api('POST', `/projects/${ID}/branches`, { branch: { name: 'staging' } });
    const { result, writes } = await site.saved(plan);
    expect(result.status).toBe('stale');
    expect(writes).toEqual([]);
  });

  it('makes nothing on a branch that is gone', async () => {
    const site = openSite({ seed: world });
    const plan = await site.plan(file('staging: { roles: { app: {} } }'));
    await site.api('DELETE', `/projects/${ID}/branches/${STAGING}`);
    expect((await site.saved(plan)).result.status).toBe('stale');
  });

  it('makes nothing in a managed project that has another name by now', async () => {
    const site = openSite({ seed: world });
    const plan = await site.plan(file('staging: { roles: { app: {} } }', ', history_retention_seconds: 1d'));
    await site.api('PATCH', `/projects/${ID}`, { project: { name: 'precious' } });
    expect((await site.saved(plan)).result.status).toBe('stale');
  });
});
