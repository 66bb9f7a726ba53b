// What very many replicas on one branch ask of planning: bounded, with much slack.
import { expect, it } from 'vitest';
import { assignLeastCost } from '../../../src/plan/match/pools/assignment.ts';
import type { Plan } from '../../../src/model/outcome/plan.ts';
import { IN_ONE_HOUR, NOW_MS, planOf } from './support/world.ts';
import { processorMs } from '../../support/processor-time.ts';

it('pairs off thousands of equals in no time', () => {
  const entries = Array.from(
    { length: 4000 },
    (_, at) => `    r${at}: { branch: br-1, type: read_only, max: ${1 + (at % 3)} }`,
  );
  const live = Array.from(
    { length: 4000 },
    (_, at) => `  ep-${at}: { branch: br-1, type: read_only, max: ${1 + (at % 3)} }`,
  );
  const world = { file: `shop:\n  computes:\n${entries.join('\n')}`, live: `shop:\n${live.join('\n')}` };
  const plan = planOf(world);
  expect(plan.summary).toMatchObject({ unchanged: 4000, update: 0, create: 0 });
});

it.each([
  ['all equal', () => 0],
  ['all different', (row: number, column: number) => ((row * 7919 + column * 104_729) % 9973) + 1],
  ['many ties', (row: number, column: number) => (row * column) % 3],
])('assigns 500 to 500 in less than a second: %s', (_name, cost) => {
  const costs = Array.from({ length: 500 }, (_, row) => Array.from({ length: 500 }, (__, column) => cost(row, column)));
  const start = processorMs();
  const assigned = assignLeastCost(costs, 500);
  expect(new Set(assigned).size).toBe(500);
  // A busy machine gets some slack.
  expect(processorMs() - start).toBeLessThan(3000);
});

it('gives the plan the same hash by day and within the window where interchangeable replicas take all the weighing that there is', () => {
  const places = Array.from({ length: 2 }, (_, place) => place);
  const each = (text: (place: number, n: number) => string): string =>
    places.flatMap((place) => Array.from({ length: 580 }, (_, n) => text(place, n))).join(', ');
  const of = (nowMs: number): Plan =>
    planOf({
      file: `shop: { computes: { ${each((place, n) => `c${place}-${n}: { branch: br-${place}, type: read_only, min: 2 }`)} } }`,
      live: `shop: { ${each((place, n) => `ep-${place}-${n}: { branch: br-${place}, type: read_only, min: 1 }`)} }`,
      safety: [{ windows: [IN_ONE_HOUR] }],
      log: [],
      input: { nowMs },
    });
  const [day, night] = [of(NOW_MS), of(NOW_MS + 90 * 60_000)];
  expect([day.steps.length, night.steps.length]).toEqual([0, 1160]);
  expect(day.planHash).toBe(night.planHash);
});
