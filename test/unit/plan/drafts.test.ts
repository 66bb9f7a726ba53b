// The change of one declaration: what becomes of it because of what lies above or beside it, and what its step sends and expects.
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { kinds } from '../../../src/kinds/index.ts';
import type { DesiredResource } from '../../../src/model/desired.ts';
import type { LiveResource } from '../../../src/model/live.ts';
import type { Change, Plan } from '../../../src/model/outcome/plan.ts';
import * as drafts from '../../../src/plan/diff/draft.ts';
import type { Verdict } from '../../../src/plan/kind-rules.ts';
import { makePlan } from '../../../src/plan/make-plan.ts';
import { desiredOf } from '../../support/files.ts';
import { intent, ONE, oneAs, planWith, saying } from './support/own-kind.ts';
import { branch, compute, database, permission, planOfShop, role } from './support/whole-shop.ts';
import { bareInput, shop, type World } from './support/world.ts';

/** `action address id: blocks; consents; impacts; notes` of each change but that of the branch main, each part where there is one. */
function told({ changes }: Plan): readonly string[] {
  return changes
    .filter(({ address }) => address !== 'shop/branches/main')
    .map(({ action, address, resourceId, blockedBy, consents = [], impact, notes }) => {
      const what = listed([action, address.replace(/^shop\/(branches\/)?/, ''), resourceId ?? ''], ' ');
      const needs = consents.map(({ word }) => `needs ${word}`);
      return listed([what, ...blockedBy, ...needs, ...impact.filter((word) => word !== 'none'), ...notes], '; ');
    });
}

const listed = (words: readonly string[], between: string): string => words.filter((word) => word !== '').join(between);

const PAST = '2026-11-01T00:00:00Z';
const ENDED = 'a resource that this resource depends on has expired';
const GONE = { id: 'br-x', project_id: 'shop-1', name: 'x', deleted_at: PAST, recoverable_until: null };
const VANISHED = `br-x was deleted at ${PAST}; it can still be recovered with POST /projects/shop-1/branches/br-x/recover`;
const ACTIVE = compute('main', 'ep-a', {}, { current_state: 'active' });

describe('a declaration', () => {
  it.each<[string, string, readonly LiveResource[], readonly string[], gone?: readonly JsonObject[]]>([
    [
      'that has expired is not made, nor what depends on it',
      `x: { expires_at: ${PAST}, roles: { app: {} } }, z: {} }, computes: { a: { branch: x }, b: { branch: z }`,
      [],
      [`none a; ${ENDED}`, 'create b', 'none x', `none x/roles/app; ${ENDED}`, 'create z'],
    ],
    [
      'that has expired stays with what it has, and gets nothing new',
      `x: { expires_at: ${PAST}, roles: { app: {}, more: {} } } }, computes: { a: { branch: br-x }`,
      [branch('x', { expires_at: PAST }), role('x', 'app')],
      [`none a; ${ENDED}`, 'none x br-x', 'none x/roles/app br-x/app', `none x/roles/more; ${ENDED}`],
    ],
    [
      'below a copy changes what the copy inherits, and makes the rest',
      'main: {}, y: { roles: { app: {}, more: {} }, databases: { orders: { owner: more }, log: { owner: app } } }',
      [ACTIVE, role('main', 'app'), database('main', 'orders', 'app'), database('main', 'log', 'app')],
      ['create y', 'none y/databases/log', 'update y/databases/orders', 'none y/roles/app', 'create y/roles/more'],
    ],
    [
      'below what goes, goes with it',
      `x: { state: absent, roles: { app: {}, new: {}, ${['more', 'no', 'own'].map((id) => `${id}: { state: absent }`).join()} } }`,
      [
        branch('x'),
        ...['app', 'more', 'other'].map((name) => role('x', name)),
        { ...role('x', 'own'), observed: { protected: true } },
      ],
      [
        'delete x br-x; allowance; needs drop; data_shelved',
        'none x/roles/app br-x/app; deleted with shop/branches/x',
        'delete x/roles/more br-x/more; allowance; needs drop; data_lost; drops_connections',
        'none x/roles/new; deleted with shop/branches/x',
        'none x/roles/no',
        'none x/roles/own br-x/own; deleted with shop/branches/x',
      ],
    ],
    [
      'that cannot become what the file says is blocked',
      'main: {}, x: { from: main }',
      [branch('x', { parent_id: 'br-o' }), branch('o')],
      ['update x br-x; immutable'],
    ],
    [
      'for a resource that was deleted elsewhere needs a consent',
      'x: {}',
      [],
      [`create x; vanished; needs recreate; ${VANISHED}`],
      [GONE],
    ],
    [
      'that is absent removes all that it means',
      '}, permissions: { a@b.example: { state: absent }',
      ['p1', 'p2'].map((id) => permission('a@b.example', id)),
      ['p1', 'p2'].map((id) => `delete permissions/a@b.example ${id}; allowance; needs access; access_changes`),
    ],
    [
      'with a secret tells of it, and one beside clients of them',
      'main: { roles: { app: { password: { file: app.json } }, more: {} } }',
      [ACTIVE],
      ['create main/roles/app; drops_connections; secret_created', 'create main/roles/more; drops_connections'],
    ],
  ])('%s', async (_name, branches, live, expected, gone = []) => {
    expect(told(await planOfShop({ branches, live, gone }))).toEqual(expected);
  });
});

