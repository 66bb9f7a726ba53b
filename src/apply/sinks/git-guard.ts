// Keeps secrets out of commits: a file inside a git work tree must be one that git ignores.
import { basename, delimiter, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { readWhole, type FileSystem } from '../folder/file-system.ts';
import { deepestFolder, workTreeOf } from '../folder/git-folder.ts';
import type { ProgramEnd, RunProgram } from './run-program.ts';

const GIT_TIMEOUT_MS = 10_000;

export interface GitGuardInput {
  readonly fileSystem: FileSystem;
  readonly run: RunProgram;
  readonly env: Readonly<Record<string, string>>;
  /** The file that is to hold a secret, absolute; it and its folders may not exist yet. */
  readonly path: string;
  /** The folder that the user works in, absolute. */
  readonly workDir: string;
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
  const answer = await checkIgnore(input, root, target);
  if (answer.end === 'exited' && answer.code === 0) return null;
  if (answer.end === 'exited' && answer.code === 1)
    return 'it lies in a git work tree and is not ignored: the secret could be committed; add it to .gitignore';
  if (await covered()) return null;
  return 'it lies in a git work tree and git could not say whether it is ignored; choose a folder outside of it';
}

/** Whatever a tree or its settings may say, nothing is run or fetched but git itself. */
const HARMLESS = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'safe.bareRepository=explicit',
  'protocol.allow=never',
].flatMap((setting) => ['-c', setting]);

/** Git's own word on `target`, a path in the work tree `root`. */
async function checkIgnore(input: GitGuardInput, root: string, target: string): Promise<ProgramEnd> {
  const { folders, program } = await findGit(input, root);
  if (program === null) return { end: 'not_started', code: null, stderr: '', problem: 'ENOENT' };
  const tree = [`--git-dir=${join(root, '.git')}`, `--work-tree=${root}`];
  const kept = Object.entries(input.env).filter(([name]) => !/^(?:GIT_|PATH$)/i.test(name));
  return input.run({
    program,
    args: [...tree, ...HARMLESS, '--no-pager', 'check-ignore', '-q', '--', pathIn(root, target)],
    stdin: null,
    env: {
      ...Object.fromEntries(kept),
      PATH: folders.join(delimiter),
      // Whatever a repository's own settings allow: nothing is fetched, by any protocol.
      GIT_ALLOW_PROTOCOL: '',
      GIT_NO_LAZY_FETCH: '1',
      GIT_TERMINAL_PROMPT: '0',
    },
    folder: root,
    timeoutMs: GIT_TIMEOUT_MS,
  });
}

function pathIn(root: string, target: string): string {
  return `.${sep}${relative(root, target)}`;
}

/** Where PATH is not set. */
const USUAL_FOLDERS = ['/usr/bin', '/bin'].join(delimiter);

/** Git, in an absolute folder of PATH outside of the work tree and the working folder, whose content came with somebody's commit. */
async function findGit(
  { fileSystem, env, workDir }: GitGuardInput,
  root: string,
): Promise<{ readonly folders: readonly string[]; readonly program: string | null }> {
  const kept: string[] = [];
  let program: string | null = null;
  const isForeign = (path: string): boolean => !isBelow(root, path) && !isBelow(workDir, path);
  for (const folder of (env['PATH'] ?? USUAL_FOLDERS).split(delimiter)) {
    const real = isAbsolute(folder) ? await realOrNull(fileSystem, folder) : null;
    if (real === null || !isForeign(real)) continue;
    kept.push(real);
    const found = program === null ? await realOrNull(fileSystem, join(real, 'git')) : null;
    if (found === null || !isForeign(found)) continue;
    const facts = await fileSystem.facts(found);
    if (facts?.type === 'file' && (facts.mode & 0o111) !== 0) program = join(real, 'git');
  }
  return { folders: kept, program };
}

async function realOrNull(fileSystem: FileSystem, path: string): Promise<string | null> {
  return fileSystem.realPath(path).catch(() => null);
}

function isBelow(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
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
