// Safety windows travel with a saved plan, and hold its steps.
import { expect, it } from 'vitest';
import type { TimeWindow } from '../../../src/model/desired.ts';
import { compute } from '../../../src/kinds/compute/compute.ts';
import { planToJson } from '../../../src/plan/json/plan-json.ts';
import { openPlan } from '../../../src/plan/json/saved-plan.ts';
import { windowsAgainst } from '../../../src/plan/guard/limits.ts';
import { inputOf, planOf, recordOf, type World } from './support/world.ts';

const HOURS = { weekdays: [0], startMinute: 120, endMinute: 240 };
const sunday: TimeWindow = { text: 'Sun 02:00-04:00 UTC', ...HOURS, timeZone: 'UTC' };
const INSIDE = Date.parse('2026-11-22T02:00:00Z');
const OUTSIDE = Date.parse('2026-11-22T04:00:00Z');
const world: World = {
  file: `
shop:
  computes:
    primary: { branch: br-1, max: 4 }
    reader: { branch: br-1, type: read_only, pooler_enabled: true }
blog: { computes: { primary: { branch: br-2, max: 4 } } }`,
  live: `
shop:
  ep-a: { branch: br-1, max: 2 }
  ep-b: { branch: br-1, type: read_only }
blog:
  ep-c: { branch: br-2, max: 2 }`,
  safety: [{ project: 'shop', windows: [sunday] }],
  input: { nowMs: INSIDE },
};
const timestamp = '2026-11-22T02:00:00.000Z';
const stamp = { timestamp, toolVersion: '0.1.0', expiresInMs: null, record: recordOf(inputOf(world)) };

it('the windows of a saved plan are read back as they were, and hold the disruptive steps of their project', () => {
  const read = openPlan(planToJson(planOf(world), stamp), { kinds: [compute], toolVersion: stamp.toolVersion });
  if ('problem' in read) throw new Error(read.problem);
  expect(read.plan.windows).toEqual([{ project: 'shop', windows: [sunday] }]);
  const held = (nowMs: number): readonly string[] =>
    read.plan.steps.filter((step) => windowsAgainst(read.plan, step, nowMs).length > 0).map(({ id }) => id);
  expect(held(INSIDE)).toEqual([]);
  expect(held(OUTSIDE)).toEqual(['update:shop/primary']);
});
