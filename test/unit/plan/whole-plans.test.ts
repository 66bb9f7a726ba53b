// Protects the plan as others read it, every word of it: whole plans of worlds that together show all that a plan may say.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stringifyJson } from '../../../src/base/json.ts';
import { PlanFile } from '../../../src/model/generated/validators.js';
import { planFromJson, planToJson } from '../../../src/plan/plan-json.ts';
import { WHOLE_WORLDS } from './support/whole-worlds.ts';
import { planOf } from './support/world.ts';

const STAMP = {
  timestamp: '2026-11-20T12:00:00.000Z',
  toolVersion: '0.1.0',
  expiresAt: '2026-11-23T12:00:00.000Z',
};

it.each(Object.entries(WHOLE_WORLDS))('%s', (name, world) => {
  const plan = planOf(world);
  const json = planToJson(plan, STAMP);
  const path = join(import.meta.dirname, 'golden', `${name}.json`);
  const text = `${stringifyJson(json, 2)}\n`;
  if (process.env['UPDATE'] === '1' || !existsSync(path)) writeFileSync(path, text);
  expect(text).toBe(readFileSync(path, 'utf8'));
  expect(PlanFile(json)).toBe(true);
  const read = planFromJson(json);
  expect('problem' in read ? read.problem : planToJson(read.plan, STAMP)).toEqual(json);
});
