// Random faults at random exchanges, reads included: nothing is doubled, and no outcome lies.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ExchangeFault, FaultRule } from '../../../src/control-plane/faults/plan.ts';
import { runs } from '../../support/property-runs.ts';
import { createRig, createStep, DEV, MAIN, PRIMARY, restartStep, runSteps, SHOP, STAGING } from './harness.ts';

const fault: fc.Arbitrary<ExchangeFault> = fc.oneof(
  fc.constantFrom<ExchangeFault>(
    { kind: 'before-connect' },
    { kind: 'mid-request' },
    { kind: 'after-send-before-commit' },
    { kind: 'after-commit-before-reply' },
    { kind: 'mid-body' },
    { kind: 'locked' },
    { kind: 'rate-limited' },
    { kind: 'garble', how: 'malformed' },
    { kind: 'garble', how: 'empty' },
    { kind: 'list', how: 'stale' },
    { kind: 'latency', ms: 3000 },
    { kind: 'reply', commit: true, status: 500 },
    { kind: 'reply', commit: false, status: 503 },
  ),
  fc.integer({ min: 0, max: 30_000 }).map((delayMs): ExchangeFault => ({ kind: 'late-commit', delayMs })),
);
const rule: fc.Arbitrary<FaultRule> = fc.record({
  when: fc.record({ nth: fc.integer({ min: 1, max: 12 }), method: fc.constantFrom('GET', 'POST') }),
  fault,
});

it('up to three faults at any exchange', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(rule, { minLength: 1, maxLength: 3 }), fc.boolean(), async (rules, isLocking) => {
      const rig = createRig({ switches: { locking: isLocking ? 'project' : 'compute', availabilityChecks: 'off' } });
      const run = await runSteps(
        rig,
        [
          createStep('p', { branch_id: STAGING, type: 'read_write' }),
          createStep('r1', { branch_id: DEV, type: 'read_only' }),
          createStep('r2', { branch_id: DEV, type: 'read_only' }),
          restartStep('x', PRIMARY, { branch_id: MAIN, type: 'read_write' }),
        ],
        { faults: { rules }, stepTimeoutMs: 120_000 },
      );
      await rig.clock.advance(60_000);
      const computes = rig.plane.truth.computes(SHOP);
      const on = (branchId: string): readonly string[] =>
        computes.filter((one) => one.branchId === branchId).map(({ id }) => id);
      const outcome = (id: string): string => run.ends[id] ?? '';
      const idsOf = (ids: readonly string[]) =>
        run.result.steps
          .filter((step) => ids.includes(step.id) && step.outcome === 'done')
          .map(({ resourceId }) => resourceId);
      expect(on(STAGING).length).toBeLessThanOrEqual(1);
      expect(on(DEV).length).toBeLessThanOrEqual(2);
      expect(on(STAGING)).toEqual(expect.arrayContaining(idsOf(['p'])));
      expect(on(DEV)).toEqual(expect.arrayContaining(idsOf(['r1', 'r2'])));
      expect(new Set(idsOf(['r1', 'r2'])).size).toBe(idsOf(['r1', 'r2']).length);
      const restarts = rig.plane.ledger().filter(({ path }) => path.endsWith('/restart')).length;
      expect(restarts).toBeLessThanOrEqual(1);
      if (outcome('x') === 'done') expect(restarts).toBe(1);
      if (['failed', 'skipped', 'not_started'].includes(outcome('p'))) expect(on(STAGING)).toEqual([]);
    }),
    runs(150),
  );
});
