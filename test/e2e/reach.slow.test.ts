// Links, devices and pipes in the working folder: the built program reads nothing elsewhere, shows no byte of it, and writes through nothing.
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cleanUp, newFolder, run, type Ended } from './support/program.ts';

afterAll(cleanUp);

const CANARY = 'canary-of-elsewhere';
const WISH = 'version: 1\n';

interface Desk {
  /** The working folder, in a folder of its own. */
  readonly cwd: string;
  /** A folder beside it with files of somebody else. */
  readonly elsewhere: string;
  go(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
}

function put(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function desk(): Desk {
  const around = newFolder('reach');
  const [cwd, elsewhere] = [join(around, 'work'), join(around, 'elsewhere')];
  put(cwd, 'trueup.yaml', WISH);
  put(elsewhere, 'secret.yaml', `${CANARY}: [\n`);
  put(elsewhere, 'good.yaml', WISH);
  put(elsewhere, 'vars.json', `{"name": "${CANARY}"}`);
  return { cwd, elsewhere, go: async (args, env = {}) => run(args, { cwd, env: { SECRET_OF_ENV: CANARY, ...env } }) };
}

type Prepare = (desk: Desk) => void;

describe('nothing elsewhere is read', () => {
  const rows: readonly (readonly [string, Prepare, readonly string[]])[] = [
    ['a link elsewhere', ({ cwd }) => symlinkSync('../elsewhere/secret.yaml', join(cwd, 'a.yaml')), ['-f', 'a.yaml']],
    ['the same, in a folder', ({ cwd }) => symlinkSync('../elsewhere/secret.yaml', join(cwd, 'a.yaml')), ['-f', '.']],
    [
      'a chain of links',
      ({ cwd }) => {
        symlinkSync('b.yaml', join(cwd, 'a.yaml'));
        symlinkSync('../elsewhere/secret.yaml', join(cwd, 'b.yaml'));
      },
      ['-f', 'a.yaml'],
    ],
    ['a folder that is a link', ({ cwd }) => symlinkSync('../elsewhere', join(cwd, 'teams')), ['-f', 'teams']],
    ['a file behind a link', ({ cwd }) => symlinkSync('../elsewhere', join(cwd, 'teams')), ['-f', 'teams/secret.yaml']],
    ['a linked folder in a folder', ({ cwd }) => symlinkSync('../elsewhere', join(cwd, 'teams')), ['-f', '.']],
    ['the folder of the process', ({ cwd }) => symlinkSync('/proc/self', join(cwd, 'teams')), ['-f', 'teams/environ']],
    ['a device in a folder', ({ cwd }) => symlinkSync('/dev/zero', join(cwd, 'a.yaml')), ['-f', '.']],
    ['what the system tells, by its own path', () => undefined, ['-f', '/proc/self/environ']],
    ['a device by its own path', () => undefined, ['-f', '/dev/zero']],
    ['pipes in a folder', ({ cwd }) => void execFileSync('/usr/bin/env', ['mkfifo', join(cwd, 'a.yaml')]), ['-f', '.']],
    [
      'a link beyond the working folder that leads further',
      ({ elsewhere }) => symlinkSync('/etc/passwd', join(elsewhere, 'l.yaml')),
      ['-f', '../elsewhere/l.yaml'],
    ],
    ['a folder beyond that is a link', ({ cwd }) => symlinkSync('/etc', join(cwd, '../far')), ['-f', '../far/passwd']],
  ];
  it.each(rows)('%s', async (_what, prepare, args) => {
    const here = desk();
    prepare(here);
    const { code, out, err } = await here.go(['validate', '--format', 'json', ...args]);
    expect(code).toBe(1);
    expect(out + err).not.toMatch(/canary-of-elsewhere|root:/);
    expect(out).toMatch(/"code": "(?:outside_folder|not_a_file)"/);
  });

  it.each(['show', 'apply'])('the plan of %s', async (command) => {
    const here = desk();
    for (const target of ['/proc/self/environ', '../elsewhere/vars.json', '/dev/zero']) {
      const name = `p${target.length}.json`;
      symlinkSync(target, join(here.cwd, name));
      const { code, out, err } = await here.go([command, name, ...(command === 'apply' ? ['--local'] : [])]);
      expect([code, out]).toEqual([1, '']);
      expect(err).toMatch(/it leads out of its folder|it is not a regular file/);
      expect(err).not.toContain(CANARY);
    }
  });
});

describe('what is read', () => {
  const rows: readonly (readonly [string, Prepare, readonly string[]])[] = [
    ['a link in the working folder', ({ cwd }) => symlinkSync('trueup.yaml', join(cwd, 'a.yaml')), ['-f', 'a.yaml']],
    ['a file that is named by a path that leaves it', () => undefined, ['-f', '../elsewhere/good.yaml']],
    [
      'a file by its whole path, from a link beside it',
      ({ elsewhere }) => symlinkSync('good.yaml', join(elsewhere, 'l.yaml')),
      ['-f', '{elsewhere}/l.yaml'],
    ],
    [
      'a folder beyond',
      ({ elsewhere }) => {
        put(elsewhere, 'sub/a.yaml', WISH);
        symlinkSync('a.yaml', join(elsewhere, 'sub/b.yaml'));
      },
      ['-f', '{elsewhere}/sub'],
    ],
    ['variables beyond', () => undefined, ['--var-file', '../elsewhere/vars.json']],
    ['a folder with a link to itself', ({ cwd }) => symlinkSync('.', join(cwd, 'again')), ['-f', '.']],
    ['a folder with a link to nothing', ({ cwd }) => symlinkSync('nowhere', join(cwd, 'result')), ['-f', '.']],
  ];
  it.each(rows)('%s', async (_what, prepare, args) => {
    const here = desk();
    prepare(here);
    const { code, err } = await here.go([
      'validate',
      ...args.map((word) => word.replace('{elsewhere}', here.elsewhere)),
    ]);
    expect([code, err]).toEqual([0, '']);
  });

  it('a folder with its subfolders, but no hidden one and no packages', async () => {
    const { cwd, go } = desk();
    const project = (name: string): string => `version: 1\nprojects: { ${name}: {} }\n`;
    for (const path of ['teams/a.yaml', 'teams/b/c.yml', 'teams/b/d/e.yaml'])
      put(cwd, path, project(path.replace(/\W/g, '-')));
    for (const path of ['teams/.git/x.yaml', 'teams/node_modules/p/x.yaml', 'teams/b/.x.yaml'])
      put(cwd, path, 'broken: [');
    put(cwd, 'teams/b/readme.md', 'none');
    const { code, err } = await go(['validate', '-f', 'teams']);
    expect([code, err]).toEqual([0, '']);
    const listed = await go(['plan', '--local', '-f', 'teams', '--format', 'json']);
    expect(listed.out + listed.err).toMatch(/teams-b-d-e-yaml/);
  });
});

describe('nothing is written through', () => {
  it.each<[string, string, Prepare]>([
    ['a link at the name', 'p.json', ({ cwd }) => symlinkSync('../elsewhere/made', join(cwd, 'p.json'))],
    ['a link on the way', 'out/p.json', ({ cwd }) => symlinkSync('../elsewhere', join(cwd, 'out'))],
  ])('%s', async (_what, path, prepare) => {
    for (const args of [
      ['--out', path],
      ['--write', `json=${path}`],
      ['--log-file', path],
    ]) {
      const here = desk();
      prepare(here);
      const { code, err } = await here.go(['plan', '--local', ...args]);
      expect([code, err]).toEqual([1, expect.stringMatching(/cannot write/) as string]);
      expect(readdirSync(here.elsewhere).sort()).toEqual(['good.yaml', 'secret.yaml', 'vars.json']);
    }
  });

  it('names of temporary files that can be told beforehand', async () => {
    const here = desk();
    // The process that is started next gets one of these numbers.
    for (let pid = process.pid; pid < process.pid + 3000; pid++)
      symlinkSync('../elsewhere/made', join(here.cwd, `.p.json.${pid}.tmp`));
    const { code } = await here.go(['plan', '--local', '--out', 'p.json']);
    expect([code, lstatSync(join(here.cwd, 'p.json')).isFile()]).toEqual([0, true]);
    expect(existsSync(join(here.elsewhere, 'made'))).toBe(false);
  });

  it('folders of imports and of the local store', async () => {
    const here = desk();
    symlinkSync('../elsewhere', join(here.cwd, 'out'));
    for (const args of [
      ['plan', '--local=out/store'],
      ['serve', '--port', '0', '--data', 'out/store'],
    ]) {
      const { code, err } = await here.go(args);
      expect([code, err]).toEqual([1, expect.stringContaining('leads out of the working folder') as string]);
    }
    expect(readdirSync(here.elsewhere)).toHaveLength(3);
    expect(readFileSync(join(here.elsewhere, 'good.yaml'), 'utf8')).toBe(WISH);
  });
});
