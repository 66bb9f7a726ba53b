// Retention rules: which branches of others a plan deletes, and which never.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { kinds } from '../../../src/kinds/index.ts';
import type { DesiredState } from '../../../src/model/desired.ts';
import type { LiveResource, LiveState } from '../../../src/model/live.ts';
import type { Change, Plan } from '../../../src/model/outcome/plan.ts';
import type { PlanInput } from '../../../src/plan/input.ts';
import { withTaken, wordsChanged } from '../../../src/plan/guard/guards-in-force.ts';
import { makePlan } from '../../../src/plan/make-plan.ts';
import { desiredOf, loadText } from '../../support/files.ts';
import { branch, living, MAIN } from './support/whole-shop.ts';
import { bareInput, NOW_MS } from './support/world.ts';

const PROJECTS = [{ label: 'shop', id: 'shop-1', name: 'shop' }];
const daysAgo = (days: number): string => new Date(NOW_MS - days * 86_400_000).toISOString();

const compute = (of: LiveResource, observed: JsonObject): LiveResource => {
  const facts = { observed, createdAtMs: of.createdAtMs };
  return living('compute', of.id.replace('br-', 'ep-'), { branch_id: of.id, type: 'read_write' }, facts);
};
const idle = (of: LiveResource, days: number): LiveResource =>
  compute(of, { current_state: 'idle', last_active: daysAgo(days) });

interface Asked extends Partial<Omit<PlanInput, 'desired' | 'live'>> {
  readonly rule?: string;
  readonly max?: number;
  readonly more?: string;
  readonly safety?: string;
  readonly unread?: LiveState['unread'];
  /** The value of `${var:OPEN}`. */
  readonly open?: readonly string[];
}

async function planOf(
  live: readonly LiveResource[],
  { rule = '', more = '', safety = '', open = [], max = 9, unread = [], ...input }: Asked = {},
): Promise<Plan> {
  const text = `version: 1
projects:
  shop:
    id: shop-1
    branches: { main: br-main }
    retention:
      old:
        match: ["pre*"]
        older_than: 7d
        idle_for: 1d
        max: ${max}
        ${rule}
${more}
${safety}
`;
  const { desired, diagnostics } = await loadText(text, { variables: { OPEN: JSON.stringify(open) } });
  if (desired === null) throw new Error(diagnostics.map(({ message }) => message).join('; '));
  const reading = { projects: PROJECTS, resources: [MAIN, ...live], unread };
  return makePlan(
    bareInput({ desired, live: reading, kinds, noHistory: true, consent: 'unattended', due: true, ...input }),
  );
}

const FROM_VARIABLE = ['keep: $', '{var:OPEN}'].join('');
const RULE = 'shop/retention/old';
const ALL = [{ action: 'drop', address: `${RULE}/**` }];

function rulings({ changes }: Plan): readonly Change[] {
  return changes.filter(({ origin }) => origin === 'retention');
}

function ids(plan: Plan): readonly string[] {
  return rulings(plan).map(({ address }) => address.slice(RULE.length + 1));
}

const deleted = ({ steps }: Plan): readonly string[] => steps.map(({ address }) => address.slice(RULE.length + 1));

it('takes old and idle branches by its own allowance alone', async () => {
  const [a, b] = [branch('pre-a'), branch('pre-b')];
  const live = [a, b, idle(b, 2)];
  const due = await planOf(live, { due: false });
  expect([due.steps, due.summary.due, due.summary.blocked, due.unmanaged]).toEqual([[], 2, 0, []]);
  expect(rulings(await planOf(live)).map(({ blockedBy }) => blockedBy)).toEqual([['allowance'], ['allowance']]);
  for (const address of ['shop/**', 'shop/retention/**', 'shop/br-pre-a', 'shop/branches/**'])
    expect((await planOf(live, { allow: [{ action: 'drop', address }] })).steps).toEqual([]);
  expect((await planOf(live, { allow: [{ action: '*', address: '*' }] })).steps).toEqual([]);
  // The rule has limits of its own: neither `max_drops` nor `unless_idle` counts.
  const plan = await planOf(live, { allow: ALL, safety: 'safety: { max_drops: 0, drop: { unless_idle: 7d } }' });
  expect(deleted(plan)).toEqual(['br-pre-a', 'br-pre-b']);
  expect(plan.limitsExceeded).toEqual([]);
  expect(deleted(await planOf(live, { allow: [{ action: 'drop', address: `${RULE}/br-pre-b` }] }))).toEqual([
    'br-pre-b',
  ]);
});

