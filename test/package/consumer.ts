// Sets up the folder of a user: the packed tarball of trueup, installed with exactly the dependencies that our lock file names.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** What `npm pack --json` says about the tarball, as far as it is of use here. */
export interface Tarball {
  readonly filename: string;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly mode: number }[];
}

interface Finished {
  readonly code: number;
  readonly output: string;
}

/** The folder of a user with trueup installed, and what the tarball holds. */
export interface Consumer {
  readonly folder: string;
  readonly tarball: Tarball;
}

/** Packs the project at `root` (built first when it is not) and installs the tarball into an empty folder. */
export async function installPacked(root: string): Promise<Consumer> {
  if (!existsSync(join(root, 'dist', 'index.js'))) await must(run('npm', ['run', '--silent', 'build'], root));
  const folder = mkdtempSync(join(tmpdir(), 'trueup-consumer-'));
  const packed = await must(run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], root));
  const [tarball] = JSON.parse(packed.slice(packed.indexOf('['))) as Tarball[];
  if (tarball === undefined) throw new Error(`npm pack made no tarball: ${packed}`);
  writeLock(root, folder, tarball.filename);
  await must(run('npm', ['ci', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'], folder));
  return { folder, tarball };
}

/** Runs a program in `cwd` as a user would: without what npm tells the scripts of this project. */
export async function run(program: string, args: readonly string[], cwd: string): Promise<Finished> {
  const ofTests = /^(npm_|NODE_OPTIONS$|VITEST|NODE_ENV$)/i;
  const inherited = Object.entries(process.env).filter(([name]) => !ofTests.test(name));
  try {
    const { stdout, stderr } = await execute(program, [...args], { cwd, env: Object.fromEntries(inherited) });
    // What npm and npx themselves say on stderr depends on the machine's settings.
    return { code: 0, output: program.startsWith('np') ? stdout : stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: stdout + stderr };
  }
}

async function must(finished: Promise<Finished>): Promise<string> {
  const { code, output } = await finished;
  if (code !== 0) throw new Error(output);
  return output;
}

/** A lock file that takes the tarball from the folder and the rest from our own lock, so that an npm cache is all it needs. */
function writeLock(root: string, folder: string, filename: string): void {
  const manifest = readJson(join(root, 'package.json'));
  const lock = readJson(join(root, 'package-lock.json')) as { packages: Record<string, { dev?: boolean }> };
  const shipped = Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && dev !== true);
  const bytes = readFileSync(join(folder, filename));
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  const { version, dependencies, bin, engines } = manifest;
  const resolved = `file:${filename}`;
  const named = { name: 'user', version: '1.0.0' };
  const user = { ...named, private: true, type: 'module', dependencies: { trueup: resolved } };
  const packages = {
    '': user,
    'node_modules/trueup': { version, resolved, integrity, dependencies, bin, engines },
    ...Object.fromEntries(shipped),
  };
  const locked = { ...named, lockfileVersion: 3, requires: true, packages };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(user));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(locked));
}

function readJson(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
}
