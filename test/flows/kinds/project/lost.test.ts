// Projects that are gone, that somebody renamed, or of which there are several: nothing is taken for what it is not.
import { describe, expect, it } from 'vitest';
import type { World } from '../../../../src/control-plane/index.ts';
import { kinds } from '../../../../src/kinds/index.ts';
import { planToJson } from '../../../../src/plan/json/plan-json.ts';
import { openPlan } from '../../../../src/plan/json/saved-plan.ts';
import { openSite, type Site } from '../../../support/site.ts';
import { inShop } from '../../../support/shop.ts';

const GONE = 'gone-lake-100000';
const BRANCHES = (id: string): readonly object[] => [{ id: `br-${id}`, name: 'main', default: true }];
const worldOf = (...projects: readonly (readonly [id: string, name: string])[]): World =>
  ({ version: 1, projects: projects.map(([id, name]) => ({ id, name, branches: BRANCHES(id) })) }) as World;

const CREATED = inShop('create: {}');
const PINNED = inShop(`id: ${GONE}`, 'create: {}');

async function blocksOf(site: Site, yaml: string, ...allow: readonly string[]): Promise<readonly string[]> {
  const plan = await site.plan(yaml, allow);
  return plan.changes.find(({ address }) => address === 'shop')?.blockedBy ?? ['no such change'];
}

