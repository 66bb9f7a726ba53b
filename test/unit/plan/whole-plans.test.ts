// Protects the plan as others read it: plans of worlds that together show all that a plan may say, three of them word by word.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stringifyJson } from '../../../src/base/json.ts';
import { PlanFile } from '../../../src/model/generated/validators.js';
import { compute } from '../../../src/kinds/compute/compute.ts';
import { planToJson } from '../../../src/plan/json/plan-json.ts';
import { openPlan } from '../../../src/plan/json/saved-plan.ts';
import { usedOf } from '../../../src/plan/diff/history.ts';
import { makePlan } from '../../../src/plan/make-plan.ts';
import { WHOLE_WORLDS } from './support/whole-worlds.ts';
import { inputOf, planOf, recordOf, type World, shop } from './support/world.ts';

const STAMP = { timestamp: '2026-11-20T12:00:00.000Z', toolVersion: '0.1.0', expiresInMs: 72 * 3_600_000 };

/** These stand in a file of their own, so that a reader sees each member. */
const GOLDEN: readonly string[] = ['nothing-listed', 'not-everything-was-read', 'due-ones-run'];

it.each(Object.entries(WHOLE_WORLDS))('%s', (name, world) => {
  const plan = planOf(world);
  const record = recordOf(inputOf(world));
  const json = planToJson(plan, { ...STAMP, record });
  if (GOLDEN.includes(name)) expectGolden(name, `${stringifyJson(json, 2)}\n`);
  expect(PlanFile(json)).toBe(true);
  const read = openPlan(json, { kinds: [compute], toolVersion: STAMP.toolVersion });
  expect('problem' in read ? read.problem : planToJson(read.plan, { ...STAMP, record: read.record })).toEqual(json);
});

it('the used part of a log gives the same plan', () => {
  const world: World = shop(
    'a: { branch: br-1, max: 2 }',
    'ep-a: { branch: br-1, max: 1, created: 2026-01-01 }, ep-b: { branch: br-2 }',
    {
      log: [
        '30m apply_config failed ep-a',
        ...Array.from({ length: 400 }, (_, at) => `${at + 1}h start_compute finished ep-${at % 2 === 0 ? 'a' : 'b'}`),
      ],
    },
  );
  const input = inputOf(world);
  const histories = new Map([...input.live.histories].map(([id, history]) => [id, usedOf(history)]));
  const kept = [...histories.values()].flatMap(({ operations }) => operations);
  expect(kept.length).toBeLessThan(6);
  expect(makePlan({ ...input, live: { ...input.live, histories } })).toEqual(makePlan(input));
});

function expectGolden(name: string, text: string): void {
  const path = join(import.meta.dirname, 'golden', `${name}.json`);
  if (process.env['UPDATE'] === '1' || !existsSync(path)) writeFileSync(path, text);
  expect(text).toBe(readFileSync(path, 'utf8'));
}
