// The moment of its parent at which a branch begins: a moment still to come is blocked before anything is sent.
import { describe, expect, it } from 'vitest';
import { openSite, type Site } from '../../../support/site.ts';
import { ID, shopWorld } from '../../../support/shop.ts';

const HOUR_MS = 3_600_000;
const WORLD = shopWorld({ created_at: '-40d', history_retention_seconds: 86_400 });

function fileAt(site: Site, hours: number): string {
  const at = new Date(site.clock.nowMs() + hours * HOUR_MS).toISOString();
  return `version: 1\nprojects: { shop: { branches: { main: br-wispy-meadow-118737, old: { from: { branch: main, at: "${at}" } } } } }\n`;
}

describe('a moment to begin at', () => {
  it.each([
    ['still to come', 1, ['refused']],
    ['that has passed', -23, []],
  ] as const)('%s', async (_, hours, blockedBy) => {
    const site = openSite({ seed: WORLD });
    const yaml = fileAt(site, hours);
    const plan = await site.plan(yaml);
    const change = plan.changes.find(({ action }) => action === 'create');
    expect(change?.blockedBy).toEqual(blockedBy);
    expect(change?.notes.some((note) => note.includes('which is in the future'))).toBe(hours > 0);
    const { result, writes } = await site.apply(yaml);
    expect(result.status).toBe(hours > 0 ? 'blocked' : 'converged');
    expect(writes).toHaveLength(hours > 0 ? 0 : 1);
  });

  it('is used once: of a branch that lives it asks nothing any more', async () => {
    const site = openSite({ seed: WORLD });
    const yaml = fileAt(site, -23);
    expect((await site.apply(yaml)).result.status).toBe('converged');
    await site.clock.advance(48 * HOUR_MS);
    const from = site.seen.length;
    const plan = await site.plan(yaml);
    expect([plan.steps, plan.changes.flatMap(({ blockedBy }) => blockedBy)]).toEqual([[], []]);
    expect(site.seen.slice(from)).not.toContain(`GET /projects/${ID}`);
  });
});

it('what is to be renamed there is seen when the branch is made: no empty one is made beside it', async () => {
  const site = openSite({ seed: WORLD });
  const below = `/projects/${ID}/branches/br-wispy-meadow-118737`;
  await site.api('POST', `${below}/roles`, { role: { name: 'app' } });
  await site.clock.advance(HOUR_MS);
  await site.api('POST', `${below}/databases`, { database: { name: 'orders', owner_name: 'app' } });
  await site.clock.advance(2 * HOUR_MS);
  const at = new Date(site.clock.nowMs() - HOUR_MS).toISOString();
  const yaml = `version: 1\nprojects: { shop: { branches: { main: {}, old: { from: { branch: main, at: "${at}" }, databases: { sales: { renamed_from: orders, owner: app } } } } } }\n`;
  const first = await site.apply(yaml);
  expect(first.result.status).toBe('stale');
  const { result, writes } = await site.apply(yaml);
  expect(result.status).toBe('converged');
  expect(writes.map((one) => one.replace(/ .*\//, ' '))).toEqual(['PATCH orders']);
});
