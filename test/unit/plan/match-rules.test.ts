// Protects which live branches a set or a retention rule takes, what its declarations say, and which removals a second plan repeats.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { DesiredResource } from '../../../src/model/desired.ts';
import type { LiveResource } from '../../../src/model/live.ts';
import type { PlanInput } from '../../../src/plan/input.ts';
import { makePlan } from '../../../src/plan/make-plan.ts';
import { keyIn, removedByRule } from '../../../src/plan/match/by-rule.ts';
import { declaredByRule } from '../../../src/plan/match/match-all.ts';
import { desiredOf } from '../../support/files.ts';
import { actionsIn, branch, inputOfShop, planOfShop, type Shop } from './support/whole-shop.ts';

const LEASE = { ttl_seconds: 604_800, expires_at: '2026-11-27T12:00:00Z' };

const member = (key: number | string, spec: JsonObject = {}, more: Parameters<typeof branch>[2] = {}): LiveResource =>
  branch(`pr-${key}`, { ...LEASE, ...spec }, { marks: { set: 'shop-1/pr' }, ...more });
const foreign = (id: string): LiveResource => member(id, { name: `old-${id}` });
const SINK = 'connections: { c: { role: app, database: d, secret: { file: "{key}.json" } } }';

async function inputOf(set: string, live: readonly LiveResource[], more: Shop = {}): Promise<PlanInput> {
  const beside = `previews: { pr: { name: "pr-{key}", from: main, ttl: 7d, max: 9, ${set} } }`;
  return inputOfShop({ beside, live, ...more, branches: `main: {}${more.branches ?? ''}` });
}

it.each([
  ['pr-{key}', 'pr-7', '7'],
  ['pr-{key}', 'pr-a.b_C-1', 'a.b_C-1'],
  ['pr-{key}', 'pr-', null],
  ['pr-{key}', 'xpr-7', null],
  ['pr-{key}', 'pr-..', null],
  ['pr-{key}', 'pr-br-7', null],
  ['pr-{key}', 'pr-a/b', null],
  ['pr-{key}', 7, null],
  ['a-{key}-z', 'a-7-z', '7'],
  ['a-{key}-z', 'a-7-', null],
  ['a-{key}-z', 'a--z', null],
  ['a-{key}-z', 'a-z', null],
  ['a-{key}-z', '7-z', null],
])('in a set of names like %s, the key in %s is %s', async (form, name, key) => {
  const previews = `previews: { pr: { name: "${form}", each: [], from: br-main, ttl: 7d, max: 9 } }`;
  const { projects } = await desiredOf(`version: 1\nprojects: { shop: { ${previews} } }\n`);
  const [set] = projects[0]?.sets ?? [];
  expect(set && keyIn(set, name)).toBe(key);
});

