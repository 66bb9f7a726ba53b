// Protects the read-back of a replacement whose pin goes stale with it: its name tells what the run made.
import { describe, expect, it } from 'vitest';
import type { World } from '../../../src/control-plane/index.ts';
import { withAccount } from './fleet.ts';

const ID = 'calm-lake-100000';
const BRANCH = `br-${ID}`;
const seed: World = {
  version: 1,
  projects: [
    {
      id: ID,
      name: 'shop',
      branches: [{ id: BRANCH, name: 'main', default: true }],
      computes: [
        { id: 'ep-a', branch: 'main' },
        { id: 'ep-r1', branch: 'main', type: 'read_only' },
        { id: 'ep-r2', branch: 'main', type: 'read_only' },
      ],
    },
  ],
};
const fileOf = (project: string): string =>
  `version: 1\nprojects: { shop: { ${project}computes: { x: { id: ep-a, branch_id: ${BRANCH}, type: read_only } } } }\n`;
const allow = [{ action: 'replace', address: 'shop/x' }] as const;
const options = { seed, reconciler: { requestsPerMinute: Infinity } };

describe('a pinned compute that was replaced', () => {
  it('is what the run made, in its result and in the next plan, whoever else fits', async () => {
    await withAccount({ ...options, file: fileOf('') }, async ({ apply, plan, clock }) => {
      const { result } = await apply(async () => clock.sleep(60_000), { request: { allow, consent: 'unattended' } });
      const made = result.steps.find(({ action }) => action === 'create')?.resourceId;
      expect(result.status).toBe('converged');
      expect(result.resources).toMatchObject({ 'shop/x': { id: made } });
      expect(result.resources['shop/x']?.columns['host']).toContain(made);
      const next = await plan();
      expect(next.changes.map(({ address, resourceId, action }) => [address, resourceId, action])).toEqual([
        ['shop/x', made, 'none'],
      ]);
      expect(next.unmanaged.map(({ id }) => id)).toEqual(['ep-r1', 'ep-r2']);
    });
  });

  it('stays what the run made when somebody makes an equal one, which is pruned', async () => {
    await withAccount(
      { ...options, file: fileOf('prune: true, ') },
      async ({ apply, plan, seen, reconciler, clock, controlPlane }) => {
        const { result } = await apply(undefined, { request: { allow, consent: 'unattended' } });
        const made = result.steps.find(({ action }) => action === 'create')?.resourceId;
        await clock.run(clock.sleep(60_000));
        const endpoint = { endpoint: { branch_id: BRANCH, type: 'read_only' } };
        await clock.run(reconciler.client.write('POST', `/projects/${ID}/endpoints`, endpoint));
        const from = seen.length;
        const next = await plan();
        expect(next.changes.find(({ address }) => address === 'shop/x')).toMatchObject({
          resourceId: made,
          action: 'none',
        });
        const stranger = controlPlane.ledger().at(-1)?.id;
        expect(next.steps.map(({ id }) => id)).toEqual([`delete:shop/${stranger}`]);
        expect(seen.slice(from).filter((request) => request.endsWith('/endpoints'))).toHaveLength(1);
      },
    );
  });

  it('is said to be missing, by its id, when the list does not show it yet', async () => {
    const file = fileOf('').replace('ep-a', 'ep-gone').replace(BRANCH, `${BRANCH}-2`);
    const branches = [
      { id: BRANCH, name: 'main', default: true },
      { id: `${BRANCH}-2`, name: 'second' },
    ];
    const world = { ...seed, projects: (seed.projects ?? []).map((project) => ({ ...project, branches })) };
    await withAccount({ ...options, seed: world, file }, async ({ apply, controlPlane }) => {
      const { result } = await apply(undefined, {
        onEvent: ({ type }) => {
          if (type !== 'apply_complete') return;
          const lists = { method: 'GET', path: `/projects/${ID}/endpoints` };
          controlPlane.setFaults({ rules: [{ when: lists, times: 'always', fault: { kind: 'list', how: 'empty' } }] });
        },
      });
      const made = result.steps.find(({ action }) => action === 'create')?.resourceId;
      expect([result.status, result.resources]).toEqual(['incomplete', {}]);
      expect(result.diagnostics.map(({ code, message }) => `${code}: ${message}`)).toContain(
        `not_listed: the service accepted the create, but its list does not show ${made}`,
      );
    });
  });
});
