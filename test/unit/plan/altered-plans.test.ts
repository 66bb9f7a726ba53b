// A saved plan that somebody edited who knows the format: whatever member is touched, and all digests mended, it is refused or does the same.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, digestOf, parseJson, stringifyJson, type Json } from '../../../src/base/json.ts';
import { computeRules } from '../../../src/kinds/compute/rules/rules.ts';
import { planToJson } from '../../../src/plan/json/plan-json.ts';
import { planOfRecord, shortRecord } from '../../../src/plan/record.ts';
import { openPlan } from '../../../src/plan/json/saved-plan.ts';
import { stepToJson } from '../../../src/plan/json/change-json.ts';
import { runs } from '../../support/property-runs.ts';
import { WHOLE_WORLDS } from './support/whole-worlds.ts';
import { inputOf, planOf, recordOf, type World } from './support/world.ts';

type Loose = Json | Loose[] | { [key: string]: Loose };
type LooseObject = { [key: string]: Loose };

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

const open = (json: Json): ReturnType<typeof openPlan> =>
  openPlan(json, { kinds: [computeRules], toolVersion: '0.1.0' });

/** Every place of the document that holds a value. */
function pathsOf(value: Loose, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))];
}

const EDITS = ['delete', 'change', 'add', 'swap', 'empty'] as const;

/** The document with one edit, and its digest as it has to be then. Null where the edit changes nothing. */
function edited(saved: Json, path: readonly string[], edit: (typeof EDITS)[number]): Json | null {
  const whole = structuredClone(saved) as { trueup: { [key: string]: Loose } };
  let parent = whole as unknown as { [key: string]: Loose };
  for (const key of path.slice(0, -1)) parent = parent[key] as { [key: string]: Loose };
  const last = path.at(-1) ?? '';
  const value = parent[last] as Loose;
  if (edit === 'delete') {
    if (Array.isArray(parent)) parent.splice(Number(last), 1);
    else Reflect.deleteProperty(parent, last);
  } else parent[last] = changed(value, edit);
  if (typeof whole.trueup !== 'object' || whole.trueup === null || Array.isArray(whole.trueup)) return whole;
  if (path.at(-1) !== 'plan_digest') {
    delete whole.trueup['plan_digest'];
    whole.trueup['plan_digest'] = digestOf(whole);
  }
  return canonicalJson(whole) === canonicalJson(saved) ? null : whole;
}

function changed(value: Loose, edit: (typeof EDITS)[number]): Loose {
  if (Array.isArray(value)) {
    if (edit === 'empty') return [];
    if (edit === 'swap') return value.toReversed();
    return edit === 'add' ? [...value, value[0] ?? 'more'] : value.slice(1);
  }
  if (typeof value === 'object' && value !== null) {
    if (edit === 'empty') return {};
    if (edit === 'swap') return Object.fromEntries(Object.entries(value).map(([key]) => [key, null]));
    return { ...(value as LooseObject), more: 'more' };
  }
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return edit === 'empty' ? 0 : value + 1;
  if (value === null) return edit === 'empty' ? '' : 'more';
  return edit === 'empty' ? '' : edit === 'swap' ? value.split('').toReversed().join('') : `${value}x`;
}

/** What a run may use of what the plan was made from, and what is held against the run before anything is sent. */
const GIVEN = ['trueup.made_from', 'trueup.base_url', 'trueup.store', 'trueup.tool_version', 'trueup.files'];
const isGiven = (path: readonly string[]): boolean => GIVEN.some((one) => path.join('.').startsWith(one));

const worlds = Object.entries(WHOLE_WORLDS).map(([name, world]) => {
  const saved = savedOf(world);
  return { name, saved, paths: pathsOf(saved).slice(1), steps: planOf(world).steps.map(stepToJson) };
});

/** What is wrong with how the edited plan is judged; null when it is refused, or does what it did. */
function fault(
  { saved, steps }: (typeof worlds)[number],
  path: readonly string[],
  edit: (typeof EDITS)[number],
): string | null {
  const json = edited(saved, path, edit);
  if (json === null) return null;
  const opened = open(json);
  const what = `${edit} ${path.join('.')}`;
  if ('problem' in opened) return /undefined|object Object/.test(opened.problem) ? `${what}: ${opened.problem}` : null;
  if (!isGiven(path)) return `${what} is accepted`;
  return canonicalJson(opened.plan.steps.map(stepToJson)) === canonicalJson(steps)
    ? null
    : `${what} does something else`;
}

describe('a plan of which one member was edited, with its digest mended', () => {
  it('is accepted untouched', () => {
    for (const { saved, name } of worlds) expect(open(saved), name).not.toHaveProperty('problem');
  });

  it('is refused, wherever the edit, unless it does what it did', () => {
    const anyEdit = fc.record({
      world: fc.nat(worlds.length - 1),
      path: fc.nat(100_000),
      edit: fc.constantFrom(...EDITS),
    });
    fc.assert(
      fc.property(anyEdit, ({ world: at, path, edit }) => {
        const world = worlds[at];
        if (world === undefined) return;
        expect(fault(world, world.paths[path % world.paths.length] ?? [], edit)).toBeNull();
      }),
      runs(500),
    );
  });

  it('is refused for every member that stands at the top or at the top of ours', () => {
    const tops = ([first, ...rest]: readonly string[]): boolean =>
      rest.length === 0 || (first === 'trueup' && rest.length === 1);
    const faults = worlds
      .slice(0, 3)
      .flatMap((world) =>
        world.paths.filter(tops).flatMap((path) => EDITS.flatMap((edit) => fault(world, path, edit) ?? [])),
      );
    expect(faults).toEqual([]);
  });
});

describe('what a plan shows', () => {
  const { saved } = worlds[0] ?? { saved: null };
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
    const short = shortRecord(record, [computeRules]);
    const kept = [...short.input.live.histories.values()].flatMap(({ operations }) => operations);
    expect(kept.length).toBeLessThan(6);
    expect(planOfRecord(short, [computeRules]).changes).toEqual(planOf(world).changes);
  });
});
