// Retention rules on the built engine: each branch is read again right before its deletion.
import { describe, expect, it } from 'vitest';
import { applied, ASKED, NEXT, OLD, openShop, SEED, SHOP, type Opened } from './leftover.ts';

const path = `/projects/${SHOP}`;
const CHANGES: readonly (readonly [string, (site: Opened) => Promise<unknown> | void])[] = [
  ['became the default branch', async ({ api }) => api('POST', `${path}/branches/${NEXT}/set_as_default`)],
  ['was protected', async ({ api }) => api('PATCH', `${path}/branches/${NEXT}`, { branch: { protected: true } })],
  ['was renamed', async ({ api }) => api('PATCH', `${path}/branches/${NEXT}`, { branch: { name: 'kept' } })],
  ['got a child', async ({ api }) => api('POST', `${path}/branches`, { branch: { name: 'child', parent_id: NEXT } })],
  ['is in use', async ({ api }) => api('POST', `${path}/endpoints/ep-next-100002/start`)],
  ['was in use', ({ shown }) => void shown.set('ep-next-100002', { last_active: '2025-12-31T12:00:00Z' })],
  ['no longer tells its use', ({ shown }) => void shown.set('ep-next-100002', { last_active: null })],
  [
    'is of trueup',
    ({ noted }) => void noted.set(NEXT, { object: { type: 'console/branch', id: NEXT }, value: { 'trueup.run': 'x' } }),
  ],
  ['was made anew', ({ shown }) => void shown.set(NEXT, { created_at: '2025-12-31T12:00:00Z' })],
];

describe('a branch is not deleted that, since the plan,', () => {
  it.each(CHANGES)('%s', async (_, change) => {
    const site = openShop(SEED);
    const { deleted, status } = await applied(site, ASKED, { between: async () => change(site) });
    // A branch that no longer fits the plan ends the run before the next step; one in use does not.
    expect([[], [OLD]]).toContainEqual(deleted);
    expect(status).not.toBe('converged');
    const saved = openShop(SEED);
    expect(await applied(saved, ASKED, { isSaved: true, between: async () => change(saved) })).toMatchObject({
      deleted: [],
      status: 'stale',
    });
  });

  it('did not change', async () => {
    for (const isSaved of [false, true])
      expect(await applied(openShop(SEED), ASKED, { isSaved })).toMatchObject({
        deleted: [NEXT, OLD],
        status: 'converged',
      });
  });
});
