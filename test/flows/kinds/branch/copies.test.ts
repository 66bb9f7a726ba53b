// Copies of copies: names of the first branch are known in all of them, and long chains of them are planned in no time.
import { expect, it } from 'vitest';
import { openSite } from '../../../support/site.ts';
import { atFullSize } from '../../../support/full-size.ts';
import { processorMs } from '../../../support/processor-time.ts';
import { CONTENTS, MAIN_BRANCH, shopWorld } from '../../../support/shop.ts';
import { all } from './differing.ts';

const WORLD = shopWorld({ branches: [{ ...MAIN_BRANCH, ...CONTENTS, roles: ['app', 'old'] }] });

it('a name that only a branch two above has is known, and one that nobody has is not', async () => {
  const owned = (label: string, owner: string): string =>
    `${label}: { from: mid, databases: { ${label}: { owner: ${owner} } } }`;
  const { diagnostics } = await openSite({ seed: WORLD }).outcome(
    all('main: {}', 'mid: { from: main }', owned('known', 'old'), owned('unknown', 'ghost')),
  );
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toMatchObject([
    { code: 'unknown_referent', address: 'shop/branches/unknown/databases/unknown' },
  ]);
});

it('hundreds of branches, each made from the one before with something of its own, take no minutes', async () => {
  const count = atFullSize(1500, 300);
  const chain = Array.from(
    { length: count },
    (_, at) => `b${at + 1}: { from: b${at}, roles: { r${at}: {} }, databases: { d: { owner: app } } }`,
  );
  const start = processorMs();
  const plan = await openSite({ seed: WORLD }).plan(all('b0: { from: main }', 'main: {}', ...chain));
  expect(plan.summary.create).toBe(count + 1 + count + 1);
  expect(plan.changes.find(({ address }) => address === `shop/branches/b${count}/databases/d`)?.action).toBe('none');
  // A busy machine gets some slack.
  expect(processorMs() - start).toBeLessThan(atFullSize(30_000, 6000));
}, 60_000);
