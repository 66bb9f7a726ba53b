// What happens around a running apply: replies that only pretend, people who delete, lists that lag, plans beside it.
import { describe, expect, it } from 'vitest';
import type { Account } from './account.ts';
import { fileOf, idOf, withAccount, worldOf } from './fleet.ts';

const ID = idOf(0);
const RESOURCES = `/projects/${ID}/endpoints`;
const world = {
  file: fileOf(1, { more: 1 }),
  seed: worldOf(1, 1),
  operationMs: { min: 20_000, max: 20_000 },
  reconciler: { requestsPerMinute: Infinity },
  switches: { locking: 'off' } as const,
};

/** Does something as somebody else, a while after the run's first request has been answered. */
const later = ({ clock }: Account, act: () => Promise<unknown>): { onEvent: (event: { type: string }) => void } => ({
  onEvent: ({ type }) => {
    if (type === 'apply_start') void clock.sleep(5000).then(act);
  },
});

const done = ({ controlPlane }: Account): readonly string[] =>
  controlPlane
    .ledger()
    .filter(({ kind }) => kind === 'compute')
    .map(({ verb }) => verb);

describe('during a run', () => {
  it('O14 somebody deletes what was just made: the run says so, and the next one makes it anew', async () => {
    await withAccount(world, async (account) => {
      const { apply, controlPlane, reconciler } = account;
      const removal = later(account, async () => {
        const made = controlPlane.truth.computes(ID).find(({ branchId }) => branchId.endsWith('-0'));
        await reconciler.client.write('DELETE', `${RESOURCES}/${made?.id}`, null);
      });
      const { result } = await apply(undefined, removal);
      expect(result.status).toBe('incomplete');
      expect((await apply()).result.status).toBe('converged');
      expect(done(account)).toEqual(['POST', 'DELETE', 'POST']);
    });
  });

  it('L4 something is made and deleted between two looks: nothing comes of it', async () => {
    await withAccount(world, async (account) => {
      const { apply, reconciler } = account;
      const visit = later(account, async () => {
        const body = { endpoint: { branch_id: `br-${ID}`, type: 'read_only' } };
        const made = (await reconciler.client.write('POST', RESOURCES, body)) as { endpoint: { id: string } };
        await reconciler.client.write('DELETE', `${RESOURCES}/${made.endpoint.id}`, null);
      });
      expect((await apply(undefined, visit)).result.status).toBe('converged');
    });
  });

  it('C12 a plan is made beside it: it shows what is there, and is no error', async () => {
    await withAccount(world, async (account) => {
      const { apply, reconciler, desired } = account;
      const actions: string[] = [];
      const plan = later(account, async () => {
        const outcome = await reconciler.plan({ desired });
        actions.push(...(outcome.plan?.changes.map(({ action }) => action) ?? ['no plan']));
      });
      expect((await apply(undefined, plan)).result.status).toBe('converged');
      expect(actions).toEqual(['none', 'none']);
    });
  });
});
