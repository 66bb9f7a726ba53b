// Retention rules on the built engine: each branch is read again right before its deletion.
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/base/json.ts';
import { shows } from '../../support/faults.ts';
import { CONTENTS, ID, MAIN, MAIN_BRANCH, shopWorld } from '../../support/shop.ts';
import { openSite, type Asked, type Site } from '../../support/site.ts';

const [OLD, NEXT] = ['br-old-100001', 'br-next-100002'];
const OPTIONS = {
  file: `version: 1
projects:
  shop:
    branches: { main: ${MAIN} }
    retention:
      previews: { match: ["preview/*"], older_than: 7d, idle_for: 24h, max: 20 }
`,
  seed: shopWorld({
    created_at: '-90d',
    branches: [
      { ...MAIN_BRANCH, created_at: '-90d' },
      { id: OLD, name: 'preview/old', parent_id: MAIN, created_at: '-30d', ...CONTENTS },
      { id: NEXT, name: 'preview/next', parent_id: MAIN, created_at: '-20d' },
    ],
    computes: [OLD, NEXT].map((branch) => ({ id: branch.replace('br-', 'ep-'), branch, last_active: '-3d' })),
  }),
};

/** How the deletion of both ends, and which of them are deleted. */
async function applied(site: Site, asked: Asked): Promise<unknown> {
  const allow = ['drop:shop/retention/previews/**'];
  const { result, writes } = await site.apply({ due: true, consent: 'unattended', allow, ...asked });
  return [result.status, writes.map((call) => call.split('/').at(-1))];
}

const path = `/projects/${ID}`;
const lists =
  (list: 'branches' | 'endpoints', at: string, value: Json) =>
  ({ controlPlane }: Site): void =>
    controlPlane.setFaults({ rules: [shows(`${path}/${list}`, at, value)] });
const OURS = { object: { type: 'console/branch', id: NEXT }, value: { 'trueup.run': 'x' } };
const YESTERDAY = '2025-12-31T12:00:00Z';
const CHANGES: readonly (readonly [string, (site: Site) => unknown])[] = [
  ['became the default branch', async ({ api }) => api('POST', `${path}/branches/${NEXT}/set_as_default`)],
  ['was protected', async ({ api }) => api('PATCH', `${path}/branches/${NEXT}`, { branch: { protected: true } })],
  ['was renamed', async ({ api }) => api('PATCH', `${path}/branches/${NEXT}`, { branch: { name: 'kept' } })],
  ['got a child', async ({ api }) => api('POST', `${path}/branches`, { branch: { name: 'child', parent_id: NEXT } })],
  ['is in use', async ({ api }) => api('POST', `${path}/endpoints/ep-next-100002/start`)],
  ['was in use', lists('endpoints', 'endpoints.1.last_active', YESTERDAY)],
  ['no longer tells its use', lists('endpoints', 'endpoints.1.last_active', null)],
  ['is of trueup', lists('branches', `annotations.${NEXT}`, OURS)],
  ['was made anew', lists('branches', 'branches.0.created_at', YESTERDAY)],
];

describe('a branch is not deleted that, since the plan,', () => {
  it.each(CHANGES)('%s', async (_, change) => {
    const fresh = openSite(OPTIONS);
    // A branch that no longer fits the plan ends the run before the next step; one in use does not.
    expect([
      ['stale', []],
      ['stale', [OLD]],
      ['blocked', [OLD]],
      ['incomplete', [OLD]],
    ]).toContainEqual(await applied(fresh, { between: async () => change(fresh) }));
    const saved = openSite(OPTIONS);
    expect(await applied(saved, { isSaved: true, between: async () => change(saved) })).toEqual(['stale', []]);
  });

  it.each([true, false])('did not change, by a plan that is saved: %s', async (isSaved) => {
    expect(await applied(openSite(OPTIONS), { isSaved })).toEqual(['converged', [NEXT, OLD]]);
  });
});
