// The key that the run itself uses is never revoked; where nothing proves which one that is, no key is, whatever the consent.
import { describe, expect, it } from 'vitest';
import type { World } from '../../../src/api/index.ts';
import { openSite, type Site } from '../../support/site.ts';

const WORLD: World = {
  version: 1,
  api_keys: [
    { id: 41, name: 'ci', created_at: '-400d', last_used_at: '-300d', last_used_from_addr: '192.0.2.7' },
    { id: 42, name: 'laptop', created_at: '-400d' },
  ],
};

const FILE = 'version: 1\napi_keys: { root: { state: absent }, ci: { state: absent }, laptop: { state: absent } }\n';

/** Every consent that there is, in so many words and by patterns. */
const ALLOW = [
  '*:*',
  '*:api_keys/*',
  ...['root', 'ci', 'laptop', '41', '42'].flatMap((name) => [`revoke:api_keys/${name}`, `*:api_keys/${name}`]),
];
const ASKED = { file: FILE, allow: ALLOW };

const withKeys = (lastUse: 'at_once' | 'each_minute'): Site => openSite({ seed: WORLD, switches: { lastUse } });

describe('where the service shows the use of a key late', () => {
  it('nothing is revoked, neither our own key nor another one', async () => {
    const { plan, writes } = await withKeys('each_minute').apply(ASKED);
    expect(plan.changes.map(({ blockedBy }) => blockedBy)).toEqual([['self'], ['self'], ['self']]);
    expect(writes).toEqual([]);
  });

  it('a saved plan revokes nothing either, though it allows all', async () => {
    const { plan, record } = await withKeys('at_once').outcome(ASKED);
    if (plan === null) throw new Error('there is no plan');
    expect(plan.steps).toHaveLength(2);
    expect((await withKeys('each_minute').saved(plan, { record, allow: ALLOW })).writes).toEqual([]);
  });
});

describe('where it shows it at once', () => {
  it.each([false, true])('all are revoked but our own, by a plan that is saved: %s', async (isSaved) => {
    const { writes } = await withKeys('at_once').apply({ ...ASKED, isSaved });
    expect(writes).toEqual(['DELETE /api_keys/41', 'DELETE /api_keys/42']);
  });
});
