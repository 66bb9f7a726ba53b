// The flags that commands share: their spelling, their checks, and their headings in help.
import { Command, InvalidArgumentError, Option } from './commander.ts';
import { listOf } from '../../base/text/words.ts';
import { parseDurationMs } from '../../base/time/duration.ts';
import { UsageError } from '../process/exit-code.ts';

type Several = 'file' | 'overlay' | 'write' | 'target' | 'exclude' | 'var' | 'varFile' | 'safety' | 'sink';
type Text = 'baseUrl' | 'orgId' | 'apiKeyFile' | 'local' | 'format' | 'secretsDir' | 'logFile' | 'shard';
type Amount =
  'maxEntries' | 'parallelism' | 'requestsPerMinute' | 'pollInterval' | 'stepTimeout' | 'timeout' | 'maxChars';

type Switch = 'color' | 'quiet' | 'verbose';
type Given<Name extends string, Value> = { readonly [K in Name]?: Value };

export type SharedFlags = Given<Several, readonly string[]> &
  Given<Text, string> &
  Given<Amount, number> &
  Given<Switch, boolean>;

/** `--local`, `--auto-approve` and `--pin` take values only after `=`; `-f` takes each following YAML file or existing path. */
export function normaliseArguments(argv: readonly string[], isThere: (path: string) => boolean): string[] {
  const end = argv.indexOf('--');
  let open: string | null = null;
  let isValue = false;
  return argv.flatMap((word, at) => {
    if (end >= 0 && at > end) return word;
    if (isValue) {
      isValue = false;
      return word;
    }
    if (open !== null && !word.startsWith('-') && (/\.ya?ml$/.test(word) || isThere(word))) return [open, word];
    const [, named, given] = /^(-f|--file|--overlay)(=.*)?$/s.exec(word) ?? [];
    open = named ?? null;
    isValue = named !== undefined && given === undefined;
    if (word === '--local') return '--local=';
    if (word === '--auto-approve') return '--auto-approve=all';
    if (word === '--pin') return '--pin=';
    return /^-[fo]=/.test(word) ? [word.slice(0, 2), word.slice(3)] : word;
  });
}

function once(value: string, previous: unknown): string {
  if (previous !== undefined) throw new InvalidArgumentError('The flag is given twice.');
  return value;
}

export function each(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), value];
}

function eachIn(formats: readonly string[]): typeof each {
  return (value, previous) => {
    const [format = ''] = value.split('=', 1);
    if (value.includes('=') && !formats.includes(format))
      throw new UsageError(`--write cannot write the format "${format}"`, `Formats: ${formats.join(', ')}.`);
    return each(value, previous);
  };
}

type ReadAmount = (value: string, previous: number | undefined) => number;

function between(min: number, max: number, words: string, read: (value: string) => number | undefined): ReadAmount {
  return (value, previous) => {
    const amount = read(once(value, previous)) ?? Number.NaN;
    if (!(amount >= min && amount <= max)) throw new InvalidArgumentError(`The flag takes ${words}.`);
    return amount;
  };
}

export function whole(min: number, max: number): ReadAmount {
  const words = `a whole number from ${min} to ${max}`;
  return between(min, max, words, (value) => (/^\d{1,10}$/.test(value) ? Number(value) : undefined));
}

const DAY_MS = 86_400_000;

function duration(maxDays: number): ReadAmount {
  const words = `a duration up to ${maxDays}d, such as 500ms, 30s, 5m or 24h; a bare number is seconds`;
  return between(1, maxDays * DAY_MS, words, parseDurationMs);
}

export function flag(
  flags: string,
  description: string,
  parse: (value: string, previous: never) => unknown = once,
): Option {
  return new Option(flags, description).argParser(parse as (value: string, previous: unknown) => unknown);
}

export function repeated(flags: string, description: string, parse: typeof each = each): Option {
  return flag(flags, `${description}; may be repeated`, parse);
}

export type Flags = (command: Command) => void;

/** Flags under one heading of help. Each command gets options of its own, because hiding an option changes it. */
export function group(heading: string, options: () => readonly Option[]): Flags {
  return (command) => {
    command.optionsGroup(`${heading}:`);
    for (const option of options()) command.addOption(option);
  };
}

