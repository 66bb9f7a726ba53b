// A hash of a plan with losses: which of them were allowed, and how, is found out from the hash alone, and at little cost.
import { describe, expect, it } from 'vitest';
import { asReviewed, isExplicable, reviewedBy, type Recorded } from '../../../src/cli/plans/named-losses.ts';
import { missingConsents } from '../../../src/model/outcome/consent.ts';
import type { PlanRecord } from '../../../src/plan/record.ts';
import { openSite, type Site } from '../kinds/project/site.ts';

const MAIN = { id: 'br-wispy-meadow-118737', name: 'main', default: true };
const OLD = { created_at: '-40d', updated_at: '-40d' };
const COMPUTE = { id: 'ep-cool-darkness-123456', branch: 'main' };
const PROJECT = { name: 'shop', id: 'spring-example-302709', created_at: '-40d' };

function siteOf(branches: readonly object[], computes: readonly object[] = []): Site {
  return openSite({ seed: { version: 1, projects: [{ ...PROJECT, branches, computes }] } as never });
}

async function recorded(
  site: Site,
  yaml: string,
  allow: readonly string[],
): Promise<Recorded & { record: PlanRecord }> {
  const { plan, record } = await site.outcome(yaml, allow);
  if (plan === null || record === null) throw new Error('there is no plan');
  return { plan, record };
}

/** What is carried out by the hash of `yaml` as planned with `reviewed`, where apply repeats `repeated`; null where it stands for no such plan. */
async function stepsBy(site: Site, yaml: string, reviewed: readonly string[], repeated: readonly string[] = []) {
  const { planHash } = (await recorded(site, yaml, reviewed)).plan;
  const made = await recorded(site, yaml, repeated);
  const ways = [...asReviewed(made, made.record, planHash)];
  const found = ways.find(({ plan }) => plan.planHash === planHash)?.plan;
  return { ways: ways.length, steps: found?.steps.map(({ address }) => address) ?? null };
}

const branch = (at: number): string => `tmp-${String(at).padStart(2, '0')}`;
const drops = (many: number, limit: string = ''): readonly [Site, string] => {
  const all = Array.from({ length: many }, (_, at) => branch(at));
  const live = all.map((name, at) => ({ id: `br-tmp-${at}`, name, parent_id: MAIN.id }));
  const absent = all.map((name) => `${name}: { state: absent }`).join(', ');
  return [siteOf([MAIN, ...live]), `version: 1\n${limit}projects: { shop: { branches: { ${absent} } } }`];
};
const dropping = (many: number): string[] =>
  Array.from({ length: many }, (_, at) => `drop:shop/branches/${branch(at)}`);
const done = (many: number): string[] => Array.from({ length: many }, (_, at) => `shop/branches/${branch(at)}`);

describe('of losses of which some were allowed', () => {
  it.each([
    [9, 8],
    [9, 1],
    [9, 9],
    [2, 1],
  ])('a hash stands for those: of %i, %i', async (many, allowed) => {
    const [site, yaml] = drops(many, 'safety: { max_drops: 9, max_deletes: 9 }\n');
    const found = await stepsBy(site, yaml, dropping(allowed));
    expect(found.steps).toEqual(done(allowed));
    expect(found.ways).toBeLessThan(30);
  });

  it('a hash stands for those that a pattern allowed, beside one by its name', async () => {
    const [site, yaml] = drops(3, 'safety: { max_drops: 3 }\n');
    const found = await stepsBy(site, yaml, ['drop:shop/branches/*-0?', dropping(1)[0] ?? '']);
    expect(found.steps).toEqual(done(3));
  });

  it('of too many it stands for all that were allowed alike, and for a few of them where that is repeated', async () => {
    const [site, yaml] = drops(12, 'safety: { max_drops: 12 }\n');
    const { plan } = await recorded(site, yaml, []);
    expect(isExplicable(missingConsents(plan.changes))).toBe(false);
    expect((await stepsBy(site, yaml, dropping(12))).steps).toEqual(done(12));
    expect((await stepsBy(site, yaml, ['drop:shop/branches/*'])).steps).toEqual(done(12));
    expect(await stepsBy(site, yaml, dropping(5))).toEqual({ ways: 1, steps: null });
    expect((await stepsBy(site, yaml, dropping(5), dropping(5))).steps).toEqual(done(5));
  });

  it('few plans are made to find out that a hash is of none of them', async () => {
    const [site, yaml] = drops(9, 'safety: { max_deletes: 20 }\n');
    const made = await recorded(site, yaml, []);
    const other = [0, 7, 0xabc, 0xfff].map((tail) => `sha256:${tail.toString(16).padStart(64, '0')}`);
    for (const hash of other) expect([...asReviewed(made, made.record, hash)].length).toBeLessThan(40);
  });

  it('a signal that comes while the plan is sought is heard before the next one', async () => {
    const [site, yaml] = drops(3, 'safety: { max_drops: 3 }\n');
    const { planHash: hash } = (await recorded(site, yaml, dropping(2))).plan;
    const made = await recorded(site, yaml, []);
    const found = await reviewedBy(made, made.record, { hash, signal: new AbortController().signal });
    expect(found?.plan.planHash).toBe(hash);
    const stop = new AbortController();
    setImmediate(() => stop.abort());
    expect(await reviewedBy(made, made.record, { hash, signal: stop.signal })).toBeNull();
  });
});

describe('under a limit that counts what is below one parent once', () => {
  const rotated = '{ rotate: { not_before: 2025-12-15T00:00:00Z } }';
  const yaml = (zzz: string): string => `version: 1
safety: { max_restarts: 0 }
projects:
  shop:
    branches: { main: { roles: { aaa: ${rotated}, zzz: ${zzz} } } }
    computes: { primary: { branch: main, autoscaling_limit_max_cu: 2 } }`;
  const roles = 'shop/branches/main/roles';
  const PRIMARY = 'restart:shop/primary';

  it('a hash lifts it again where all was allowed, however it is counted', async () => {
    const site = siteOf([{ ...MAIN, ...OLD, roles: ['aaa', 'zzz', 'app'] }], [COMPUTE]);
    const { steps } = await stepsBy(site, yaml(rotated), [PRIMARY, `access:${roles}/aaa`, `access:${roles}/zzz`]);
    expect(steps?.toSorted()).toEqual([`${roles}/aaa`, `${roles}/zzz`, 'shop/primary']);
  });

  it('a hash lifts nothing where one that was not allowed stands behind another', async () => {
    const site = siteOf([{ ...MAIN, ...OLD, roles: ['aaa', 'app'] }], [COMPUTE]);
    const some = [PRIMARY, `access:${roles}/aaa`];
    expect((await recorded(site, yaml('{}'), some)).plan.limitsExceeded).toMatchObject([{ limit: 'max_restarts' }]);
    expect((await stepsBy(site, yaml('{}'), some)).steps).toBe(null);
    expect((await stepsBy(site, yaml('{}'), some, some)).steps).toEqual([]);
  });
});
