// Protects the order among steps of several kinds: no step runs before what it needs exists, or while others still need what it removes.
import { expect, it } from 'vitest';
import { planOfKinds } from './support/kinds-world.ts';

type Case = readonly [title: string, declared: string, live: string, expected: string];

/** Each step, with `<` before the steps that it needs; below branches, names are short. */
function waits(...world: Parameters<typeof planOfKinds>): readonly string[] {
  const { steps, diagnostics } = planOfKinds(...world);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const told = steps.map(({ id, needs }) => (needs.length === 0 ? id : `${id} < ${needs.join(' ')}`));
  return told.map((one) => one.replaceAll(/shop\/(?:branches\/)?/g, ''));
}

it.each<Case>([
  [
    'waits for the parent and for what it refers to',
    'branches/dev: {}, branches/dev/roles/app: {}, branches/dev/databases/db: { owner: app }, a: { branch_id: =dev, type: read_write }',
    '',
    'create:a < create:dev; create:dev; create:dev/databases/db < create:dev create:dev/roles/app; create:dev/roles/app < create:dev',
  ],
  [
    'does not wait for a role of that name on another branch',
    'branches/dev: {}, branches/dev/databases/db: { owner: app }, branches/main/roles/app: {}',
    'br-dev: {}, br-dev/roles/app: {}',
    'create:dev/databases/db; create:main/roles/app',
  ],
  [
    'of a copy waits for the steps on the contents of its origin, named by its id or by its address',
    'branches/main/roles/r: {}, branches/main/databases/db: { owner: r }, branches/one: { parent_id: br-main }, branches/two: { parent_id: =main }',
    'br-main/roles/old: {}, br-main/databases/db: { owner: old }',
    'create:main/roles/r; create:one < create:main/roles/r update:main/databases/db; create:two < create:main/roles/r update:main/databases/db; update:main/databases/db < create:main/roles/r',
  ],
  [
    'of a copy that names no origin waits for the contents of the default branch, not of another one',
    'branches/main/roles/new: {}, branches/dev: {}, branches/other/roles/app: {}, branches/other: {}',
    'br-other: {}',
    'create:dev < create:main/roles/new; create:main/roles/new; create:other/roles/app',
  ],
  [
    'of a copy of an earlier moment waits for none of the contents',
    'branches/main/roles/new: {}, branches/dev: { parent_id: br-main, parent_timestamp: 2026-01-01T00:00:00Z }',
    '',
    'create:dev; create:main/roles/new',
  ],
  [
    'of a copy of a new copy waits for that copy and its contents',
    'branches/one: { parent_id: =main }, branches/one/roles/app: {}, branches/two: { parent_id: =one }',
    '',
    'create:one; create:one/roles/app < create:one; create:two < create:one create:one/roles/app',
  ],
  [
    'of a copy does not wait until contents of its origin are removed',
    'branches/main/roles/old: { state: absent }, branches/dev: { parent_id: =main }',
    'br-main/roles/old: {}',
    'create:dev; delete:main/roles/old',
  ],
  [
    'of a copy waits until its origin neither expires nor is protected, but not for a rename of the origin',
    'branches/old: { expires_at: null }, branches/one: { parent_id: =old }, branches/safe: { protected: false }, branches/two: { parent_id: br-safe }, branches/new: { id: br-x }, branches/three: { parent_id: =new }',
    'br-old: { expires_at: 2026-12-01T00:00:00Z }, br-safe: { protected: true }, br-x: {}',
    'create:one < update:old; create:three; create:two < update:safe; update:new; update:old; update:safe',
  ],
])('a creation %s', (_name, declared, live, expected) => {
  expect(waits(declared, live)).toEqual(expected.split('; '));
});

it('each creation in a new project waits for the project, even where one request creates both', () => {
  const computes = 'a: { branch_id: =main, type: read_write, disabled: true }, b: { branch_id: =dev, type: read_only }';
  const branches = 'branches/main: { default: true }, branches/main/roles/r: {}, branches/dev: { was: main }';
  expect(waits(`project: {}, ${branches}, ${computes}`, '', '{shop}')).toEqual([
    'create:shop',
    'create:a < create:shop create:main',
    'create:b < create:shop create:dev',
    'create:dev < create:shop',
    'create:main < create:shop',
    'create:main/roles/r < create:shop create:main',
    'default:main < create:shop create:a create:main create:main/roles/r rest:a',
    'rest:a < create:shop create:a create:main',
  ]);
});

