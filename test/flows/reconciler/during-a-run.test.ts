// What happens around a running apply: replies that only pretend, people who delete, lists that lag, plans beside it.
import { describe, expect, it } from 'vitest';
import { openSite, somebody, type Asked, type Site } from '../../support/site.ts';
import { fileOf, idOf, worldOf } from './fleet.ts';

const ID = idOf(0);
const RESOURCES = `/projects/${ID}/endpoints`;
const world = {
  file: fileOf(1, { more: 1 }),
  seed: worldOf(1, 1),
  operationMs: { min: 20_000, max: 20_000 },
  switches: { locking: 'off' } as const,
};

/** Does something as somebody else, a while after the run's first request has been answered. */
const later = ({ clock }: Site, act: () => Promise<unknown>): Asked => ({
  onEvent: ({ type }) => {
    if (type === 'apply_start') void clock.sleep(5000).then(act);
  },
});

describe('during a run', () => {
  it('O14 somebody deletes what was just made: the run says so, and the next one makes it anew', async () => {
    const site = openSite(world);
    const { apply, controlPlane } = site;
    const removal = later(site, async () => {
      const made = controlPlane.truth.computes(ID).find(({ branchId }) => branchId.endsWith('-0'));
      await somebody(controlPlane, 'DELETE', `${RESOURCES}/${made?.id}`);
    });
    expect((await apply(removal)).result.status).toBe('incomplete');
    expect((await apply()).result.status).toBe('converged');
    const computes = controlPlane.ledger().filter(({ kind }) => kind === 'compute');
    expect(computes.map(({ verb }) => verb)).toEqual(['POST', 'DELETE', 'POST']);
  });

  it('L4 something is made and deleted between two looks: nothing comes of it', async () => {
    const site = openSite(world);
    const visit = later(site, async () => {
      const body = { endpoint: { branch_id: `br-${ID}`, type: 'read_only' } };
      const made = await somebody(site.controlPlane, 'POST', RESOURCES, body);
      const { endpoint } = (await made.json()) as { endpoint: { id: string } };
      await somebody(site.controlPlane, 'DELETE', `${RESOURCES}/${endpoint.id}`);
    });
    expect((await site.apply(visit)).result.status).toBe('converged');
  });

  it('C12 a plan is made beside it: it shows what is there, and is no error', async () => {
    const site = openSite(world);
    const actions: string[] = [];
    const plan = later(site, async () => actions.push(...(await site.plan()).changes.map(({ action }) => action)));
    expect((await site.apply(plan)).result.status).toBe('converged');
    expect(actions).toEqual(['none', 'none']);
  });
});
