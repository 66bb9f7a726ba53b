// What the plan of the account, its organization or the rights of a key do not allow: told in the service's words, of that step alone.
import { describe, expect, it } from 'vitest';
import type { World } from '../../../../src/control-plane/index.ts';
import { renderReport } from '../../../../src/render/human/report.ts';
import { resultReport } from '../../../../src/render/report/result-report.ts';
import { resultToJson } from '../../../../src/render/machine/result-json.ts';
import { resultFromJson } from '../../../../src/render/machine/saved-result.ts';
import { openSite } from '../../../support/site.ts';
import { ID, inShop, shopWorld } from '../../../support/shop.ts';

const worldOf = (branches: number, isProtected: number): World =>
  shopWorld({
    branches: Array.from({ length: branches }, (_, at) => ({
      id: `br-calm-lake-${100_000 + at}`,
      name: `b${at}`,
      ...(at === 0 ? { default: true } : { parent_id: 'br-calm-lake-100000' }),
      protected: at < isProtected,
    })),
  });

const file = (...lines: readonly string[]): string =>
  inShop(`id: ${ID}`, 'branches:', ...lines.map((line) => `  ${line}`));

describe('a limit of the plan', () => {
  it.each([
    ['launch', 4, 2, 'b3: { protected: true }'],
    ['free', 10, 0, 'next: { from: br-calm-lake-100000 }'],
  ] as const)('of %s fails that step alone', async (plan, count, kept, line) => {
    const site = openSite({ seed: worldOf(count, kept), plan });
    const yaml = `${file(line)}    history_retention_seconds: 1h\n`;
    const { result, events } = await site.apply(yaml, ['shorten:shop']);
    expect(result.status).toBe('incomplete');
    expect(result.counts).toMatchObject({ done: 1, failed: 1 });
    const [failed] = events.filter((event) => event.type === 'apply_errored');
    expect(failed?.address).toMatch(/^shop\/branches\//);
    expect(failed?.diagnostic.message).toMatch(/was answered 422: .*limit exceeded/);
    expect(failed?.diagnostic.hint).toContain('upgrade the subscription plan');
    // The result says it, too, for whoever sees nothing of the run itself.
    const json = resultToJson(result);
    expect(JSON.stringify(json)).toContain('upgrade the subscription plan');
    expect(resultFromJson(json)?.steps).toEqual(result.steps);
    expect(renderReport(resultReport(result), { color: false, verbose: false, width: 200 })).toContain(
      'hint: A limit of the subscription plan is reached',
    );
  });
});

describe('another organization', () => {
  it('is refused by the service, and the other project is made', async () => {
    const site = openSite({ seed: { version: 1, projects: [] } });
    const yaml = 'version: 1\nprojects: { shop: { create: { org_id: org-other-1 } }, blog: { create: {} } }\n';
    const { result } = await site.apply(yaml, ['create:shop', 'create:blog']);
    expect(result.status).toBe('incomplete');
    const ends = Object.fromEntries(result.steps.map(({ address, outcome }) => [address, outcome]));
    expect(ends).toEqual({ blog: 'done', shop: 'failed' });
    expect(JSON.stringify(result.steps)).toContain('organization not found');
  });
});
