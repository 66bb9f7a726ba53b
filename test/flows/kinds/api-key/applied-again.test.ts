// A saved plan that makes keys, applied again: the first run's keys are known again by their sinks.
import { describe, expect, it } from 'vitest';
import { openSite, type SiteOptions } from '../../../support/site.ts';

const world = (place: string): SiteOptions => ({
  seed: {
    version: 1,
    projects: [{ name: 'shop', id: 'shop-1', branches: [{ id: 'br-main-1', name: 'main', default: true }] }],
  },
  file: `version: 1\napi_keys: { ci: { secret: ${place} } }\nprojects: { shop: { id: shop-1, computes: { p: { branch: br-main-1 } } } }\n`,
});

describe('a saved plan that makes a key, applied again', () => {
  it.each([
    ['with its value in a file', world('{ file: ci.json }')],
    ['with its value in a program that does not tell what it holds', world('{ exec: vault }')],
    ['with its value in both', world('[{ exec: vault }, { file: ci.json }]')],
  ])('finds all done: %s', async (_what, options) => {
    const account = openSite(options);
    const plan = await account.plan();
    const saved = { plan, isSaved: true };
    expect((await account.apply(saved)).result.status).toBe('converged');
    const { result } = await account.apply(saved);
    expect([result.status, result.counts]).toMatchObject(['converged', { added: 0 }]);
    expect(account.seen.filter((words) => words.includes('POST') && words.endsWith('/api_keys'))).toHaveLength(1);
  });

  it('takes a program that does not tell what it holds at its word, as a new plan does', async () => {
    const account = openSite(world('{ exec: vault }'));
    const plan = await account.plan();
    await account.api('POST', '/api_keys', { key_name: 'ci' });
    account.vault.set('vault', 'of somebody else');
    await account.clock.advance(60_000);
    expect((await account.plan()).steps.map(({ kind }) => kind)).toEqual(['compute']);
    const { result, sent } = await account.apply({ plan, isSaved: true });
    expect([result.status, sent.filter((words) => words.endsWith('POST /api_keys'))]).toEqual(['converged', []]);
  });
});
