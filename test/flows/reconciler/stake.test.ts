// Protects data that came in since a drop was reviewed: a saved plan and a hash stand for what they showed, and for no more.
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/base/json.ts';
import { shows } from '../../support/faults.ts';
import { COMPUTE, CONTENTS, ID, MAIN_BRANCH, shopWorld } from '../../support/shop.ts';
import { openSite } from '../../support/site.ts';

const OLD = 'br-old-river-991122';
const SEED = shopWorld({
  branches: [MAIN_BRANCH, { id: OLD, name: 'old', ...CONTENTS }],
  computes: [{ id: COMPUTE, branch: 'old', last_active: '2025-12-01T00:00:00Z' }],
});
const DROPS = {
  branch: `version: 1\nprojects: { shop: { branches: { old: { state: absent } } } }\n`,
  database: `version: 1\nprojects: { shop: { branches: { old: { id: ${OLD}, databases: { orders: { state: absent } } } } } }\n`,
  project: `version: 1\nprojects: { shop: { id: ${ID}, state: absent } }\n`,
} as const;

/** An attribute of the branch or of its compute, as the lists show it. */
type Shown = readonly [attribute: string, value: Json];

/** How a saved plan of the drop ends where the lists show other things of what is dropped: whether its hash stands, the end, the writes. */
async function reviewed(file: string, before: readonly Shown[], since: Shown): Promise<unknown> {
  const site = openSite({ file, seed: SEED });
  const showing = (shown: readonly Shown[]): void =>
    site.controlPlane.setFaults({
      rules: shown.map(([attribute, value]) => {
        const place = ['current_state', 'last_active'].includes(attribute) ? 'endpoints.0' : 'branches.1';
        return shows(`/projects/${ID}/${place.split('.')[0]}`, `${place}.${attribute}`, value);
      }),
    });
  const allow = ['drop:shop', 'drop:shop/**'];
  showing(before);
  const plan = await site.plan({ allow });
  expect(plan.steps).toHaveLength(1);
  showing([since]);
  const { planHash } = await site.plan({ allow });
  const { result, writes } = await site.saved(plan);
  return [planHash === plan.planHash, result.status, writes.length];
}

const SMALL: readonly Shown[] = [['logical_size', 31_457_280]];
const CHANGES: readonly (readonly [what: string, before: readonly Shown[], since: Shown])[] = [
  ['is in use now', [], ['current_state', 'active']],
  ['was in use since', [], ['last_active', '2025-12-31T00:00:00Z']],
  ['was reset since', [], ['last_reset_at', '2025-12-31T00:00:00Z']],
  ['grew from 30 MiB to 9 GB', SMALL, ['logical_size', 9_000_000_000]],
  ['grew by an eighth', SMALL, ['logical_size', 35_389_440]],
];
const WRITTEN = [[['written_data_bytes', 10]], ['written_data_bytes', 11]] as const;

describe.each(['branch', 'database', 'project'] as const)('the reviewed drop of a %s', (kind) => {
  it.each(CHANGES)('is stale where the branch %s', async (_name, before, since) => {
    expect(await reviewed(DROPS[kind], before, since)).toEqual([false, 'stale', 0]);
  });

  it('goes through where the branch grew by a thousandth', async () => {
    expect(await reviewed(DROPS[kind], SMALL, ['logical_size', 31_480_000])).toEqual([true, 'converged', 1]);
  });
});

it.each([
  ['is stale', 'branch', [false, 'stale', 0]],
  ['is stale', 'project', [false, 'stale', 0]],
  ['goes through, because other databases write, too,', 'database', [true, 'converged', 1]],
] as const)('the reviewed drop %s where data was written: %s', async (_how, kind, end) => {
  expect(await reviewed(DROPS[kind], ...WRITTEN)).toEqual(end);
});
