// Protects what each step says of itself: the state that it expects and achieves, so that a run notices who came between.
import { expect, it } from 'vitest';
import { planOfKinds } from './support/kinds-world.ts';
import { intent, planWith, REVOKED, saying } from './support/own-kind.ts';
import { shop, type World } from './support/world.ts';

const REPLICA = 'type: read_only, branch_id: br-dev';
const DEV = 'br-dev: {}, br-dev/roles/r: {}, br-dev/databases/d: { owner: r }';
const UNKNOWN = { lasting: {}, passing: {}, restsOn: [] };
const IN_DEV = { branch_id: 'br-dev', type: 'read_only' };

/** Members of a step, or of what it expects. */
type Said = Readonly<Record<string, unknown>>;

it.each<[string, string, string, string, Said]>([
  [
    'a creation expects no other in its pool than those there and those that a step puts there',
    `a: { ${REPLICA}, name: a }, b: { id: ep-b, branch_id: br-dev }, c: { ${REPLICA}, name: c }, d: { id: ep-d, state: absent }`,
    `br-dev: {}, ep-b: { type: read_only, branch_id: br-main }, ep-2: { ${REPLICA}, name: c }, ep-1: { type: read_write, branch_id: br-dev }, ep-d: { type: read_only, branch_id: br-main }`,
    'create:shop/a',
    {
      state: 'absent',
      parentId: undefined,
      joins: { where: IN_DEV, known: ['ep-2', 'ep-b'] },
      achieves: { ...IN_DEV, name: 'a' },
    },
  ],
  [
    'a move expects none in the pool that it enters either',
    'b: { id: ep-1, branch_id: br-dev }',
    `br-dev: {}, ep-1: { type: read_only, branch_id: br-main }, ep-2: { ${REPLICA} }`,
    'move:shop/b',
    { joins: { where: IN_DEV, known: ['ep-1', 'ep-2'] }, achieves: IN_DEV },
  ],
  [
    'a removal by name expects nobody of that name beside its target',
    `a: { ${REPLICA}, name: a, state: absent }`,
    `br-dev: {}, ep-1: { ${REPLICA}, name: a }, ep-2: { ${REPLICA}, name: b }`,
    'delete:shop/a',
    { joins: { where: { ...IN_DEV, name: 'a' }, known: ['ep-1', 'ep-2'] }, achieves: null },
  ],
  [
    'a removal by id expects nothing of others',
    `a: { ${REPLICA}, id: ep-1, state: absent }`,
    `br-dev: {}, ep-1: { ${REPLICA} }`,
    'delete:shop/a',
    {
      id: 'ep-1',
      fingerprint: {
        lasting: { project_id: 'shop-1', created_at: '1970-01-01T00:00:00.000Z' },
        passing: { current_state: null, updated_at: null, last_active: null },
        restsOn: [],
      },
      joins: null,
      achieves: null,
    },
  ],
  [
    'a removal of a replica that has no name expects nobody else in its pool',
    `a: { ${REPLICA}, state: absent }`,
    `br-dev: {}, ep-1: { ${REPLICA} }`,
    'delete:shop/a',
    { joins: { where: IN_DEV, known: ['ep-1'] } },
  ],
  [
    'a removal expects no other contents than those that the plan shows, and no further use',
    'branches/dev: { state: absent }',
    `${DEV}, ep-2: { ${REPLICA} }, ep-1: { ${REPLICA}, name: a }`,
    'delete:shop/branches/dev',
    {
      contains: { 'br-dev/d': 'd', 'br-dev/r': 'r', 'ep-1': 'a', 'ep-2': null },
      stake: { usedAt: 'now', version: null, bytes: null },
      joins: { where: { name: 'dev' }, known: ['br-dev'] },
    },
  ],
  [
    'a change that leads to a deletion expects the shown contents, too',
    'branches/dev: { ttl_seconds: 3600 }',
    `${DEV}, ep-1: { ${REPLICA} }`,
    'update:shop/branches/dev',
    { contains: { 'br-dev/d': 'd', 'br-dev/r': 'r', 'ep-1': null }, stake: undefined, joins: null },
  ],
  [
    'a reset expects no further use, and deletes no contents that could be named',
    'branches/dev: { reset: 2026-11-19T00:00:00Z }',
    'br-dev: { parent_id: br-main, reset: { since: 2026-11-01T00:00:00Z } }, br-dev/roles/r: {}',
    'update:shop/branches/dev',
    { contains: undefined, stake: { usedAt: null, version: null, bytes: null }, joins: null },
  ],
  [
    'a change that loses nothing expects neither',
    'branches/dev: { id: br-dev, protected: true }',
    'br-dev: {}',
    'update:shop/branches/dev',
    { contains: undefined, stake: undefined, achieves: { name: 'dev', protected: true } },
  ],
  [
    'a later request on a new resource acts on what the first one makes',
    'branches/dev: { default: true, protected: true }',
    '',
    'protect:shop/branches/dev',
    {
      action: 'update',
      path: '/projects/shop-1/branches/{shop/branches/dev}',
      body: { branch: { protected: true } },
      state: 'present',
      id: '{shop/branches/dev}',
      attributes: {},
      fingerprint: UNKNOWN,
      joins: null,
      achieves: { name: 'dev', protected: true },
      options: {},
    },
  ],
  [
    'a request that takes over what only one may have expects no new holder, and is the last',
    'branches/dev: { default: true }',
    '',
    'default:shop/branches/dev',
    {
      action: 'update',
      fingerprint: UNKNOWN,
      joins: { where: { default: true }, known: ['br-main'] },
      achieves: { name: 'dev', default: true },
      options: { last: true },
    },
  ],
  [
    'such a request is the last on a resource that is there already, too',
    'branches/dev: { default: true }',
    'br-dev: {}',
    'update:shop/branches/dev',
    { id: 'br-dev', joins: { where: { default: true }, known: ['br-main'] }, options: { last: true } },
  ],
  [
    'a creation whose former name matched nothing expects that nobody has it',
    'branches/main/databases/b: { was: a, owner: r }',
    'br-main/roles/r: {}',
    'create:shop/branches/main/databases/b',
    {
      path: '/projects/shop-1/branches/br-main/databases',
      joins: { where: { name: 'b' }, known: [] },
      former: { where: { name: 'a' }, known: [] },
    },
  ],
  [
    'a creation without a former name expects nothing of other names',
    'branches/dev: {}',
    '',
    'create:shop/branches/dev',
    { joins: { where: { name: 'dev' }, known: [] }, former: undefined },
  ],
  [
    'a step on what a new copy inherits finds it by its present name, below the copy',
    'branches/dev: { parent_id: =main }, branches/dev/databases/b: { was: a, owner: r }',
    'br-main/roles/r: {}, br-main/databases/a: { owner: r }',
    'update:shop/branches/dev/databases/b',
    {
      parentId: '{shop/branches/dev}',
      path: '/projects/shop-1/branches/{shop/branches/dev}/databases/a',
      id: '{shop/branches/dev/databases/b}',
      joins: { where: { name: 'a' }, known: [] },
      achieves: { name: 'b', owner: 'r' },
    },
  ],
  [
    'a step that makes a secret names its sinks',
    'branches/main/roles/r: { secret: [{ file: r.json }] }, branches/dev: {}, branches/dev/roles/q: {}',
    'br-dev: {}, br-dev/roles/r: {}',
    'create:shop/branches/main/roles/r',
    { parentId: 'br-main', joins: { where: { name: 'r' }, known: [] }, options: { secret: [{ file: 'r.json' }] } },
  ],
  [
    'a removal stores no secret',
    'branches/main/roles/r: { state: absent, secret: [{ file: r.json }] }',
    'br-main/roles/r: {}',
    'delete:shop/branches/main/roles/r',
    { options: {} },
  ],
])('%s', (_name, declared, live, id, expected) => {
  const { steps, diagnostics } = planOfKinds(declared, live);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const step = steps.find((one) => one.id === id);
  const told: Said = { ...step, ...step?.expects };
  expect(Object.fromEntries(Object.keys(expected).map((member) => [member, told[member]]))).toEqual(expected);
});