it('resources that the request for a new project also makes disturb nobody', async () => {
  const file = `version: 1
projects: { new: { create: { region_id: aws-us-east-2 }, branches: { first: { default: true, roles: { app: {} } } } } }\n`;
  const live = { projects: [{ label: 'new', id: '{new}', name: 'new' }], resources: [] };
  const { changes } = makePlan(bareInput({ desired: await desiredOf(file), live, kinds, noHistory: true }));
  const note = 'created with new, in the same request';
  expect(changes.map(({ address, impact, notes }) => [address, impact.join(), notes.includes(note)])).toEqual([
    ['new', 'none', false],
    ['new/branches/first', 'none', true],
    ['new/branches/first/roles/app', 'none', true],
  ]);
});

describe('a step', () => {
  it('expects the whole of a mapping that the service replaces as a whole, and else only what it replaces', () => {
    const settings = (memory: string): string => `settings: { pg_settings: { work_mem: ${memory}`;
    const live = `ep-a: { branch: br-1, max: 2, ${settings('32MB')}, jit: 'on' } } }`;
    const [step] = planWith({}, shop(`a: { branch: br-1, max: 4, ${settings('64MB')} } } }`, live)).steps;
    expect(step?.body).toEqual({ autoscaling_limit_max_cu: 4, settings: { pg_settings: { work_mem: '64MB' } } });
    expect(step?.expects.state === 'present' && step.expects.attributes).toEqual({
      branch_id: 'br-1',
      type: 'read_write',
      autoscaling_limit_max_cu: 2,
      settings: { pg_settings: { work_mem: '32MB', jit: 'on' } },
    });
  });

  it.each<[string, World]>([
    ['removal', oneAs('a: { id: ep-a, state: absent }')],
    ['replacement', oneAs('a: { id: ep-a, branch: br-1, type: read_only }')],
    ['update', oneAs('a: { branch: br-1, max: 4 }')],
  ])('for a %s to which the file consents rests on the facts behind it, and needs no other consent', (_name, world) => {
    const agreed = saying({ consented: { restsOn: ['current_state'] } });
    const { changes, steps } = planWith(agreed, { ...world, input: { consent: 'unattended' } });
    expect(changes.flatMap(({ blockedBy }) => blockedBy)).toEqual([]);
    const resting = steps.flatMap(({ expects }) => (expects.state === 'absent' ? [] : [expects.fingerprint.restsOn]));
    expect(resting).toEqual([['current_state']]);
  });
});

it.each<[string, World, string, readonly string[]]>([
  ['differs', oneAs('a: { branch: br-1, max: 4 }'), 'file', ['attributes differ']],
  ['moves', oneAs('a: { id: ep-a, branch: br-2, max: 4 }'), 'file', ['the file moves the resource']],
  ['is replaced', oneAs('a: { id: ep-a, branch: br-1, type: read_only }'), 'file', ['replace_because_cannot_update']],
  [
    'failed before',
    oneAs('a: { branch: br-1, max: 2 }', { log: ['1h apply_config failed ep-a'] }),
    'last_operation_failed',
    ['last_operation_failed'],
  ],
  ['is missing', oneAs('a: { branch: br-2, new: true }'), 'file', ['the resource does not exist']],
  ['shall go', oneAs('a: { id: ep-a, state: absent }'), 'absent', ['state: absent']],
  ['shall go and is gone', oneAs('a: { branch: br-2, type: read_write, state: absent }'), 'absent', []],
])('the reason of what %s is told', (_name, world, origin, reasons) => {
  expect(planWith({}, world).changes[0]).toMatchObject({ origin, reasons });
});

it('a change tells that its resource was only counted, and that a successor exists already', () => {
  const counted = planWith(
    {},
    shop('a: { branch: br-1, type: read_only, max: 4 }', 'ep-a: { branch: br-1, type: read_only }'),
  );
  expect(counted.changes).toMatchObject([{ action: 'update', pinned: false }]);
  const made = 'ep-n: { branch: br-1, type: read_only, name: a, created: 2026-03-01 }';
  const replaced = planWith(
    {},
    shop('a: { id: ep-a, branch: br-1, type: read_only }', `ep-a: { branch: br-1 }, ${made}`),
  );
  expect(replaced.changes[0]?.notes).toContain('the successor ep-n exists already');
  expect(replaced.changes[0]).not.toHaveProperty('pinned');
});

it('a held difference stays in sight beside a proposal', () => {
  const hold = 'lifecycle: { hold: [{ path: autoscaling_limit_max_cu, value: 2, until: 2027-01-01 }] }';
  const restart = saying(({ live }) => ({ intents: [intent('restart', live)] }));
  const { changes } = planWith(restart, oneAs(`a: { branch: br-1, max: 4, ${hold} }`));
  expect(changes.map(({ action, held }) => [action, held.length])).toEqual([
    ['none', 1],
    ['restart', 0],
  ]);
});

