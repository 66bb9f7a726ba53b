// A saved plan that makes keys, applied again: the first run's keys are known again by their sinks.
import { describe, expect, it } from 'vitest';
import type { AccountOptions } from '../../reconciler/account.ts';
import { withAccount } from '../../reconciler/fleet.ts';

const world = (place: string): AccountOptions => ({
  seed: {
    version: 1,
    projects: [{ name: 'shop', id: 'shop-1', branches: [{ id: 'br-main-1', name: 'main', default: true }] }],
  },
  file: `version: 1\napi_keys: { ci: { secret: ${place} } }\nprojects: { shop: { id: shop-1, computes: { p: { branch: br-main-1 } } } }\n`,
  reconciler: { requestsPerMinute: Infinity },
});

describe('a saved plan that makes a key, applied again', () => {
  it.each([
    ['with its value in a file', world('{ file: ci.json }')],
    ['with its value in a program that does not tell what it holds', world('{ exec: vault }')],
    ['with its value in both', world('[{ exec: vault }, { file: ci.json }]')],
  ])('finds all done: %s', async (_what, options) => {
    await withAccount(options, async (account) => {
      const plan = await account.plan();
      const saved = { plan, isSaved: true };
      expect((await account.apply(undefined, saved)).result.status).toBe('converged');
      const { result } = await account.apply(undefined, saved);
      expect([result.status, result.counts]).toMatchObject(['converged', { added: 0 }]);
      expect(account.seen.filter((words) => words.includes('POST') && words.endsWith('/api_keys'))).toHaveLength(1);
    });
  });

  it('takes a program that does not tell what it holds at its word, as a new plan does', async () => {
    await withAccount(world('{ exec: vault }'), async (account) => {
      const plan = await account.plan();
      await account.clock.run(account.reconciler.client.write('POST', '/api_keys', { key_name: 'ci' }, {}));
      account.vault.set('vault', 'of somebody else');
      await account.clock.run(account.clock.sleep(60_000));
      expect((await account.plan()).steps.map(({ kind }) => kind)).toEqual(['compute']);
      const { result, after } = await account.apply(undefined, { plan, isSaved: true });
      expect([result.status, after.filter((words) => words.endsWith('POST /api_keys'))]).toEqual(['converged', []]);
    });
  });
});
