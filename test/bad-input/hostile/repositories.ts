// What a repository may hold that somebody else made: pipes, links, devices and bombs in every place that the program opens or writes.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { atFullSize, isFullSize } from '../../support/full-size.ts';

/** Stands in a file beside the repository, and in the environment: no output may hold it. */
export const CANARY = 'canary-of-elsewhere';

/** Something laid at a path of the repository. */
type Trap = (root: string, path: string) => void;

const at = (root: string, path: string): string => {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { recursive: true, force: true });
  return file;
};

const TRAPS = {
  pipe: (root, path) => void execFileSync('/usr/bin/env', ['mkfifo', at(root, path)]),
  device: (root, path) => symlinkSync('/dev/zero', at(root, path)),
  environment: (root, path) => symlinkSync('/proc/self/environ', at(root, path)),
  elsewhere: (root, path) => symlinkSync(join(root, '../elsewhere/secret'), at(root, path)),
  'new file elsewhere': (root, path) => symlinkSync(join(root, '../elsewhere/made'), at(root, path)),
  'link to itself': (root, path) => symlinkSync(path.split('/').at(-1) ?? '', at(root, path)),
  folder: (root, path) => mkdirSync(at(root, path)),
  'four gigabytes': (root, path) => {
    const file = at(root, path);
    writeFileSync(file, '');
    truncateSync(file, 2 ** 32);
  },
} as const satisfies Readonly<Record<string, Trap>>;

interface Repository {
  readonly name: string;
  readonly prepare: (root: string) => void;
  readonly args: readonly string[];
  /** Exit codes that are right; 1 without this. */
  readonly codes?: readonly number[];
}

const PLAN = ['plan', '--local'];
const APPLY = ['apply', '--local', '--auto-approve'];
const HOLD = ['hold', 'shop/primary', '--path', 'disabled', '--until', '2099-01-01', '--reason', 'x'];

/** Where something is opened or written, by which command, and what may come of it; `harmless` is no trap there. */
const PLACES: readonly (readonly [
  path: string,
  args: readonly string[],
  codes?: readonly number[],
  harmless?: keyof typeof TRAPS,
])[] = [
  ['trueup.yaml', PLAN],
  ['trueup.yaml', ['pin', '--local']],
  ['trueup.yaml', HOLD],
  ['trueup.yaml', ['init']],
  ['more.yaml', [...PLAN, '-f', 'trueup.yaml', '--overlay', 'more.yaml']],
  ['vars.json', [...PLAN, '--var-file', 'vars.json']],
  ['limits.yaml', [...PLAN, '--safety', 'limits.yaml']],
  ['plan.json', ['apply', 'plan.json', '--local']],
  ['names.tfstate', ['import', '--local', '--from-terraform', 'names.tfstate']],
  ['out.json', [...PLAN, '--out', 'out.json'], [0, 1]],
  ['out.json', [...PLAN, '--write', 'json=out.json'], [0, 1]],
  ['ids.yaml', ['pin', '--local', '--to', 'ids.yaml']],
  ['run.log', [...PLAN, '--log-file', 'run.log'], [1], 'four gigabytes'],
  // Nothing of what an earlier release kept in the tree is read.
  ['.trueup', APPLY, [0, 5]],
  ['.trueup/journal', APPLY, [0, 5]],
  ['.trueup/secrets/ci.json', APPLY, [0, 5]],
  ['.trueup/local', PLAN, [0]],
  ['world.yaml', ['serve', '--port', '0', '--ephemeral', '--seed', 'world.yaml']],
  ['.git', PLAN, [0, 1]],
  ['.git/index', PLAN, [0, 1]],
];

function git(root: string): void {
  execFileSync('git', ['init', '-q'], { cwd: root, env: { PATH: process.env['PATH'] ?? '', HOME: root } });
}

/** Each place gets one trap, and each trap lies in two places or more; at full size each place gets all. */
const trapped: readonly Repository[] = PLACES.flatMap(([path, args, codes, harmless], number) =>
  Object.entries(TRAPS)
    .filter((_, trap) => isFullSize || trap === number % 8)
    .map(([trap, lay]) => ({
      name: `a ${trap} as ${path}, by ${args.slice(0, 2).join(' ')}${args.length > 3 ? ` … ${args.at(-2)}` : ''}`,
      prepare: (root: string): void => {
        if (path === '.git/index') git(root);
        lay(root, path);
      },
      args,
      ...(codes === undefined ? {} : { codes: trap === harmless ? [0] : codes }),
    })),
);

export const REPOSITORIES: readonly Repository[] = [
  ...trapped,
  {
    name: 'folders that lead to each other in more ways than can be walked',
    prepare: (root) => {
      for (let depth = 0; depth < 40; depth++) {
        mkdirSync(join(root, `teams/d${depth}`), { recursive: true });
        for (const name of ['a', 'b', 'c'])
          symlinkSync(`../d${(depth + 1) % 40}`, join(root, `teams/d${depth}/${name}`));
      }
    },
    args: ['validate', '-f', 'teams'],
  },
  {
    name: 'a folder below a folder, again and again',
    prepare: (root) => {
      const deep = join(root, 'teams', 'd/'.repeat(atFullSize(600, 150)));
      mkdirSync(deep, { recursive: true });
      writeFileSync(join(deep, 'a.yaml'), 'version: 1\n');
    },
    args: ['validate', '-f', 'teams'],
    codes: [0, 1],
  },
  {
    name: 'files whose names are commands',
    prepare: (root) => {
      mkdirSync(join(root, 'teams'));
      for (const name of [
        'a\n::error::forged.yaml',
        'b\u001b[31mred.yaml',
        '-f.yaml',
        '$(touch told).yaml',
        '`touch told`.yaml',
      ])
        writeFileSync(join(root, 'teams', name), 'version: [\n');
    },
    args: ['validate', '-f', 'teams'],
  },
];
