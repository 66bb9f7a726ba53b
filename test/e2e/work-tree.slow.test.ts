// The built program in work trees that somebody else wrote: no secret is kept there, no program is run and nothing is believed.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { stateOf } from '../support/state.ts';
import { cleanUp, newFolder, run, type Ended } from './support/program.ts';

afterAll(cleanUp);

const WISH = 'version: 1\napi_keys: { ci: { secret: { file: ci.json } } }\n';
const BY_PROGRAM = WISH.replace('file: ci.json', 'exec: vault');
const APPLY = ['apply', '--local', '--auto-approve'];

interface Place {
  readonly home: string;
  /** A work tree: it holds `.git`. */
  readonly root: string;
  /** What is made when a program of the tree has run. */
  readonly told: string;
  plant(path: string, text: string, mode?: number): string;
  go(args: readonly string[], env?: Readonly<Record<string, string>>, cwd?: string): Promise<Ended>;
}

function place(wish: string = WISH): Place {
  const around = newFolder('around');
  const [home, root, told] = [join(around, 'home'), join(around, 'home/work'), join(around, 'told')];
  mkdirSync(join(root, '.git'), { recursive: true });
  const plant = (path: string, text: string, mode = 0o644): string => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    chmodSync(file, mode);
    return file;
  };
  plant('trueup.yaml', wish);
  plant('bin/vault', `#!/bin/sh\ntouch '${told}'\nexit 3\n`, 0o755);
  return {
    home,
    root,
    told,
    plant,
    go: async (args, env = {}, cwd = root) => run(args, { cwd, env: { HOME: home, ...env } }),
  };
}

describe.concurrent('what is kept', () => {
  it('lies below HOME, in a folder of the working folder, closed to others; nothing is left in the tree', async () => {
    const { home, root, go } = place();
    const before = readdirSync(root);
    const { code, err } = await go(APPLY);
    expect(code, err).toBe(0);
    const folder = stateOf(root, home);
    expect(folder).toMatch(/\/\.local\/state\/trueup\/work-[0-9a-f]{12}$/);
    expect(readdirSync(folder).sort()).toEqual(['journal', 'local', 'lock.1', 'secrets']);
    expect(readdirSync(root)).toEqual(before);
    expect([folder, join(folder, 'secrets')].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700]);
    expect(err).toContain(`(${folder}/secrets/ci.json)`);
  });

  it.each([
    ['TRUEUP_STATE_DIR before the others', ['TRUEUP_STATE_DIR', 'XDG_STATE_HOME'], 'own'],
    ['XDG_STATE_HOME before HOME', ['XDG_STATE_HOME'], 'xdg/trueup'],
  ])('lies below %s', async (_, names, expected) => {
    const { go } = place();
    const top = newFolder('top');
    const all = { TRUEUP_STATE_DIR: join(top, 'own'), XDG_STATE_HOME: join(top, 'xdg') };
    const env = Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
    expect((await go(APPLY, env)).code).toBe(0);
    expect(readdirSync(join(top, expected))).toEqual([expect.stringMatching(/^work-[0-9a-f]{12}$/)]);
  });

  it('is of a folder, not of a name: two folders of one name, and a link to one', async () => {
    const { home, root, go } = place();
    const other = join(mkdtempSync(join(home, 'other-')), 'work');
    mkdirSync(other);
    symlinkSync(root, join(home, 'link'));
    for (const cwd of [root, other, join(home, 'link')]) expect((await go(['ping', '--local'], {}, cwd)).code).toBe(0);
    expect(readdirSync(join(home, '.local/state/trueup'))).toHaveLength(2);
  });

  it.each([
    ['none', ''],
    ['a relative one', 'here'],
    ['one that is not there', '/nobody/has/this'],
  ])(
    'without a usable HOME (%s): --local and serve end, the rest goes on without journal, and no secret is made',
    async (_, home) => {
      const { go } = place();
      const env = { HOME: home };
      for (const args of [
        ['plan', '--local'],
        ['serve', '--port', '0'],
      ]) {
        const { code, err } = await go(args, env);
        expect([code, err]).toEqual([1, expect.stringContaining('HOME names no folder that exists') as string]);
      }
      const store = newFolder('store');
      const { code, out, err } = await go([...APPLY.slice(0, 1), `--local=${store}/a`, '--auto-approve'], env);
      expect(code, err).toBe(5);
      expect((out + err).replaceAll(/\s+/g, ' ')).toContain('there is no secrets folder');
      writeFileSync(join(store, 'plain.yaml'), 'version: 1\napi_keys: { old: { state: absent } }\n');
      const plain = await go(['apply', '-f', `${store}/plain.yaml`, `--local=${store}/a`, '--auto-approve'], env);
      expect(plain.code, plain.err).toBe(0);
      expect(existsSync('/nobody')).toBe(false);
    },
  );
});

describe.concurrent('a left-over .trueup', () => {
  it.each(['plan', 'apply --auto-approve'])('is not read by %s, which says how to keep it', async (line) => {
    const { home, root, plant, go } = place('version: 1\n');
    plant('.trueup/journal', 'a journal that came with a commit\n');
    plant('.trueup/local/root-key', 'x');
    const { code, err } = await go([...line.split(' '), '--local']);
    expect(code, err).toBe(0);
    expect(err).toContain('old_state_folder');
    const folder = stateOf(root, home);
    expect(err).toContain(`\n  mv ${root}/.trueup/journal ${folder}/journal\n`);
    expect(err).toContain(`\n  mv ${root}/.trueup/local ${folder}/local\n`);
    expect(readdirSync(join(root, '.trueup')).sort()).toEqual(['journal', 'local']);
  });
});

