// What a project brings along is there as soon as the project is: a stop does not make it something that was not attempted.
import { expect, it } from 'vitest';
import { withAccount } from './fleet.ts';

const FILE = `version: 1
projects:
  bakery:
    create: { region_id: aws-us-east-2 }
    branches:
      production: { default: true, roles: { app: {} }, databases: { orders: { owner: app } } }
      later: { from: production }
    computes:
      primary: { branch: production }
`;

it.each([200, 1000, 2500])('a soft stop after %i ms', async (stopMs) => {
  const soft = new AbortController();
  const options = { file: FILE, operationMs: { min: 2000, max: 2000 }, reconciler: { requestsPerMinute: Infinity } };
  await withAccount({ ...options, latencyMs: 20 }, async ({ clock, desired, reconciler, seen }) => {
    const request = { allow: [{ action: 'create', address: 'bakery' }], consent: 'reviewed', due: false } as const;
    const { plan, reading } = await clock.run(reconciler.plan({ desired, ...request }));
    if (plan === null) throw new Error('no plan');
    clock.after(stopMs, () => soft.abort());
    const stop = { soft: soft.signal, hard: new AbortController().signal };
    const { steps, counts } = await clock.run(reconciler.apply({ plan, desired, reading, request, stop }));
    const of = (outcome: string): readonly string[] =>
      steps.filter((step) => step.outcome === outcome).map(({ address }) => address);
    expect(of('done')).toEqual(expect.arrayContaining(['bakery', 'bakery/branches/production', 'bakery/primary']));
    expect(of('not_started')).toContain('bakery/branches/later');
    expect(counts.added).toBe(of('done').length);
    expect(seen.filter((one) => one.startsWith('POST'))).toHaveLength(1);
  });
});
