// The key that the run itself uses is never revoked; where nothing proves which one that is, no key is, whatever the consent.
import { describe, expect, it } from 'vitest';
import type { ApplyRequest } from '../../../src/reconciler/types.ts';
import type { World } from '../../../src/api/index.ts';
import type { Plan } from '../../../src/model/outcome/plan.ts';
import type { Account } from './account.ts';
import { withAccount } from './fleet.ts';

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
  { action: '*', address: '*' },
  { action: '*', address: 'api_keys/*' },
  ...['root', 'ci', 'laptop', '41', '42'].flatMap((name) => [
    { action: 'revoke', address: `api_keys/${name}` },
    { action: '*', address: `api_keys/${name}` },
  ]),
];

const withKeys = async (lastUse: 'at_once' | 'each_minute', work: (account: Account) => Promise<void>): Promise<void> =>
  withAccount({ file: FILE, seed: WORLD, switches: { lastUse } }, work);

async function planned(account: Account): Promise<{ readonly plan: Plan; readonly reading: ApplyRequest['reading'] }> {
  const { clock, reconciler, desired } = account;
  const { plan, reading } = await clock.run(reconciler.plan({ desired, allow: ALLOW }));
  if (plan === null) throw new Error('no plan');
  return { plan, reading };
}

const blocks = ({ changes }: Plan): readonly (readonly string[])[] => changes.map(({ blockedBy }) => blockedBy);

/** Of what is read and planned now, or of a plan that another run has saved. */
async function applied(
  account: Account,
  request: Pick<ApplyRequest, 'plan' | 'reading' | 'isSaved'>,
): Promise<readonly string[]> {
  const { clock, reconciler, desired } = account;
  await clock.run(reconciler.apply({ ...request, desired, request: { allow: ALLOW } }));
  return account.seen.filter((one) => one.startsWith('DELETE'));
}

describe('where the service shows the use of a key late', () => {
  it('nothing is revoked, neither our own key nor another one', async () => {
    await withKeys('each_minute', async (account) => {
      const made = await planned(account);
      expect(blocks(made.plan)).toEqual([['self'], ['self'], ['self']]);
      expect(await applied(account, made)).toEqual([]);
    });
  });

  it('a saved plan revokes nothing either, though it allows all', async () => {
    await withKeys('at_once', async (before) => {
      const made = await planned(before);
      expect(made.plan.steps).toHaveLength(2);
      await withKeys('each_minute', async (account) => {
        expect(await applied(account, { ...made, isSaved: true })).toEqual([]);
      });
    });
  });
});

describe('where it shows it at once', () => {
  it.each(['planned now', 'saved'])('all are revoked but our own, by a plan that is %s', async (which) => {
    await withKeys('at_once', async (account) => {
      const made = await planned(account);
      expect(await applied(account, { ...made, isSaved: which === 'saved' })).toEqual([
        'DELETE /api_keys/41',
        'DELETE /api_keys/42',
      ]);
    });
  });
});
