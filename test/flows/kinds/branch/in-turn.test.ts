// What nothing else orders is written in the order of the kinds: roles before databases, what is made before owners, and protection at the end.
import { describe, expect, it } from 'vitest';
import { openSite } from '../../../support/site.ts';
import { MAIN_BRANCH, shopWorld } from '../../../support/shop.ts';

const databases = ['orders', 'zoo'].map((name) => ({ name, owner_name: 'app' }));
const world = shopWorld({ branches: [{ ...MAIN_BRANCH, roles: ['app', 'idle'], databases }] });

async function writesOf(main: string, ...allow: readonly string[]): Promise<readonly string[]> {
  const site = openSite({ seed: world });
  const { writes, result } = await site.apply(
    `version: 1\nprojects: { shop: { branches: { main: { ${main} } } } }\n`,
    allow,
  );
  expect(result.status).toBe('converged');
  return writes.map((one) => one.replace(/ .*\/(roles|databases)/, ' $1'));
}

describe('the writes of one branch', () => {
  it('make roles before databases that do not need them, and databases before owners change', async () => {
    const writes = await writesOf(
      'roles: { app: {}, readonly: {} }, databases: { audit: { owner: app }, orders: { owner: idle }, bills: { owner: readonly } }',
    );
    expect(writes).toEqual(['POST roles', 'POST databases', 'POST databases', 'PATCH databases/orders']);
  });

  it('protect a branch when it has all that it is to have, and say which is the default when all branches have', async () => {
    const site = openSite({ seed: world });
    const below = 'from: main, roles: { own: {} }, databases: { things: { owner: own } }';
    const { writes, result } = await site.apply(
      `version: 1\nprojects: { shop: { branches: { main: {}, kept: { protected: true, ${below} }, first: { default: true, new: true, ${below} }, other: { ${below} } } } }\n`,
      ['move:shop/branches/first'],
    );
    expect(result.status).toBe('converged');
    expect(writes.at(-1)).toMatch(/set_as_default$/);
    const protects = writes.find((one) => one.startsWith('PATCH')) ?? '';
    const kept = protects.split('/').at(-1) ?? '?';
    const made = writes.filter((one) => one.startsWith('POST') && one.includes(`${kept}/`));
    expect(made).toHaveLength(2);
    for (const one of made) expect(writes.indexOf(one)).toBeLessThan(writes.indexOf(protects));
  });
});
