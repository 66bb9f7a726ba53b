// A branch that never came into being is told of, whether the log shows what failed or has forgotten it; one that is being made is not.
import { describe, expect, it } from 'vitest';
import type { FaultRule } from '../../../../src/control-plane/index.ts';
import { openSite } from '../../../support/site.ts';
import { ID, shopWorld } from '../../../support/shop.ts';
import { always } from '../../../support/faults.ts';

const world = shopWorld();
const FILE = 'version: 1\nprojects: { shop: { branches: { next: {} } } }\n';

const FAILS: FaultRule = { when: { action: 'create_branch' }, fault: { on: 'operation', kind: 'fail' } };
const HANGS: FaultRule = {
  when: { action: 'create_branch' },
  fault: { on: 'operation', kind: 'hang', status: 'running' },
};
const FORGETS: FaultRule = always(
  { method: 'GET', path: '**/operations' },
  { kind: 'rewrite', at: 'operations', value: [] },
);
const MINUTE = 60_000;

describe('a branch that is still in its making', () => {
  it.each([
    ['at once, where what makes it has failed', [FAILS], 0, true],
    ['never, while what makes it runs', [HANGS], 60 * MINUTE, false],
    ['not within ten minutes, where the log tells nothing of it', [HANGS, FORGETS], 9 * MINUTE, false],
    ['after ten minutes, where the log tells nothing of it', [HANGS, FORGETS], 11 * MINUTE, true],
  ] as const)('is told of %s', async (_name, rules, afterMs, isTold) => {
    const site = openSite({ seed: world, faults: { rules: [...rules] } });
    const made = await site.api('POST', `/projects/${ID}/branches`, { branch: { name: 'next' } });
    expect(made.status).toBe(201);
    await site.clock.advance(5_000 + afterMs);
    const plan = await site.plan(FILE);
    const unfinished = plan.diagnostics.filter(({ code }) => code === 'unfinished');
    expect(unfinished).toHaveLength(isTold ? 1 : 0);
    if (isTold) expect(unfinished[0]?.hint).toContain('drop:shop/branches/next');
  });
});