it('the steps that the creation of a project includes say so, and no later step does', () => {
  const branches = 'branches/main: { default: true }, branches/main/roles/r: {}, branches/dev: {}';
  const { steps } = planOfKinds(`project: {}, ${branches}`, '', '{shop}');
  const along = steps.flatMap((step) => (step.with === undefined ? [] : [`${step.id} with ${step.with}`]));
  expect(along).toEqual(['create:shop/branches/main with shop', 'create:shop/branches/main/roles/r with shop']);
});

/** Computes of which the kind proposes this. */
const each = (action: Parameters<typeof intent>[0], computes: string, live: string): string[] => {
  const own = saying((asked) => ({ intents: [intent(action, asked.live)] }));
  return planWith(own, shop(computes, live)).steps.map(({ id, needs }) => [id, ...needs].join(' '));
};

it('a replacement makes the new one first, unless the new one needs the slot of the old one', () => {
  const live = 'ep-a: { branch: br-1 }, ep-b: { branch: br-1, type: read_only }';
  expect(each('replace', 'a: { branch: br-1 }, b: { branch: br-1, type: read_only }', live)).toEqual([
    'create:shop/a delete:shop/a',
    'create:shop/b',
    'delete:shop/a',
    'delete:shop/b create:shop/b',
  ]);
});