it.each<Case>([
  [
    'waits for the removal of what refers to its resource',
    'a: { id: ep-a, state: absent }, branches/dev: { state: absent }, branches/main/roles/r: { state: absent }, branches/main/databases/db: { state: absent }',
    'br-dev: {}, br-main/roles/r: {}, br-main/databases/db: { owner: r }, ep-a: { branch_id: br-dev, type: read_write }',
    'delete:a; delete:dev < delete:a; delete:main/databases/db; delete:main/roles/r < delete:main/databases/db',
  ],
  [
    'waits until nothing refers to its resource any more',
    'branches/main/roles/old: { state: absent }, branches/main/databases/db: { owner: other }, branches/dev: { state: absent }, a: { id: ep-a, branch_id: br-main }',
    'br-main/roles/old: {}, br-main/roles/other: {}, br-main/databases/db: { owner: old }, br-dev: {}, ep-a: { branch_id: br-dev, type: read_only }',
    'delete:dev < move:a; delete:main/roles/old < update:main/databases/db; move:a; update:main/databases/db',
  ],
  [
    'does not wait for what refers to another resource of that name',
    'branches/main/roles/r: { state: absent }, branches/dev: {}, branches/dev/databases/db: { state: absent }',
    'br-main/roles/r: {}, br-dev: {}, br-dev/roles/r: {}, br-dev/databases/db: { owner: r }',
    'delete:dev/databases/db; delete:main/roles/r',
  ],
  [
    'of what a new copy inherits waits for the copy',
    'branches/main/roles/old: {}, branches/dev: { parent_id: =main }, branches/dev/roles/old: { state: absent }, branches/dev/databases/db: { state: absent }',
    'br-main/roles/old: {}, br-main/databases/db: { owner: old }',
    'create:dev; delete:dev/databases/db < create:dev; delete:dev/roles/old < create:dev delete:dev/databases/db',
  ],
])('a removal %s', (_name, declared, live, expected) => {
  expect(waits(declared, live)).toEqual(expected.split('; '));
});

it.each<Case>([
  [
    'is protected after the steps on its contents and the removal of its computes, whatever else happens beside it',
    'branches/main: { protected: true }, branches/main/roles/r: {}, a: { id: ep-a, state: absent }, b: { branch_id: br-main, type: read_only }, branches/old: { state: absent }, branches/old/roles/r: { state: absent }, c: { id: ep-c, branch_id: br-x }',
    'ep-a: { branch_id: br-main, type: read_write }, br-old: { parent_id: br-main }, br-x: {}, ep-c: { branch_id: br-main, type: read_only }',
    'create:b; create:main/roles/r; delete:a; delete:old; move:c; update:main < create:main/roles/r delete:a',
  ],
  [
    'becomes the default after all steps on what it holds and on what refers to it',
    'branches/dev: { default: true, protected: true }, branches/dev/roles/r: {}, a: { branch_id: =dev, type: read_write }, branches/kid: { parent_id: =dev }, branches/apart: { parent_id: br-main }',
    '',
    'create:a < create:dev; create:apart; create:dev; create:dev/roles/r < create:dev; create:kid < create:dev create:dev/roles/r protect:dev; default:dev < create:a create:dev/roles/r create:kid protect:dev; protect:dev < create:dev create:dev/roles/r',
  ],
  [
    'that is there already becomes the default after them, too',
    'branches/dev: { default: true }, branches/dev/roles/r: {}, a: { branch_id: br-dev, type: read_write }, b: { id: ep-b, state: absent }, c: { id: ep-c, branch_id: br-main }, branches/kid: { parent_id: br-dev }',
    'br-dev: {}, ep-b: { branch_id: br-dev, type: read_only }, ep-c: { branch_id: br-dev, type: read_only }',
    'create:a; create:dev/roles/r; create:kid < create:dev/roles/r; delete:b; move:c; update:dev < create:a create:dev/roles/r create:kid delete:b move:c',
  ],
])('a branch %s', (_name, declared, live, expected) => {
  expect(waits(declared, live)).toEqual(expected.split('; '));
});

it.each<Case>([
  [
    'that matched nothing is given to a new resource only after the creation that names it',
    'branches/main/databases/new: { was: old, owner: o }, branches/main/databases/old: { owner: o }',
    'br-main/roles/o: {}',
    'create:main/databases/new; create:main/databases/old < create:main/databases/new',
  ],
  [
    'is given to a renamed resource only after it, too',
    'branches/main/databases/a: { was: old, owner: o }, branches/main/databases/old: { was: x, owner: o }',
    'br-main/roles/o: {}, br-main/databases/x: { owner: o }',
    'create:main/databases/a; update:main/databases/old < create:main/databases/a',
  ],
  [
    'means nothing on another branch',
    'branches/main/databases/new: { was: old, owner: o }, branches/dev: {}, branches/dev/databases/old: { owner: o }',
    'br-main/roles/o: {}, br-dev: {}, br-dev/roles/o: {}',
    'create:dev/databases/old; create:main/databases/new',
  ],
  [
    'is given first where the creation that names it needs its new holder',
    'branches/a: { was: old, parent_id: =old }, branches/old: { parent_id: br-main }',
    '',
    'create:a < create:old; create:old',
  ],
  [
    'that a new copy inherits is given there only after the inherited resource is renamed',
    'branches/dev: { parent_id: =main }, branches/dev/databases/b: { was: a, owner: o }, branches/dev/databases/a: { owner: o }',
    'br-main/roles/o: {}, br-main/databases/a: { owner: o }',
    'create:dev; create:dev/databases/a < create:dev update:dev/databases/b; update:dev/databases/b < create:dev',
  ],
])('a former name %s', (_name, declared, live, expected) => {
  expect(waits(declared, live)).toEqual(expected.split('; '));
});

it('changes that depend on each other in a cycle are refused, with the way of the cycle', () => {
  const { steps, diagnostics } = planOfKinds('branches/b: { parent_id: =a }, branches/a: { parent_id: =b }');
  expect(steps).toEqual([]);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toMatchObject([
    {
      code: 'reference_ring',
      address: 'shop/branches/a',
      message:
        'these changes depend on each other in a cycle, so none of them can run first: shop/branches/a → shop/branches/b → shop/branches/a',
      hint: 'Remove one of the references or former names (renamed_from), apply, then write the reference again.',
    },
  ]);
});