describe('a branch stays', () => {
  const a = branch('pre-a');
  const below = (parent: LiveResource, name: string): LiveResource => branch(name, { parent_id: parent.id });
  const cases: [string, readonly LiveResource[], Asked?][] = [
    ['that is younger', [branch('pre-a', {}, { days: 6 })]],
    ['of unknown age', [branch('pre-a', {}, { createdAtMs: null })]],
    ['with another name', [branch('other')]],
    ['that is the default branch', [branch('pre-a', { default: true })]],
    ['that is protected', [branch('pre-a', { protected: true })]],
    ['whose protection is not shown', [branch('pre-a', { protected: null })]],
    ['that trueup annotated', [branch('pre-a', {}, { marks: { run: 'x' } })]],
    ['whose annotations are not shown', [branch('pre-a', {}, { marks: null })]],
    ['whose compute was active lately', [a, idle(a, 0.9)]],
    ['whose compute is active', [a, compute(a, { current_state: 'active' })]],
    ['whose compute does not tell its last activity', [a, compute(a, { current_state: 'idle' })]],
    ['with a child that stays', [a, below(a, 'other')]],
    ['with a grandchild that stays', [a, below(a, 'pre-b'), below(branch('pre-b'), 'other')]],
    ['in `keep`', [a], { rule: 'keep: [pre-a]' }],
    ['in a `keep` of a variable', [a], { rule: FROM_VARIABLE, open: ['pre-a'] }],
    ['that a file names by its id', [a], { more: '    unmanaged_ok: [br-pre-a]' }],
    ['that a compute of the file is on', [a], { more: '    computes: { first: { branch: br-pre-a } }' }],
    ['in another project', [branch('pre-a', {}, { projectId: 'shop-2' })]],
  ];
  it.each<[string, readonly LiveResource[], Asked?]>(cases)('%s', async (_why, live, asked = {}) => {
    const plan = await planOf(live, { allow: ALL, ...asked });
    expect(ids(plan)).toEqual([]);
    expect(plan.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it.each([
    ['that is protected by its address', `safety: { protect: ["${RULE}/br-pre-a"] }`, 'protect'],
    ['below a protected rule', `safety: { protect: ["shop/retention/**"] }`, 'protect'],
    ['that is protected by its name', `safety: { protect: ["shop/branches/pre-a"] }`, 'protect'],
  ])('%s', async (_, safety, word) => {
    const plan = await planOf([a], { allow: ALL, safety });
    expect([plan.steps, rulings(plan).map(({ blockedBy }) => blockedBy)]).toEqual([[], [[word]]]);
  });

  it('whose computes could not be read, or at an unknown time', async () => {
    const unread = [{ what: 'shop/computes', projectId: 'shop-1', reason: 'refused', kind: 'compute' }];
    for (const [input, word] of [
      [{ unread }, 'unread'],
      [{ clockDoubt: 'two clocks' }, 'clock_unknown'],
    ] as const) {
      const plan = await planOf([a], { allow: ALL, ...input });
      expect([plan.steps, rulings(plan).map(({ blockedBy }) => blockedBy)]).toEqual([[], [[word]]]);
    }
  });
});

it('takes a branch exactly at both limits', async () => {
  const a = branch('pre-a', {}, { days: 7 });
  expect(ids(await planOf([a, idle(a, 1)], { allow: ALL }))).toEqual(['br-pre-a']);
});

it('takes the oldest first, children before their parents, and at most `max`', async () => {
  const family = [
    branch('pre-old', {}, { days: 40 }),
    branch('pre-child', { parent_id: 'br-pre-old' }, { days: 39 }),
    branch('pre-grandchild', { parent_id: 'br-pre-child' }, { days: 10 }),
    branch('pre-next', {}, { days: 35 }),
    branch('pre-last', {}, { days: 9 }),
  ];
  const expected = ['br-pre-grandchild', 'br-pre-child', 'br-pre-old', 'br-pre-next', 'br-pre-last'];
  for (let max = 1; max <= 5; max++) {
    const some = await planOf(family.toReversed(), { allow: ALL, max });
    expect([...ids(some)].sort()).toEqual(expected.slice(0, max).sort());
    expect(deleted(some)).toHaveLength(max);
    const notes = rulings(some).flatMap((change) => change.notes.filter((note) => note.startsWith('max is')));
    expect(notes).toHaveLength(max === 5 ? 0 : 1);
  }
  const { steps } = await planOf(family, { allow: ALL });
  const needs = new Map(steps.map((step) => [step.address, step.needs]));
  expect(needs.get(`${RULE}/br-pre-old`)).toContain(`delete:${RULE}/br-pre-child`);
  expect(needs.get(`${RULE}/br-pre-child`)).toContain(`delete:${RULE}/br-pre-grandchild`);
});

describe('a `keep` from a variable', () => {
  const live = ['a', 'b', 'c', 'd', 'e'].map((key) => branch(`pre-${key}`));
  const rule = FROM_VARIABLE;
  it('that leaves more than half of four or more to delete deletes nothing, also with few a run', async () => {
    const plan = await planOf(live, { allow: ALL, rule, max: 1, open: ['pre-a', 'pre-b'] });
    expect([plan.steps, rulings(plan).map(({ blockedBy }) => blockedBy)]).toEqual([[], [['list_in_doubt']]]);
  });
  it('is lifted by the address of each branch, and by no pattern', async () => {
    const allow = [{ action: 'drop', address: `${RULE}/br-pre-c` }];
    expect(deleted(await planOf(live, { allow, rule, open: ['pre-a'] }))).toEqual(['br-pre-c']);
  });
  it('deletes half of them, or all of three, but not three of four', async () => {
    const four = live.slice(0, 4);
    expect(deleted(await planOf(four, { allow: ALL, rule, open: ['pre-a', 'pre-b'] }))).toHaveLength(2);
    expect(deleted(await planOf(four, { allow: ALL, rule, open: ['pre-a'] }))).toEqual([]);
    expect(deleted(await planOf(live.slice(0, 3), { allow: ALL, rule, open: [] }))).toHaveLength(3);
  });
  it('does not count where the file has the names', async () => {
    expect(deleted(await planOf(live, { allow: ALL, rule: 'keep: [pre-a]' }))).toHaveLength(4);
  });
});

it('takes only what the reviewed plan removes, when planned again', async () => {
  const live = [branch('pre-a'), branch('pre-b'), branch('pre-c')];
  const removals = new Map([['br-pre-b', `${RULE}/br-pre-b`]]);
  expect(ids(await planOf(live, { allow: ALL, max: 1, removals }))).toEqual(['br-pre-b']);
  expect(
    ids(await planOf(live, { allow: ALL, removals: new Map([['br-pre-b', 'shop/retention/other/br-pre-b']]) })),
  ).toEqual([]);
});

it('stands under the changed guards with what it would take now, and without the names of a variable', async () => {
  const stateOf = async (rule: string): Promise<DesiredState> =>
    desiredOf(`version: 1\nprojects: { shop: { id: shop-1${rule} } }\n`);
  const written = (more: string): string => `, retention: { old: { match: ["pre*"], older_than: 7d, max: 9${more} } }`;
  const without = await stateOf('');
  const before = await stateOf(written(''));
  const after = await stateOf(written(', idle_for: 1h'));
  const plan = await planOf([branch('pre-a'), branch('pre-b')], { due: false });
  const changes = (...[was, is]: readonly [DesiredState, DesiredState]): unknown =>
    withTaken(wordsChanged(was, is, { kinds, isThere: () => true }), plan);
  const value = { match: ['pre*'], older_than: '7d', idle_for: '7d', keep: [], max: 9 };
  const guard = { guard: 'retention', project: 'shop', address: RULE };
  expect(changes(without, before)).toEqual([
    { ...guard, change: 'added', before: null, after: { ...value, takes_now: 2 } },
  ]);
  expect(changes(before, after)).toEqual([
    { ...guard, change: 'changed', before: value, after: { ...value, idle_for: '1h', takes_now: 2 } },
  ]);
  expect(changes(before, without)).toEqual([{ ...guard, change: 'removed', before: value, after: null }]);
  expect(changes(before, before)).toEqual([]);
});