export const inputFlags: Flags = group('Input', () => [
  repeated('-f, --file <path>', 'file or folder, - for stdin (default: trueup.yaml)'),
  repeated('--overlay <path>', 'file or folder with values that override -f'),
  repeated('--var <name=value>', 'value of ${var:NAME} in the files'),
  repeated('--var-file <file.json>', 'variables as JSON, or `terraform output -json`'),
  repeated('--safety <file>', 'further safety limits; the strictest limit applies'),
  flag('--max-entries <n>', 'limit on YAML entries (default: 250000, maximum: 10000000)', whole(1, 10_000_000)),
]);

export const selectionFlags: Flags = group('Selection', () => [
  repeated('--target <address>', 'only these addresses (globs)'),
  repeated('--exclude <address>', 'all but these addresses (globs)'),
]);

export const shardFlag: Flags = group('Selection', () => [
  flag('--shard <i/n>', 'only part I of N of the projects (N: at most 1000)'),
]);

export const connectionFlags: Flags = group('Connection', () => [
  flag('--local [dir]', 'use the local server (default DIR: in the state folder)'),
  flag('--base-url <url>', 'URL of the API (default: https://console.neon.tech/api/v2)'),
  flag('--org-id <id>', 'organization of the projects'),
  flag('--api-key-file <file>', 'file with the API key (default: TRUEUP_API_KEY)'),
  flag('--requests-per-minute <n>', 'limit on requests (default: 600, with --local none)', whole(1, 100_000_000)),
  flag('--timeout <duration>', 'time limit of the run (default: none, maximum: 30d)', duration(30)),
]);

export const paceFlags: Flags = group('Connection', () => [
  flag('--parallelism <n>', 'limit on simultaneous writes (default: 10, maximum: 256)', whole(1, 256)),
  flag('--step-timeout <duration>', 'time limit of each step (default: 10m, maximum: 7d)', duration(7)),
]);

export const pollFlag: Flags = group('Connection', () => [
  flag('--poll-interval <duration>', 'pause between checks (default: 5s, maximum: 1d)', duration(1)),
]);

export const secretFlags: Flags = group('Secrets', () => [
  repeated('--sink <name=program>', 'program that stores secrets'),
  flag('--secrets-dir <dir>', 'folder of file sinks (default: secrets in the state folder)'),
]);

/** The flags for the result's format and further files. With `hasPlan`, help shows the limit of Markdown, too. */
export function resultFlags(formats: readonly string[], hasPlan: boolean = false): Flags {
  const [first = '', ...others] = formats;
  return group('Output', () => [
    new Option('--format <format>', listOf([`${first} (default)`, ...others], 'or')).choices(formats),
    repeated('--write <format=file>', 'also write FORMAT to FILE', eachIn(formats)),
    flag('--max-chars <n>', 'limit of Markdown (default: 65536, maximum: 10000000)', whole(1000, 10_000_000)).hideHelp(
      !hasPlan,
    ),
  ]);
}

export const loggingFlags: Flags = group('Output', () => [
  new Option('--no-color', 'no colors (also: NO_COLOR)'),
  new Option('-q, --quiet', 'show only the result and errors'),
  new Option('-v, --verbose', 'show all details'),
  flag('--log-file <file>', 'append events to FILE as JSON lines'),
]);

/** Commands that accept only their own flags for files and account. `trueup` is the program without a command. */
const APART: readonly string[] = ['trueup', 'init', 'schema', 'explain', 'completion', 'serve'];

const COMMON: readonly Flags[] = [inputFlags, selectionFlags, connectionFlags, paceFlags, pollFlag, loggingFlags];

/** Scripts give the same flags to every command. So a command accepts flags that it does not use, and help hides them. */
export function acceptCommonFlags(command: Command): void {
  const common = new Command();
  for (const add of APART.includes(command.name()) ? [loggingFlags] : COMMON) add(common);
  for (const one of common.options)
    if (!command.options.some(({ long }) => long === one.long)) command.addOption(one.hideHelp());
}

export function flagsOf(program: Command, command: Command): Readonly<Record<string, unknown>> {
  const before = program.opts<Record<string, unknown>>();
  const own = command.opts<Record<string, unknown>>();
  return { ...before, ...own, color: before['color'] !== false && own['color'] !== false };
}

/** Part `index` of `count`; both count from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

const MOST_SHARDS = 1000;

export function parseShard(word: string): Shard {
  const parts = /^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(word);
  const index = Number(parts?.[1]);
  const count = Number(parts?.[2]);
  if (parts === null || index > count || count > MOST_SHARDS)
    throw new UsageError('--shard takes I/N, such as 1/4 to 4/4', `N is at most ${MOST_SHARDS}.`);
  return { index, count };
}
