// The settings of a run, by precedence: flags, environment, defaults.
import { join, resolve } from 'node:path';
import { stateFolderFor } from '../../apply/file-system.ts';
import type { LoadInput } from '../../config/load.ts';
import { type SharedFlags, parseShard, type Shard } from './flags.ts';
import type { Io } from '../process/io.ts';
import { UsageError } from '../process/exit-code.ts';

export interface Settings {
  readonly cwd: string;
  readonly files: readonly string[];
  /** True if -f was given, so that positional arguments name further files. */
  readonly hasFileFlag: boolean;
  readonly overlays: readonly string[];
  readonly variables: LoadInput['variables'];
  readonly safetyFiles: readonly string[];
  readonly maxEntries: number | undefined;
  /** The state folder for this working folder; null if none can be used. */
  readonly stateDir: string | null;
  /** The folder of the local server; null for a service on the network. */
  readonly local: string | null;
  readonly baseUrl: string | null;
  readonly orgId: string | null;
  readonly apiKeyFile: string | undefined;
  readonly format: string;
  readonly writes: readonly { readonly format: string; readonly path: string }[];
  readonly target: readonly string[];
  readonly exclude: readonly string[];
  readonly shard: Shard | null;
  readonly sinks: ReadonlyMap<string, string>;
  readonly secretsDir: string | null;
  readonly parallelism: number;
  /** Infinity for no limit. */
  readonly requestsPerMinute: number;
  readonly pollIntervalMs: number;
  readonly stepTimeoutMs: number;
  readonly runTimeoutMs: number | null;
  readonly colour: { readonly stdout: boolean; readonly stderr: boolean };
  readonly verbosity: 'quiet' | 'brief' | 'full';
  readonly logFile: string | null;
  readonly ci: boolean;
  readonly maxChars: number;
}

/** GitHub's maximum size of a comment. */
const COMMENT_CHARS = 65_536;

/** The settings from flags and environment. Throws UsageError for invalid values. */
export function settle(flags: SharedFlags, io: Io): Settings {
  const env = io.env;
  const local = flags.local ?? null;
  const safetyFile = env['TRUEUP_SAFETY_FILE'];
  if (local !== null && flags.baseUrl !== undefined)
    throw new UsageError('--local and --base-url exclude each other', 'Leave one of the two flags out.');
  if (flags.quiet === true && flags.verbose === true)
    throw new UsageError('-q and -v exclude each other', 'Leave one of the two flags out.');
  const stateDir = stateFolderFor(io.cwd, env);
  const secretsDir = flags.secretsDir ?? (env['TRUEUP_SECRETS_DIR'] || null);
  return {
    cwd: io.cwd,
    files: flags.file ?? [env['TRUEUP_FILE'] || 'trueup.yaml'],
    hasFileFlag: flags.file !== undefined,
    overlays: flags.overlay ?? [],
    variables: { flags: pairs(flags.var, '--var', 'NAME=VALUE'), files: flags.varFile ?? [], env: variablesIn(env) },
    safetyFiles: [...(flags.safety ?? []), ...(safetyFile ? [safetyFile] : [])],
    maxEntries: flags.maxEntries,
    stateDir,
    local: local === null ? null : storeFolder(io.cwd, stateDir, local, '--local=DIR'),
    baseUrl: flags.baseUrl ?? (env['TRUEUP_BASE_URL'] || null),
    orgId: flags.orgId ?? (env['TRUEUP_ORG_ID'] || null),
    apiKeyFile: flags.apiKeyFile,
    format: flags.format ?? 'human',
    writes: writesOf(flags.write ?? [], io.cwd),
    target: flags.target ?? [],
    exclude: flags.exclude ?? [],
    shard: flags.shard === undefined ? null : parseShard(flags.shard),
    sinks: pairs(flags.sink, '--sink', 'NAME=PROGRAM'),
    secretsDir: secretsDir === null ? null : resolve(io.cwd, secretsDir),
    parallelism: flags.parallelism ?? 10,
    requestsPerMinute: flags.requestsPerMinute ?? (local === null ? 600 : Number.POSITIVE_INFINITY),
    pollIntervalMs: flags.pollInterval ?? 5000,
    stepTimeoutMs: flags.stepTimeout ?? 600_000,
    runTimeoutMs: flags.timeout ?? null,
    colour: {
      stdout: wantsColour(flags, io, io.stdout.isTerminal),
      stderr: wantsColour(flags, io, io.stderr.isTerminal),
    },
    verbosity: flags.quiet === true ? 'quiet' : flags.verbose === true ? 'full' : 'brief',
    logFile: flags.logFile === undefined ? null : resolve(io.cwd, flags.logFile),
    ci: isOn(env['CI']),
    maxChars: flags.maxChars ?? COMMENT_CHARS,
  };
}

/** The store folder of the local server: `named`, or else `local` in the state folder. Throws UsageError without either. */
export function storeFolder(cwd: string, stateDir: string | null, named: string, flag: string): string {
  if (named !== '') return resolve(cwd, named);
  if (stateDir !== null) return join(stateDir, 'local');
  throw new UsageError(
    'there is no folder for the local server: HOME names no folder that exists',
    `Name a folder with ${flag} or TRUEUP_STATE_DIR.`,
  );
}

function writesOf(words: readonly string[], cwd: string): Settings['writes'] {
  return words.map((word) => {
    const [format, shown] = pairOf(word, '--write', 'FORMAT=FILE');
    if (shown === '-') throw new UsageError('--write takes a file', `For stdout, give --format ${format}.`);
    return { format, path: resolve(cwd, shown) };
  });
}

/** NO_COLOR and --no-color have precedence over FORCE_COLOR. Without them, only a terminal that is not dumb gets color. */
function wantsColour(flags: SharedFlags, io: Io, isTerminal: boolean): boolean {
  if (flags.color === false || io.env['NO_COLOR']) return false;
  const force = io.env['FORCE_COLOR'];
  return force ? isOn(force) : isTerminal && io.env['TERM'] !== 'dumb';
}

/** A variable that switches something counts as set unless it is empty, 0 or false. */
function isOn(value: string = ''): boolean {
  return !['', '0', 'false'].includes(value);
}

function pairs(words: readonly string[] | undefined, flag: string, form: string): ReadonlyMap<string, string> {
  const result = new Map<string, string>();
  for (const word of words ?? []) {
    const [name, value] = pairOf(word, flag, form);
    if (result.has(name)) throw new UsageError(`${flag} ${name} is given twice`);
    result.set(name, value);
  }
  return result;
}

function pairOf(word: string, flag: string, form: string): [string, string] {
  const at = word.indexOf('=');
  if (at <= 0 || (at === word.length - 1 && flag !== '--var')) throw new UsageError(`${flag} takes ${form}`);
  return [word.slice(0, at), word.slice(at + 1)];
}

const PREFIX = 'TRUEUP_VAR_';

function variablesIn(env: Readonly<Record<string, string | undefined>>): ReadonlyMap<string, string> {
  const own = Object.entries(env).filter(([name]) => name.startsWith(PREFIX));
  return new Map(own.map(([name, value = '']) => [name.slice(PREFIX.length), value]));
}