describe('a set', () => {
  it.each<[string, string, readonly [id: string, address: string] | null, string]>([
    ['removes what it does not list', '', null, '3 br-pr-3 absent'],
    ['leaves a name that a branch gets', ', x: { id: br-x, name: pr-3 }', null, ''],
    ['leaves a name that a branch had', ', x: { id: br-x, renamed_from: pr-3 }', null, ''],
    ['removes again what is gone', '', ['br-9', 'shop/previews/pr/9'], '3 br-pr-3, 9 br-9 absent'],
    ['removes again what is there', '', ['br-pr-3', 'shop/previews/pr/3'], '3 br-pr-3 absent'],
    ['removes nothing of another rule', '', ['br-9', 'shop/previews/other/9'], '3 br-pr-3'],
    ['removes no listed member again', '', ['br-9', 'shop/previews/pr/2'], '3 br-pr-3'],
    ['removes nothing without a key', '', ['br-9', 'shop/previews/pr/..'], '3 br-pr-3'],
  ])('%s', async (_, branches, again, expected) => {
    const live = [member(1), member(2), member(3), branch('x')];
    const removals = again === null ? {} : { removals: new Map([again]) };
    const declared = declaredByRule(await inputOf('each: [1, 2], gone: delete', live, { branches, ...removals }));
    const lines = declared.map(({ name, pin, absent }) => `${name} ${pin}${absent ? ' absent' : ''}`);
    expect(lines.join(', ')).toBe(expected);
  });

  const LEFT = 'not changed: its key is not listed, and';
  it.each<[string, string, LiveResource, string | null]>([
    ['is removed at the end of its grace', 'gone: delete, grace: 30d', member(3), null],
    ['expires', 'gone: expire', member(3), `${LEFT} it expires at 2026-11-27T12:00:00Z`],
    ['stays', 'gone: expire', member(3, { expires_at: null }), `${LEFT} it has no expiry, so it stays`],
    ['is kept under a foreign name', 'gone: keep', foreign('3'), `${LEFT} its name does not fit the set`],
    ['is foreign', 'gone: delete', foreign('3'), 'br-pr-3: its name does not fit the set'],
  ])('says why a member %s', async (_, set, live, note) => {
    const input = await inputOf(`each: [1], ${set}`, [member(1), live], { allow: ['drop:shop/previews/pr/**'] });
    const { action, blockedBy, notes, matchedBy } = makePlan(input).changes.at(-1) ?? {};
    expect(action).toBe(set.includes('delete') ? 'delete' : 'none');
    expect(blockedBy).toEqual(note?.startsWith('br-') === true ? ['foreign'] : []);
    expect(notes).toEqual(note === null ? [] : [note]);
    expect(matchedBy).toMatch(/^the branch "\S+", by the rule shop\/previews\/pr$/);
  });

  it.each([
    ['counts a listed one that is closed', 'each: [1, 2], closed: [1, 2]', [1, 2, 3, 4].map((key) => member(key))],
    ['counts no foreign one as lost', 'each: [1, 2]', [member(1), member(2), member(3), foreign('a'), foreign('b')]],
  ])('that is in doubt after a loss of most members %s', async (_, set, live) => {
    const { changes } = makePlan(await inputOf(`${set}, gone: delete`, live));
    expect(changes.flatMap(({ blockedBy }) => blockedBy)).not.toContain('list_in_doubt');
  });

  it('that is in doubt still changes the members that it lists', async () => {
    const live = [member(1, { ttl_seconds: 86_400 }), ...[2, 3, 4, 5, 6].map((key) => member(key))];
    const { changes } = makePlan(await inputOf('each: [1, 7], gone: delete', live));
    expect(changes.slice(1).map(({ action, blockedBy }) => `${action} ${blockedBy.join(' ')}`)).toEqual([
      'update ',
      ...[2, 3, 4, 5, 6].map(() => 'delete list_in_doubt'),
      'create list_in_doubt',
    ]);
  });

  it('says that a member is young, so that nothing below it is read for its removal', async () => {
    const live = [member(3, {}, { days: 0 }), member(4), member(5, {}, { createdAtMs: null })];
    const young = declaredByRule(await inputOf('each: [], gone: delete', live)).map(({ byRule }) => byRule?.isYoung);
    expect(young).toEqual([true, undefined, true]);
  });
});

describe('the secrets of a removed member', () => {
  const secrets = (all: readonly DesiredResource[]): unknown =>
    all.map(({ address, absent, options }) => [address, absent, options['secret'] ?? null]);
  const MEMBER = ['shop/previews/pr/3', true, null];
  const BELOW = ['shop/previews/pr/3/connections/c', true, [{ file: '3.json' }]];
  const other = (file: string, state = ''): Shop => ({
    branches: `, x: { connections: { c: { role: app, database: d, secret: { file: ${file} } ${state} } } }`,
  });
  const REMOVED = { removals: new Map([['br-3', 'shop/previews/pr/3']]) };
  it.each<[string, readonly LiveResource[], Shop, unknown]>([
    ['are cleared', [member(3)], {}, [MEMBER, BELOW]],
    ['are cleared also after the removal', [], REMOVED, [MEMBER, BELOW]],
    ['stay where another declaration stores its own', [member(3)], other('./3.JSON'), [MEMBER]],
    ['do not stay for another file', [member(3)], other('4.json'), [MEMBER, BELOW]],
  ])('%s', async (_, live, asked, expected) => {
    const declared = declaredByRule(await inputOf(`each: [], gone: delete, ${SINK}`, live, asked));
    expect(secrets(declared)).toEqual(expected);
  });
});

describe('two retention rules', () => {
  const rule = (name: string): string => `${name}: { match: ["old*", "older*"], older_than: 7d, idle_for: 1d, max: 9 }`;
  const live = [branch('old-1'), branch('other')];
  const asked: Shop = { live, beside: `retention: { ${rule('one')}, ${rule('two')} }`, due: true };

  it('take a branch once, and leave the others among the unlisted', async () => {
    const plan = await planOfShop({ ...asked, branches: 'main: {}' });
    expect(actionsIn(plan)).toEqual(['none main br-main', 'delete shop/retention/one/br-old-1 br-old-1']);
    expect(plan.unmanaged.map(({ id }) => id)).toEqual(['br-other']);
  });

  it('repeat in a second plan the removals that nothing blocked, and no others', async () => {
    const removals = async (more: Shop): Promise<unknown> => [
      ...removedByRule(await planOfShop({ ...asked, branches: 'main: {}, other: { state: absent }', ...more })),
    ];
    const allow = ['drop:shop/retention/**', 'drop:shop/retention/one/**', 'drop:shop/branches/other'];
    expect(await removals({ allow })).toEqual([['br-old-1', 'shop/retention/one/br-old-1']]);
    expect(await removals({ consent: 'unattended' })).toEqual([]);
  });
});
