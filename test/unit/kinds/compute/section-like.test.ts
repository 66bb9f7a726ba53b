// An entry that is like the one before it means what the whole way makes of it, whatever the two say.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EntryMeaning } from '../../../../src/config/kind-section.ts';
import type { Json, JsonObject } from '../../../../src/base/json.ts';
import { section } from '../../../../src/kinds/compute/section.ts';
import type { DesiredProject } from '../../../../src/model/desired.ts';

const SHARED = [{ pg_settings: {} }, { pg_settings: { work_mem: 64 } }, {}, { not_before: '2026-11-20' }] as const;

const members: Readonly<Record<string, readonly Json[]>> = {
  branch: ['main', 'dev', 'br-x-1', 'nowhere'],
  branch_id: ['br-a-1', 'br-b-2', 'br-c-3'],
  id: ['ep-a-1', 'ep-b-2', 7],
  type: ['read_write', 'read_write', 'read_only'],
  autoscaling_limit_min_cu: [0.25, 0.25, 0.25, 0.3],
  autoscaling_limit_max_cu: [0.25, 1],
  suspend_timeout_seconds: ['5m', 300, 600, '1.5s'],
  settings: SHARED.slice(0, 3),
  state: ['absent'],
  new: [true],
  moved_from: ['main', 'br-a-1'],
  restart: SHARED,
  lifecycle: [{ protect: true }, { via: 'main' }],
  pooler_enabled: [true, false],
};
const seldom: readonly string[] = ['state', 'new', 'moved_from', 'restart', 'lifecycle', 'id', 'branch'];

const written = fc
  .tuple(
    ...Object.entries(members).map(([name, values]) =>
      fc.oneof(
        { weight: seldom.includes(name) ? 12 : 1, arbitrary: fc.constant([]) },
        { weight: seldom.includes(name) ? 1 : 12, arbitrary: fc.constantFrom(...values).map((one) => [[name, one]]) },
      ),
    ),
  )
  .map((found) => Object.fromEntries(found.flat()) as JsonObject);
/** Another branch or id in one that is otherwise the same. */
const pair = fc
  .tuple(written, written, fc.constantFrom('branch', 'branch_id', 'id', 'type', 'settings', '', 'branch_id'), fc.nat(4))
  .map(([one, other, name, alike]): readonly [JsonObject, JsonObject] => {
    if (alike === 0) return [one, other];
    const value = other[name];
    return [one, value === undefined ? { ...one } : { ...one, [name]: value }];
  });
const project: DesiredProject = {
  label: 'shop',
  name: 'shop',
  id: null,
  branches: { main: 'br-a-1', dev: 'br-b-2' },
  prune: false,
  unmanagedOk: [],
  source: { file: 'f', start: { line: 1, column: 1, offset: 0 }, end: { line: 1, column: 1, offset: 0 } },
};

/** With the hints that are looked for only where somebody reads them. */
function told(meaning: EntryMeaning): unknown {
  const problems = meaning.problems.map(({ hint, ...rest }) => ({
    ...rest,
    hint: typeof hint === 'function' ? hint() : hint,
  }));
  return { ...meaning, problems };
}

it('is what the whole way gives', () => {
  let short = 0;
  fc.assert(
    fc.property(pair, fc.constantFrom('c1', 'ep-c'), ([one, other], name) => {
      const before = { value: one, meaning: section.meaning({ name: 'c0', value: one, project }) };
      const whole = section.meaning({ name, value: other, project });
      const meaning = section.meaning({ name, value: other, project, before });
      expect(told(meaning)).toEqual(told(whole));
      expect(Object.keys(meaning.spec)).toEqual(Object.keys(whole.spec));
      if (meaning.problems === before.meaning.problems) short++;
    }),
    { numRuns: 600 },
  );
  // The comparison would be worth nothing if the short way were hardly ever taken.
  expect(short).toBeGreaterThan(40);
});