describe('a project that is not there', () => {
  it('is an error without leave to create it', async () => {
    const { diagnostics } = await openSite({ seed: worldOf() }).outcome(inShop('settings: {}'));
    expect(diagnostics.map(({ code }) => code)).toContain('unknown_project');
  });

  it('is vanished where its id is gone: a new one would not have its data', async () => {
    const site = openSite({ seed: worldOf() });
    expect(await blocksOf(site, PINNED, 'create:shop')).toEqual(['vanished']);
    expect(await blocksOf(site, PINNED, '*:*')).toEqual(['vanished']);
    expect(await blocksOf(site, PINNED, 'recreate:shop')).toEqual([]);
  });

  it('is matched by its name where only its id is gone, with a warning', async () => {
    const site = openSite({ seed: worldOf(['calm-lake-100001', 'shop']) });
    const plan = await site.plan(PINNED);
    expect(plan.steps).toEqual([]);
    expect(plan.diagnostics.map(({ code }) => code)).toContain('stale_pin');
  });

  it('is told of where the file names it otherwise, and keeps its name', async () => {
    const site = openSite({ seed: worldOf(['calm-lake-100001', 'market']) });
    const named = (name: string): string =>
      inShop('id: calm-lake-100001', `name: ${name}`, 'history_retention_seconds: 1d');
    const plan = await site.plan(named('other'));
    expect([plan.steps, plan.diagnostics.map(({ code }) => code)]).toEqual([[], ['name_differs']]);
    expect((await site.plan(named('market'))).diagnostics).toEqual([]);
    const COMPUTE = 'computes: { primary: { branch_id: br-calm-lake-100001 } }';
    const ofLabel = await site.plan(inShop('id: calm-lake-100001', 'name: shop', COMPUTE));
    expect(ofLabel.diagnostics.map(({ code }) => code)).toEqual(['name_differs']);
    expect((await site.plan(inShop('id: calm-lake-100001', COMPUTE))).diagnostics).toEqual([]);
  });

  it.each([
    ['name: market, state: absent', []],
    ['name: other, state: absent', ['name_differs']],
    ['state: absent', ['name_differs']],
  ])('is dropped by its id where the file gives its name: %s', async (entry, blockedBy) => {
    const site = openSite({ seed: worldOf(['calm-lake-100001', 'market']) });
    const yaml = `version: 1\nprojects: { shop: { id: calm-lake-100001, ${entry} } }\n`;
    expect(await blocksOf(site, yaml, 'drop:shop')).toEqual(blockedBy);
  });

  it('is the same in a saved plan, whose files write the name', async () => {
    const site = openSite({ seed: worldOf(['calm-lake-100001', 'market']) });
    const { plan, record } = await site.outcome(inShop('id: calm-lake-100001', 'name: market', 'computes: {}'));
    if (plan === null) throw new Error('there is no plan');
    const stamp = { timestamp: '2026-01-01T00:00:00Z', toolVersion: '0.1.0', expiresInMs: 1000, record };
    const read = openPlan(planToJson(plan, stamp), { kinds, toolVersion: '0.1.0' });
    expect('problem' in read ? read.problem : null).toBeNull();
  });

  it.each([[worldOf()], [worldOf(['calm-lake-100001', 'blog'])]])(
    'is unread where its id is gone and nothing says that it may be made, alone or beside others',
    async (seed) => {
      const plan = await openSite({ seed }).plan(inShop(`id: ${GONE}`, 'settings: {}'), ['recreate:shop']);
      expect(plan.unread).toEqual([
        { what: 'shop', projectId: GONE, reason: `there is no project ${GONE} in this account` },
      ]);
      expect(plan.changes).toEqual([]);
    },
  );

  it('is dropped beside others, and the run ends well, also where the reply is lost', async () => {
    const absent = inShop('state: absent');
    const open = (): Site => openSite({ seed: worldOf(['calm-lake-100001', 'shop'], ['calm-lake-100002', 'blog']) });
    const first = await open().apply(absent, ['drop:shop']);
    expect(first.result.status).toBe('converged');
    const call = [...first.planned, ...first.sent].indexOf('DELETE /projects/calm-lake-100001') + 1;
    const site = open();
    const { result } = await site.apply({
      file: absent,
      allow: ['drop:shop'],
      faultAt: (number) => (number === call ? 'lost_after' : null),
    });
    expect(result.status).toBe('converged');
    expect((await site.api('GET', '/projects/calm-lake-100002')).status).toBe(200);
  });

  it('is done where it shall be absent, by its id also beside another of its name', async () => {
    const site = openSite({ seed: worldOf(['calm-lake-100001', 'shop']) });
    const gone = inShop(`id: ${GONE}`, 'state: absent');
    const { result } = await site.apply(gone, ['drop:shop']);
    expect(result.status).toBe('converged');
    expect((await site.api('GET', '/projects/calm-lake-100001')).status).toBe(200);
  });

  it('is vanished while somebody can still bring it back', async () => {
    const site = openSite({ seed: worldOf(['calm-lake-100001', 'shop']) });
    expect((await site.api('DELETE', '/projects/calm-lake-100001')).status).toBe(200);
    expect(await blocksOf(site, CREATED, 'create:shop')).toEqual(['vanished']);
    const { result } = await site.apply(CREATED, ['recreate:shop']);
    expect(result.status).toBe('converged');
  });

  const posts = (sent: readonly string[]): readonly string[] => sent.filter((one) => one.startsWith('POST'));
  const renamed = async (site: Site, to: string): Promise<string> => {
    const { id } =
      site.controlPlane.ledger().findLast(({ kind, before }) => kind === 'project' && before === null) ?? {};
    expect((await site.api('PATCH', `/projects/${id ?? ''}`, { project: { name: to } })).status).toBe(200);
    return id ?? '';
  };

  const dies = async (site: Site, when: 'before' | 'after'): Promise<void> => {
    const { calls } = await openSite({ seed: worldOf() }).live({ file: CREATED, allow: ['create:shop'] }, null);
    await site.live({ file: CREATED, allow: ['create:shop'] }, { call: calls.indexOf('POST /projects') + 1, when });
  };
  it('is made where only others came into being while the reply was lost', async () => {
    const site = openSite({ seed: worldOf() });
    await dies(site, 'before');
    await site.api('POST', '/projects', {
      project: { name: 'theirs', branch: { annotations: { 'trueup.run': 'another' } } },
    });
    const { result, sent } = await site.apply(CREATED, ['create:shop']);
    expect([result.status, posts(sent)]).toEqual(['converged', ['POST /projects']]);
  });

  it.each([
    ['by its id', (id: string) => `{ id: ${id}, branches: { main: {} } }`],
    ['by its id alone', (id: string) => `{ id: ${id} }`],
    ['by its name', () => '{}'],
  ])('is made where the files have the renamed one under another label, selected or not: %s', async (_, entry) => {
    const site = openSite({ seed: worldOf() });
    await site.apply(CREATED, ['create:shop']);
    const id = await renamed(site, 'trio');
    const both = `version: 1\nprojects:\n  trio: ${entry(id)}\n  shop: { create: {} }\n`;
    const target = await site.outcome({ file: both, allow: ['create:shop'], target: ['shop'] });
    expect(target.plan?.unread).toEqual([]);
    const { result, sent } = await site.apply(both, ['create:shop']);
    expect([result.status, posts(sent)]).toEqual(['converged', ['POST /projects']]);
  });
});
