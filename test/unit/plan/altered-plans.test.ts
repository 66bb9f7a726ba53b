// A saved plan that somebody edited who knows the format, with its digest mended: what it shows is what is sent.
import { describe, expect, it } from 'vitest';
import { digestOf, parseJson, stringifyJson, type Json } from '../../../src/base/json.ts';
import { compute } from '../../../src/kinds/compute/compute.ts';
import { planToJson } from '../../../src/plan/json/plan-json.ts';
import { planOfRecord, shortRecord } from '../../../src/plan/record.ts';
import { openPlan } from '../../../src/plan/json/saved-plan.ts';
import { WHOLE_WORLDS } from './support/whole-worlds.ts';
import { inputOf, planOf, recordOf, type World } from './support/world.ts';

type Loose = Json | Loose[] | { [key: string]: Loose };

const HOUR_MS = 3_600_000;

function savedOf(world: World): Json {
  const json = planToJson(planOf(world), {
    timestamp: '2026-11-20T12:00:00.000Z',
    toolVersion: '0.1.0',
    expiresInMs: HOUR_MS,
    files: { paths: ['trueup.yaml'], digest: `sha256:${'0'.repeat(64)}` },
    record: recordOf(inputOf(world)),
  });
  return parseJson(stringifyJson(json));
}

const open = (json: Json): ReturnType<typeof openPlan> => openPlan(json, { kinds: [compute], toolVersion: '0.1.0' });

describe('what a plan shows', () => {
  const [first] = Object.values(WHOLE_WORLDS);
  const saved = first === undefined ? null : savedOf(first);
  const forged = (from: string, to: string): Json => {
    const text = stringifyJson(saved).replace(from, to);
    expect(text).not.toBe(stringifyJson(saved));
    const whole = structuredClone(parseJson(text)) as { trueup: { [key: string]: Loose } };
    delete whole.trueup['plan_digest'];
    whole.trueup['plan_digest'] = digestOf(whole);
    return whole;
  };

  it.each([
    ['an update that is a deletion', '"method":"PATCH"', '"method":"DELETE"'],
    ['another target', '/endpoints/ep-1"', '/endpoints/ep-2"'],
    ['another size than is sent', '"pooler_enabled":true', '"pooler_enabled":false'],
    ['fewer deletions', '"delete":2', '"delete":0'],
    ['no warning', '"unmanaged":[{', '"unmanaged":[],"others":[{'],
    ['a guard that was not there', '"applyable":true', '"applyable":false'],
  ])('is what is sent: %s', (_name, from, to) => {
    expect(open(forged(from, to))).toMatchObject({ code: 'plan_altered' });
  });
});

describe('what a plan carries of operation logs', () => {
  const log = Array.from(
    { length: 400 },
    (_, at) => `${at + 1}h start_compute finished ep-${at % 2 === 0 ? 'a' : 'b'}`,
  );
  const world: World = {
    file: 'shop: { computes: { a: { branch: br-1, max: 2 } } }',
    live: 'shop: { ep-a: { branch: br-1, max: 1, created: 2026-01-01 }, ep-b: { branch: br-2 } }',
    log: ['30m apply_config failed ep-a', ...log],
  };

  it('is what it used, and the same plan follows', () => {
    const record = recordOf(inputOf(world));
    const short = shortRecord(record, [compute]);
    const kept = [...short.input.live.histories.values()].flatMap(({ operations }) => operations);
    expect(kept.length).toBeLessThan(6);
    expect(planOfRecord(short, [compute]).changes).toEqual(planOf(world).changes);
  });
});
