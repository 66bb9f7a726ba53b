// Keeps secrets out of commits: a file inside a git work tree must be one that git ignores.
import { basename, dirname, join, relative, sep } from 'node:path';
import { readWhole, systemCode } from '../file-system.ts';
import type { FileSystem } from '../file-system.ts';
import type { RunProgram } from './run-program.ts';

const GIT_TIMEOUT_MS = 10_000;

export interface GitGuardInput {
  readonly fileSystem: FileSystem;
  readonly run: RunProgram;
  readonly env: Readonly<Record<string, string>>;
  /** The file that is to hold a secret, absolute; it and its folders may not exist yet. */
  readonly path: string;
  /** `quick`: a `.gitignore` that covers everything is proof enough, git is asked only without one. */
  readonly effort: 'quick' | 'full';
}

/**
 * Why a secret must not be written to `path`, in words; null when git would never commit it, nor the temporary file beside
 * it that a crash may leave.
 */
export async function commitDanger(input: GitGuardInput): Promise<string | null> {
  const own = await dangerOf(input);
  if (own !== null) return own;
  const beside = join(dirname(input.path), `.${basename(input.path)}.trueup-run-1.tmp`);
  const danger = await dangerOf({ ...input, path: beside });
  return danger === null
    ? null
    : 'it is ignored by git, but a temporary file beside it would not be; ignore its whole folder';
}

async function dangerOf(input: GitGuardInput): Promise<string | null> {
  const folder = await deepestFolder(input.fileSystem, dirname(input.path));
  const target = join(folder.real, relative(folder.given, input.path));
  const root = await workTreeOf(input.fileSystem, folder.real);
  if (root === null) return null;
  const covered = (): Promise<boolean> => coveredByIgnoreAll(input.fileSystem, dirname(target), root);
  if (input.effort === 'quick' && (await covered())) return null;
  const answer = await input.run({
    program: 'git',
    args: ['check-ignore', '-q', '--', `.${sep}${relative(folder.real, target)}`],
    stdin: null,
    env: Object.fromEntries(Object.entries(input.env).filter(([name]) => !name.startsWith('GIT_'))),
    folder: folder.real,
    timeoutMs: GIT_TIMEOUT_MS,
  });
  if (answer.end === 'exited' && answer.code === 0) return null;
  if (answer.end === 'exited' && answer.code === 1)
    return 'it lies in a git work tree and is not ignored: the secret could be committed; add it to .gitignore';
  if (await covered()) return null;
  return 'it lies in a git work tree and git could not say whether it is ignored; choose a folder outside of it';
}

async function deepestFolder(fileSystem: FileSystem, path: string): Promise<{ given: string; real: string }> {
  for (let given = path; ; given = dirname(given)) {
    try {
      return { given, real: await fileSystem.realPath(given) };
    } catch (error) {
      if (systemCode(error) !== 'ENOENT' || dirname(given) === given) throw error;
    }
  }
}

async function workTreeOf(fileSystem: FileSystem, folder: string): Promise<string | null> {
  for (let at = folder; ; at = dirname(at)) {
    if ((await fileSystem.facts(join(at, '.git'))) !== null) return at;
    if (dirname(at) === at) return null;
  }
}

/** True when a folder from `folder` up to `root` has a `.gitignore` of nothing but `*` (and comments). */
async function coveredByIgnoreAll(fileSystem: FileSystem, folder: string, root: string): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, '.gitignore');
    if ((await fileSystem.facts(path))?.type === 'file') {
      const text = new TextDecoder().decode(await readWhole(fileSystem, path, 1024 * 1024));
      const lines = text.split('\n').map((line) => line.trim());
      const rules = lines.filter((line) => line !== '' && !line.startsWith('#'));
      if (rules.length > 0 && rules.every((rule) => rule === '*')) return true;
    }
    if (at === root || dirname(at) === at) return false;
  }
}
