// Resets of branches to their parents: only data that nobody wants any more is replaced, and once.
import { describe, expect, it } from 'vitest';
import type { World } from '../../../../src/control-plane/index.ts';
import { openSite } from '../../../support/site.ts';
import { COMPUTE, CONTENTS, ID as PROJECT, MAIN, MAIN_BRANCH, shopWorld, STAGING } from '../../../support/shop.ts';

const RESTORE = `POST /projects/${PROJECT}/branches/${STAGING}/restore`;
const DROP = ['drop:shop/branches/staging'];

const worldOf = (more: Readonly<Record<string, unknown>> = {}): World =>
  shopWorld({
    created_at: '-40d',
    branches: [MAIN_BRANCH, { id: STAGING, name: 'staging', parent_id: MAIN, created_at: '-30d', ...more }],
    computes: [{ id: COMPUTE, branch: 'staging', current_state: 'idle', last_active: '-20d' }],
  });
const file = (at: string, more = '', rest = ''): string =>
  `version: 1\nprojects: { shop: { branches: { staging: { from: main, reset: { not_before: ${at} }${more} }, main: ${MAIN} } } }\n${rest}`;
const YESTERDAY = '2025-12-31';

describe('a reset', () => {
  it.each(['lost_after', 'lost_before'] as const)('takes effect although its exchange is %s', async (fault) => {
    const dry = await openSite({ seed: worldOf() }).apply(file(YESTERDAY), DROP);
    const at = dry.planned.length + dry.sent.indexOf(RESTORE) + 1;
    const site = openSite({ seed: worldOf() });
    const { result, writes } = await site.apply({
      file: file(YESTERDAY),
      allow: DROP,
      faultAt: (call) => (call === at ? fault : null),
    });
    expect(result.status).toBe('converged');
    expect(writes).toEqual(fault === 'lost_after' ? [RESTORE] : [RESTORE, RESTORE]);
  });

  it('of the parent in place moves its children to the branch that keeps the old data, which is no difference', async () => {
    const site = openSite({ seed: worldOf() });
    await site.clock.advance(3_600_000);
    const source = { source_branch_id: MAIN, source_timestamp: '2025-12-31T12:00:00Z', preserve_under_name: 'old' };
    expect(await site.api('POST', `/projects/${PROJECT}/branches/${MAIN}/restore`, source)).toMatchObject({
      status: 200,
    });
    await site.clock.advance(60_000);
    const plan = await site.plan(
      `version: 1\nprojects: { shop: { branches: { staging: { from: main }, main: ${MAIN} } } }\n`,
    );
    expect(plan.changes.map(({ action, blockedBy }) => [action, blockedBy])).toEqual([['none', []]]);
    expect(plan.diagnostics.map(({ code }) => code)).toContain('reparented');
  });

  it('of a reviewed plan is not sent where somebody else reset the branch since', async () => {
    const site = openSite({ seed: worldOf() });
    const plan = await site.plan(file(YESTERDAY), DROP);
    await site.api('POST', `/projects/${PROJECT}/branches/${STAGING}/restore`, { source_branch_id: MAIN });
    const { result, writes } = await site.saved(plan);
    expect([result.status, writes]).toEqual(['converged', []]);
  });

  it('is refused for a protected branch', async () => {
    const plan = await openSite({ seed: worldOf({ protected: true }) }).plan(file(YESTERDAY), DROP);
    const [change] = plan.changes.filter(({ action }) => action !== 'none');
    expect([plan.steps, change?.blockedBy]).toEqual([[], ['refused']]);
    expect(change?.notes.join()).toContain('a protected branch cannot be reset');
  });

  it.each([
    ['its own protection', ', lifecycle: { protect: true }', ''],
    ['a protection of the files', '', 'safety: { protect: ["shop/branches/staging"] }\n'],
    ['the protection of a database', ', databases: { orders: { lifecycle: { protect: true } } }', ''],
  ])('is blocked by %s, whoever consents', async (_name, more, rest) => {
    const { result, writes } = await openSite({ seed: worldOf(CONTENTS) }).apply(file(YESTERDAY, more, rest), DROP);
    expect([result.status, writes]).toEqual(['blocked', []]);
  });

  it('of a reviewed plan is not sent once the branch is in use', async () => {
    const site = openSite({ seed: worldOf() });
    const plan = await site.plan(file(YESTERDAY), DROP);
    await site.api('POST', `/projects/${PROJECT}/endpoints/${COMPUTE}/start`);
    await site.clock.advance(10_000);
    const { result, writes } = await site.saved(plan);
    expect([result.status, writes]).toEqual(['stale', []]);
  });

  it('waits for a branch that was in use lately', async () => {
    const limits = 'safety: { drop: { unless_idle: 30d } }\n';
    const plan = await openSite({ seed: worldOf() }).plan(file(YESTERDAY, '', limits), DROP);
    expect(plan.changes.find(({ action }) => action === 'update')?.blockedBy).toEqual(['not_idle']);
  });

  it('of a disposable branch needs no consent', async () => {
    const site = openSite({ seed: worldOf() });
    const own = (more: string): string =>
      `version: 1\nprojects: { shop: { branches: { try: { from: ${MAIN}, disposable: true${more} } } } }\n`;
    await site.apply(own(''));
    await site.clock.advance(3 * 86_400_000);
    const { result, writes } = await site.apply(own(', reset: { not_before: 2026-01-02 }'));
    expect([result.status, writes.map((one) => one.replace(/br-[a-z0-9-]+/, 'ID'))]).toEqual([
      'converged',
      [`POST /projects/${PROJECT}/branches/ID/restore`],
    ]);
  });
});