it('a restart waits for the last change of its resource, and for no other resource', () => {
  const swap = 'a: { id: ep-a, branch: br-2, lifecycle: { via: br-9 } }, b: { id: ep-b, branch: br-1 }';
  const more = 'c: { branch: br-3, max: 2 }, d: { branch: br-4 }';
  const live = [1, 2, 3, 4].map((n) => `ep-${'abcd'.charAt(n - 1)}: { branch: br-${n}, max: 1 }`).join();
  expect(each('restart', `${swap}, ${more}`, live).filter((one) => one.startsWith('restart'))).toEqual([
    'restart:shop/a move:shop/a',
    'restart:shop/b move:shop/b',
    'restart:shop/c update:shop/c',
    'restart:shop/d',
  ]);
});

it('a rotation resets the secret of its resource, or makes a successor where it has no target', () => {
  const actions = (isReset: boolean): unknown[] => {
    const own = saying(({ live }) => ({ intents: [intent('rotate', isReset ? live : null)] }));
    const { steps } = planWith(
      own,
      shop('a: { branch: br-1, type: read_only }', 'ep-a: { branch: br-1, type: read_only }'),
    );
    return steps.map(({ action, path, expects }) => [action, path, expects.state]);
  };
  expect(actions(true)).toEqual([['update', '/ep-a/update', 'present']]);
  expect(actions(false)).toEqual([['rotate', '/new/rotate', 'absent']]);
});

it('a pruned secret is revoked after all new ones of its project are made, a removed one at once', () => {
  const world: World = {
    file: `
shop: { prune: { type: [read_only] }, computes: { a: { branch: br-1, new: true }, b: { id: ep-b, branch: br-2, type: read_only }, c: { id: ep-c, state: absent } } }
blog: { prune: true, computes: { d: { branch: br-1, new: true } } }`,
    live: `
shop: { ep-b: { branch: br-2 }, ep-c: { branch: br-3 }, ep-x: { branch: br-2, type: read_only } }
blog: { ep-y: { branch: br-2, type: read_only } }`,
  };
  expect(planWith(REVOKED, world).steps.map(({ id, needs }) => [id, ...needs].join(' '))).toEqual([
    'create:blog/d',
    'create:shop/a',
    'create:shop/b',
    'revoke:blog/ep-y create:blog/d',
    'revoke:shop/b create:shop/b',
    'revoke:shop/c',
    'revoke:shop/ep-x create:shop/a create:shop/b',
  ]);
});
