// A retention rule in a project with 1,200 leftover branches: which ones go, in which order, and by how many requests.
import { describe, expect, it } from 'vitest';
import { desiredOf } from '../../support/files.ts';
import { applied, ASKED, fileOf, openShop, SHOP, worldOf } from './leftover.ts';

const path = `/projects/${SHOP}`;

describe('of 1,200 leftover branches', () => {
  const COUNT = 1200;
  const idOf = (at: number): string => `br-preview-${100_000 + at}`;
  // Each group is spread over all ages: open, protected, in use, and with a child of another name.
  const [opened, kept, used, parents] = [groupOf(30, 0), groupOf(5, 1), groupOf(12, 2), groupOf(20, 3)];
  const staying = new Set([opened, kept, used, parents].flatMap((group) => [...group]));
  const leftOver = Array.from({ length: COUNT }, (_, at) => at).filter((at) => !staying.has(at));
  const world = worldOf(
    [
      ...Array.from({ length: COUNT }, (_, at) => ({
        id: idOf(at),
        name: `preview/${at}`,
        created_at: `-${10 * COUNT - 5 * at}h`,
        ...(kept.has(at) ? { protected: true } : {}),
      })),
      ...[...parents].map((at) => ({
        id: `br-work-${at}`,
        name: `work/${at}`,
        parent_id: idOf(at),
        created_at: '-20d',
      })),
    ],
    Array.from({ length: COUNT }, (_, at) => ({
      id: `ep-preview-${100_000 + at}`,
      branch: idOf(at),
      last_active: used.has(at) ? '-2h' : '-9d',
    })),
  );
  const keep = `, keep: [${[...opened].map((at) => `preview/${at}`).join(', ')}]`;

  function groupOf(size: number, offset: number): ReadonlySet<number> {
    return new Set(Array.from({ length: size }, (_, at) => at * 37 + offset));
  }

  it('only old, idle ones go, the oldest first, with four lists for each', async () => {
    const site = openShop(world);
    const oldest = leftOver.slice(0, 20).map(idOf);
    const { deleted, status, requests } = await applied(site, { ...ASKED, desired: await desiredOf(fileOf(keep)) });
    expect(status).toBe('converged');
    expect(deleted.toSorted()).toEqual(oldest);
    const { body } = await site.api('GET', `${path}/branches?limit=10000`);
    const left = (body as { readonly branches: readonly { readonly id: string }[] }).branches.map(({ id }) => id);
    expect(left).toHaveLength(1 + COUNT + parents.size - oldest.length);
    expect(requests.length).toBeLessThan(20 * 9);
    expect(site.seen.length - requests.length).toBe(2 + 2 * 20);
  }, 120_000);

  it('all that go in the end are those that nothing keeps', async () => {
    const site = openShop(world);
    const desired = await desiredOf(fileOf(keep).replace('max: 20', 'max: 1000'));
    const { plan } = await site.clock.run(site.started().plan({ ...ASKED, desired, target: ['shop/retention/**'] }));
    const going = plan?.steps.flatMap(({ expects }) => (expects.state === 'present' ? [expects.id] : []));
    expect(going?.toSorted()).toEqual(leftOver.slice(0, 1000).map(idOf));
    expect(plan?.changes.flatMap(({ notes }) => notes)).toContain(
      `max is 1000: the rule deletes ${leftOver.length - 1000} more resources in later runs`,
    );
  }, 120_000);
});