it.each<[string, Partial<Verdict>, string]>([
  ['is quiet', {}, 'none'],
  ['cannot fill its sinks', { blockedBy: ['sink_unfillable'], notes: ['why'] }, 'update'],
])('a resource that follows from others and %s has no step', (_name, verdict, action) => {
  const branchOf = (spec: JsonObject | null): Json => spec?.['branch_id'] ?? null;
  const found = [ONE, { ...ONE, live: 'shop: {}' }, oneAs('a: { id: ep-a, state: absent }')].map((world) => {
    const { changes, steps } = planWith({ ...saying(verdict), requests: {} }, world);
    expect(steps).toEqual([]);
    expect(changes).toMatchObject([{ action, ...verdict }]);
    return changes.flatMap(({ origin, before, after }) => [origin, branchOf(before), branchOf(after)]);
  });
  expect(found).toEqual([
    ['file', 'br-1', 'br-1'],
    ['file', null, 'br-1'],
    ['absent', null, null],
  ]);
});

it.each<[Change['action'], readonly string[], readonly string[], string]>([
  ['delete', ['none'], [], 'removes, takes away, loses data'],
  ['replace', ['none'], [], 'removes, takes away, loses data'],
  ['revoke', ['none'], [], 'removes, takes away, loses data'],
  ['update', ['drops_connections', 'data_shelved'], [], 'takes away, loses data'],
  ['update', ['drops_connections', 'unheard_of'], ['drop'], 'loses data'],
  ['update', ['drops_connections', 'unheard_of'], ['access'], ''],
])('a change with the action %s, the impacts %j and the consents %j: %s', (action, impact, words, expected) => {
  const change = { action, impact, consents: words.map((word) => ({ word, address: 'shop/a', given: null })) };
  const is = [
    drafts.removes(change) && 'removes',
    drafts.takesAway(change) && 'takes away',
    drafts.losesData(change) && 'loses data',
  ];
  expect(is.filter(Boolean).join(', ')).toBe(expected);
  expect(drafts.losesData({ action, impact })).toBe(drafts.takesAway(change));
});

it('a change has an address by its file, and one by its id once there is one', () => {
  expect(drafts.addressesOf({ address: 'shop/a', resourceId: 'ep-a' }, 'shop')).toEqual(['shop/a', 'shop/ep-a']);
  expect(drafts.addressesOf({ address: 'shop/a', resourceId: null }, 'shop')).toEqual(['shop/a']);
});

it.each<[string, Partial<LiveResource>, readonly string[], readonly string[]]>([
  ['the service does not show', {}, ['not_compared'], []],
  ['could not be read', { unshown: 'HTTP 500' }, [], ['HTTP 500']],
  ['is shown', { unshown: 'HTTP 500', spec: { name: 'x', protected: true } }, [], []],
])('an attribute that %s is reported as such', async (_name, own, codes, reasons) => {
  const live = [branch('x', {}, { spec: { name: 'x' }, ...own })];
  const { diagnostics, unread } = await planOfShop({ branches: 'x: { protected: true }', live });
  expect([diagnostics.map(({ code }) => code), unread.map(({ reason }) => reason)]).toEqual([codes, reasons]);
});

it('a kind judges a live resource without what the file ignores, and a new one by all of its keys', () => {
  const asked: (readonly string[])[] = [];
  const keep = (desired: DesiredResource): boolean => asked.push(Object.keys(desired.spec)) < 0;
  const kind = {
    ...saying(({ desired }) => (keep(desired) ? { notes: ['never'] } : {})),
    upkeep: { mayNeed: keep, needs: () => null },
  };
  const ignoring = 'disabled: true, lifecycle: { ignore: [disabled] }';
  planWith(kind, oneAs(`a: { branch: br-1, ${ignoring} }, b: { branch: br-2, new: true, ${ignoring} }`));
  const [live, made] = [
    ['branch_id', 'type'],
    ['branch_id', 'type', 'disabled'],
  ];
  expect(asked).toEqual([live, made, live, made]);
});

it('blocks are told once each and sorted, and a foreign resource by whether it is known to be one', () => {
  const draftWith = (marks: LiveResource['marks'] | null): Pick<Change, 'blockedBy' | 'notes'> => {
    const change = { blockedBy: ['protect'], notes: [] } as unknown as Change;
    const draft = { change } as drafts.Draft;
    drafts.block(draft, 'protect');
    expect(draft.change).toBe(change);
    drafts.block(draft, 'protect', 'consent');
    drafts.blockForeign(draft, { ...ACTIVE, marks: marks ?? null });
    return draft.change;
  };
  expect(draftWith(null)).toMatchObject({
    blockedBy: ['consent', 'protect', 'unread'],
    notes: ['the service does not show whether trueup created ep-a, which has this name'],
  });
  expect(draftWith({})).toMatchObject({
    blockedBy: ['consent', 'foreign', 'protect'],
    notes: ['ep-a has this name, and trueup did not create it for this set'],
  });
});
