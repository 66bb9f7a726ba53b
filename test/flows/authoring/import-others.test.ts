// `trueup import` where the files say of one project what cannot be judged: the others are imported, and it is told.
import { describe, expect, it } from 'vitest';
import type { World } from '../../../src/control-plane/index.ts';
import { deskBefore } from './desk.ts';

const world: World = {
  version: 1,
  projects: [
    ...['shop', 'lab', 'blog'].map((name) => ({ id: `${name}-000001`, name })),
    ...['one', 'two'].map((name) => ({ id: `${name}-000001`, name: 'twin' })),
  ].map(({ id, name }) => ({
    id,
    name,
    branches: [{ id: `br-${id}`, name: 'main', default: true }],
    computes: [{ id: `ep-${id}`, branch: 'main' }],
  })),
};

const HELD = 'shop: { computes: { a: { id: ep-shop-000001 }, b: { branch: br-shop-000001 } } }';
const CASES: Readonly<Record<string, readonly [file: string, code: string, left: readonly string[]]>> = {
  'a conflict about a place': [HELD, 'place_held', ['shop']],
  'a name that nobody has': ['gone: { computes: { a: { branch: br-1 } } }', 'unknown_project', []],
  'a name that two have': ['twin: { computes: { a: { branch: br-1 } } }', 'ambiguous_project', ['one', 'two']],
  'two labels of one project': [
    'blog: { computes: { a: { branch: br-blog-000001 } } }, b: { id: blog-000001, computes: { a: { branch: br-1 } } }',
    'duplicate_project',
    ['blog'],
  ],
};

const idsIn = (text: string): string[] => [...text.matchAll(/id: ep-([a-z]+)-000001/g)].map(([, name = '']) => name);

describe('what cannot be judged of one project leaves the others to be imported', () => {
  it.each(Object.entries(CASES))('%s', async (_, [file, code, left]) => {
    const { run, write } = deskBefore(JSON.stringify(world));
    write('trueup.yaml', `version: 1\nprojects: { ${file} }\n`);
    const { code: exit, out, err } = await run(['import', '--local']);
    expect(exit, err).toBe(3);
    expect(err).toContain(`error ${code}`);
    expect(err).toMatch(/error unplanned: nothing of \S+ is imported/);
    const others = ['blog', 'lab', 'one', 'shop', 'two'].filter((name) => !left.includes(name));
    expect(idsIn(out).sort()).toEqual(others);
    // The imported part is of use: with it, too, only that project is left out.
    write('more.yaml', out);
    const plan = await run(['plan', '--local', '-f', 'trueup.yaml', '-f', 'more.yaml', '--format', 'json']);
    expect(plan.code).toBe(3);
    expect(JSON.parse(plan.out)).toMatchObject({ trueup: { steps: [] } });
  });

  it('imports nothing where that one alone was asked for', async () => {
    const { run, write } = deskBefore(JSON.stringify(world));
    write('trueup.yaml', `version: 1\nprojects: { ${HELD} }\n`);
    expect(await run(['import', '--local', '--project', 'shop'])).toMatchObject({ code: 1, out: '' });
    const other = await run(['import', '--local', '--project', 'lab']);
    expect([other.code, idsIn(other.out)]).toEqual([0, ['lab']]);
    expect(other.err).not.toContain('place_held');
  });

  it('nothing else is unlisted: it does not say that the files list everything', async () => {
    const { run, write } = deskBefore(JSON.stringify({ ...world, projects: (world.projects ?? []).slice(0, 2) }));
    write('trueup.yaml', `version: 1\nprojects: { ${HELD}, lab: { computes: { a: { branch: br-lab-000001 } } } }\n`);
    const { code, err } = await run(['import', '--local', '--exclude', 'api_keys/*']);
    expect(code).toBe(3);
    expect(err).toContain('Nothing to import: the files list all live resources, except what is named above.');
  });
});

it('names are imported at whatever length the service has them', async () => {
  const name = 'release/'.padEnd(200, 'x');
  const [shop] = world.projects ?? [];
  const branches = [...(shop?.branches ?? []), { id: 'br-long-000001', name }];
  const { run, write } = deskBefore(JSON.stringify({ version: 1, projects: [{ ...shop, branches }] }));
  const { code, out, err } = await run(['import', '--local', '--include', 'branches']);
  expect([code, err]).toEqual([0, expect.not.stringContaining('left out')]);
  expect(out).toContain(name);
  write('trueup.yaml', out);
  expect(await run(['plan', '--local', '--detailed-exitcode'])).toMatchObject({ code: 0 });
});
