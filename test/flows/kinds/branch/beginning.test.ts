// Where in the history of its parent a branch begins: a moment that the project does not keep is held back before anything is sent.
import { describe, expect, it } from 'vitest';
import type { World } from '../../../../src/control-plane/index.ts';
import { openSite, type Site } from '../project/site.ts';

const ID = 'spring-example-302709';
const HOUR_MS = 3_600_000;
const world = (history: number): World => ({
  version: 1,
  projects: [
    {
      name: 'shop',
      id: ID,
      created_at: '-40d',
      history_retention_seconds: history,
      branches: [{ id: 'br-wispy-meadow-118737', name: 'main', default: true }],
    },
  ],
});

/** Where its id is written, no list of projects is read. */
function fileAt(site: Site, hours: number, project = ''): string {
  const at = new Date(site.clock.nowMs() + hours * HOUR_MS).toISOString();
  return `version: 1\nprojects: { shop: { ${project}branches: { main: br-wispy-meadow-118737, old: { from: { branch: main, at: "${at}" } } } } }\n`;
}

const CASES: readonly (readonly [name: string, history: number, hours: number, words: string | null])[] = [
  ['older than what is kept', 86_400, -25, 'the project keeps 1d of history, since '],
  ['where nothing is kept', 0, -1, 'the project keeps no history'],
  ['still to come', 86_400, 1, 'which is in the future'],
  ['within what is kept', 86_400, -23, null],
];

describe('a moment to begin at', () => {
  it.each(CASES)('%s', async (_, history, hours, words) => {
    for (const project of ['', `id: ${ID}, `, 'settings: {}, ']) {
      const site = openSite({ seed: world(history) });
      const yaml = fileAt(site, hours, project);
      const { plan, seen } = await site.plan(yaml);
      const change = plan.changes.find(({ action }) => action === 'create');
      expect(change?.blockedBy).toEqual(words === null ? [] : ['refused']);
      expect(change?.notes.join('\n')).toContain(words ?? '');
      expect(seen.filter((one) => one === `GET /projects/${ID}`)).toHaveLength(project.startsWith('id') ? 1 : 0);
      const { result, sent } = await site.apply(yaml);
      expect(result.status).toBe(words === null ? 'converged' : 'blocked');
      expect(sent.filter((one) => !one.startsWith('GET'))).toHaveLength(words === null ? 1 : 0);
    }
  });

  it('is used once: of a branch that lives it asks nothing any more', async () => {
    const site = openSite({ seed: world(86_400) });
    const yaml = fileAt(site, -23);
    expect((await site.apply(yaml)).result.status).toBe('converged');
    await site.clock.run(site.clock.sleep(48 * HOUR_MS));
    const { plan, seen } = await site.plan(yaml);
    expect([plan.steps, plan.changes.flatMap(({ blockedBy }) => blockedBy)]).toEqual([[], []]);
    expect(seen).not.toContain(`GET /projects/${ID}`);
  });
});

it('what is to be renamed there is seen when the branch is made: no empty one is made beside it', async () => {
  const site = openSite({ seed: world(86_400) });
  const below = `/projects/${ID}/branches/br-wispy-meadow-118737`;
  await site.api('POST', `${below}/roles`, { role: { name: 'app' } });
  await site.clock.run(site.clock.sleep(HOUR_MS));
  await site.api('POST', `${below}/databases`, { database: { name: 'orders', owner_name: 'app' } });
  await site.clock.run(site.clock.sleep(2 * HOUR_MS));
  const at = new Date(site.clock.nowMs() - HOUR_MS).toISOString();
  const yaml = `version: 1\nprojects: { shop: { branches: { main: {}, old: { from: { branch: main, at: "${at}" }, databases: { sales: { renamed_from: orders, owner: app } } } } } }\n`;
  const first = await site.apply(yaml);
  expect(first.result.status).toBe('stale');
  const { result, sent } = await site.apply(yaml);
  expect(result.status).toBe('converged');
  expect(sent.filter((one) => !one.startsWith('GET')).map((one) => one.replace(/ .*\//, ' '))).toEqual([
    'PATCH orders',
  ]);
});

describe('a project that does not say what is to be known before a branch is made', () => {
  const other = { name: 'lab', id: 'calm-lake-100001', branches: [{ id: 'br-lab-1', name: 'main', default: true }] };
  it.each([
    ['how long it keeps history', `id: ${ID}, `, { path: `/projects/${ID}` }],
    ['which branches were deleted', '', { path: `/projects/${ID}/branches`, after: 1 }],
  ])('is unread, and the others are planned: %s', async (_, project, when) => {
    const site = openSite({ seed: { version: 1, projects: [...(world(86_400).projects ?? []), other] } });
    const fault = { kind: 'reply', commit: false, status: 500, body: '{}' } as const;
    site.controlPlane.setFaults({ rules: [{ when: { method: 'GET', ...when }, times: 'always', fault }] });
    const yaml = fileAt(site, -1, project).replace(
      / }\n$/,
      ', lab: { id: calm-lake-100001, branches: { next: {} } } }\n',
    );
    const { plan } = await site.plan(yaml);
    expect(plan.unread.map(({ what, reason }) => [what, reason])).toEqual([
      ['shop', expect.stringContaining('was answered 500')],
    ]);
    expect(plan.steps.map(({ address }) => address)).toEqual(['lab/branches/next']);
    const { result } = await site.apply(yaml);
    expect([result.status, result.steps.map(({ outcome }) => outcome)]).toEqual(['incomplete', ['done']]);
  });
});