describe.concurrent('a secrets folder', () => {
  const refused = { code: 1, err: expect.stringContaining('error secrets_in_work_tree:') as string };

  it.each([
    ['in the tree', (): string[] => ['--secrets-dir', 'keys'], {}],
    ['of the environment in the tree', (): string[] => [], { TRUEUP_SECRETS_DIR: 'deep/keys' }],
    ['that leads into a tree', ({ root }: Place): string[] => ['--secrets-dir', join(dirname(root), 'into/keys')], {}],
  ])('%s is refused before anything is made', async (_, words, env) => {
    const at = place();
    symlinkSync(at.root, join(at.home, 'into'));
    expect(await at.go([...APPLY, ...words(at)], env)).toMatchObject(refused);
    expect(existsSync(join(at.root, 'keys'))).toBe(false);
    const { out } = await at.go(['plan', '--local', '--format', 'json', ...words(at)], env);
    expect(out).toContain('"secrets_in_work_tree"');
  });

  it('in the work tree of an input is refused, too; in another one it is not', async () => {
    const at = place();
    const cwd = newFolder('elsewhere');
    mkdirSync(join(cwd, 'other/.git'), { recursive: true });
    const args = [...APPLY, '-f', join(at.root, 'trueup.yaml'), '--secrets-dir'];
    expect(await at.go([...args, join(at.root, 'keys')], {}, cwd)).toMatchObject(refused);
    expect(await at.go([...args, 'other/keys'], {}, cwd)).toMatchObject({ code: 0 });
  });

  it('that is the usual one, where HOME is the work tree, takes no secret', async () => {
    const { home, go } = place();
    mkdirSync(join(home, '.git'));
    const cwd = join(home, 'sub');
    mkdirSync(cwd);
    writeFileSync(join(cwd, 'trueup.yaml'), WISH);
    const { code, out, err } = await go(APPLY, {}, cwd);
    expect(code).toBe(5);
    const words = (out + err).replaceAll(/\s+/g, ' ');
    expect(words).toContain('(secrets_in_work_tree)');
    expect(words).toContain('with --secrets-dir or TRUEUP_SECRETS_DIR.');
  });
});

describe.concurrent('a program of the tree is not run', () => {
  it.each([
    ['by a path below the working folder', ['plan', '--local'], (): string => './bin/vault'],
    ['by a path without a dot', ['keys', '--local'], (): string => 'bin/vault'],
    ['by its absolute path', APPLY, ({ root }: Place): string => join(root, 'bin/vault')],
    ['by a link from outside', ['plan', '--local'], ({ home }: Place): string => join(home, 'link')],
    [
      'by a way through a folder outside',
      APPLY,
      ({ root, home }: Place): string => `${home}/../home/${root.slice(home.length + 1)}/bin/vault`,
    ],
  ])('%s', async (_, args, program) => {
    const at = place(BY_PROGRAM);
    symlinkSync(join(at.root, 'bin/vault'), join(at.home, 'link'));
    const { code, err } = await at.go([...args, '--sink', `vault=${program(at)}`]);
    expect([code, err]).toEqual([1, expect.stringContaining('error program_in_work_tree:') as string]);
    expect(existsSync(at.told)).toBe(false);
  });

  it('from a folder below the root of the tree', async () => {
    const at = place(BY_PROGRAM);
    at.plant('env/prod/trueup.yaml', BY_PROGRAM);
    const { code, err } = await at.go(
      ['plan', '--local', '--sink', 'vault=../../bin/vault'],
      {},
      join(at.root, 'env/prod'),
    );
    expect([code, err]).toEqual([1, expect.stringContaining('program_in_work_tree') as string]);
    expect(existsSync(at.told)).toBe(false);
  });

  it('from the work tree of an input', async () => {
    const at = place(BY_PROGRAM);
    const cwd = newFolder('elsewhere');
    const args = ['plan', '--local', '-f', join(at.root, 'trueup.yaml'), '--sink'];
    const { code, err } = await at.go([...args, `vault=${join(at.root, 'bin/vault')}`], {}, cwd);
    expect([code, err]).toEqual([1, expect.stringContaining('program_in_work_tree') as string]);
    const PATH = `${at.root}/bin:${process.env['PATH'] ?? ''}`;
    const { code: none } = await at.go([...args, 'vault=vault'], { PATH }, cwd);
    expect([none, existsSync(at.told)]).toEqual([0, false]);
  });

  it('by its name: relative folders of PATH, and those in the tree, are passed over', async () => {
    const at = place(BY_PROGRAM);
    symlinkSync(join(at.root, 'bin'), join(at.home, 'bin'));
    const PATH = `.::bin:${at.root}/bin:${at.home}/bin:${process.env['PATH'] ?? ''}`;
    const none = await at.go(['plan', '--local', '--sink', 'vault=vault'], { PATH });
    expect(none.code, none.err).toBe(0);
    expect(existsSync(at.told)).toBe(false);
    const outside = newFolder('bin');
    writeFileSync(
      join(outside, 'vault'),
      `#!/usr/bin/env sh\nvault2 2> /dev/null; echo ran >> '${outside}/ran'\nexit 3\n`,
    );
    chmodSync(join(outside, 'vault'), 0o755);
    at.plant('bin/vault2', `#!/bin/sh\ntouch '${at.told}'\n`, 0o755);
    const found = await at.go(['plan', '--local', '--sink', 'vault=vault'], { PATH: `${PATH}:${outside}` });
    expect(found.code, found.err).toBe(0);
    expect(existsSync(join(outside, 'ran'))).toBe(true);
    expect(existsSync(at.told)).toBe(false);
  });
});
