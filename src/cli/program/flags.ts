// The flags that commands share: how each is written, checked and turned into a value.
import { Command, InvalidArgumentError, Option } from './commander.ts';
import { parseDurationMs } from '../../base/time/duration.ts';
import { UsageError } from './usage-error.ts';

/** Values of the shared flags; a flag that was not given is undefined and the environment or a default decides. */
export interface SharedFlags {
  readonly file?: readonly string[];
  readonly overlay?: readonly string[];
  readonly baseUrl?: string;
  readonly orgId?: string;
  readonly apiKeyFile?: string;
  readonly local?: string;
  readonly format?: string;
  readonly write?: readonly string[];
  readonly target?: readonly string[];
  readonly exclude?: readonly string[];
  readonly var?: readonly string[];
  readonly varFile?: readonly string[];
  readonly safety?: readonly string[];
  readonly maxEntries?: number;
  readonly sink?: readonly string[];
  readonly secretsDir?: string;
  readonly parallelism?: number;
  readonly requestsPerMinute?: number;
  readonly pollInterval?: number;
  readonly stepTimeout?: number;
  readonly timeout?: number;
  readonly color?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly logFile?: string;
  readonly maxChars?: number;
  readonly shard?: string;
}

/**
 * `--local`, `--auto-approve` and `--pin` take their value only with `=`, so that a following word is never swallowed. A short flag may have
 * its value behind `=`, too. Behind `-f PATH` and `--overlay PATH` come further paths, as shells make of `-f teams/*`: words that name files
 * or folders, by their ending or because they are there; `--` ends them, so that an address may stand there.
 */
export function normaliseArguments(argv: readonly string[], isThere: (path: string) => boolean): string[] {
  const end = argv.indexOf('--');
  let flag: string | null = null;
  let isValue = false;
  return argv.flatMap((word, at) => {
    if (end >= 0 && at > end) return word;
    if (isValue) {
      isValue = false;
      return word;
    }
    if (flag !== null && !word.startsWith('-') && (/\.ya?ml$/.test(word) || isThere(word))) return [flag, word];
    const [, named, given] = /^(-f|--file|--overlay)(=.*)?$/s.exec(word) ?? [];
    flag = named ?? null;
    isValue = named !== undefined && given === undefined;
    if (word === '--local') return '--local=';
    if (word === '--auto-approve') return '--auto-approve=all';
    if (word === '--pin') return '--pin=';
    return /^-[fo]=/.test(word) ? [word.slice(0, 2), word.slice(3)] : word;
  });
}

function once(value: string, previous: unknown): string {
  if (previous !== undefined) throw new InvalidArgumentError('It was given twice.');
  return value;
}

export function each(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), value];
}

/** Values of the form FORMAT=FILE, of a format that there is. */
function eachIn(formats: readonly string[]): typeof each {
  return (value, previous) => {
    const [format = ''] = value.split('=', 1);
    if (value.includes('=') && !formats.includes(format))
      throw new UsageError(`--write cannot write the format "${format}"`, `There are: ${formats.join(', ')}.`);
    return each(value, previous);
  };
}

function whole(min: number, max: number): (value: string, previous: number | undefined) => number {
  return (value, previous) => {
    once(value, previous);
    const number = /^\d{1,10}$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= min && number <= max))
      throw new InvalidArgumentError(`It takes a whole number from ${min} to ${max}.`);
    return number;
  };
}

function duration(maxMs: number): (value: string, previous: number | undefined) => number {
  return (value, previous) => {
    once(value, previous);
    const ms = parseDurationMs(value);
    if (ms === undefined || ms < 1 || ms > maxMs)
      throw new InvalidArgumentError('It takes a duration such as 500ms, 30s, 5m or 24h; a bare number is seconds.');
    return ms;
  };
}

const DAY_MS = 86_400_000;

function option(flags: string, description: string, parse: (value: string, previous: never) => unknown = once): Option {
  return new Option(flags, description).argParser(parse as (value: string, previous: unknown) => unknown);
}

/** Where the desired state comes from. */
export function withFileFlags(command: Command): Command {
  return command
    .addOption(
      option(
        '-f, --file <path>',
        'desired-state files or folders, - for stdin; repeatable (default: trueup.yaml)',
        each,
      ),
    )
    .addOption(option('--overlay <path>', 'files or folders laid on top, which may override; repeatable', each))
    .addOption(option('--var <name=value>', 'value of ${var:NAME} in the files; repeatable', each))
    .addOption(
      option(
        '--var-file <file.json>',
        'JSON with such values, plain or from `terraform output -json`; repeatable',
        each,
      ),
    )
    .addOption(option('--safety <file>', 'further limits; the strictest of all wins; repeatable', each))
    .addOption(option('--max-entries <n>', 'entries that all files may hold (default: 250000)', whole(1, 10_000_000)));
}

/** Which service, and how it is spoken to. */
export function withConnectionFlags(command: Command): Command {
  return command
    .addOption(
      option(
        '--local [dir]',
        'run against the embedded control plane, its data in dir (default: local in the state folder)',
      ),
    )
    .addOption(option('--base-url <url>', 'the control API (default: https://console.neon.tech/api/v2)'))
    .addOption(option('--org-id <id>', 'organization whose projects are meant'))
    .addOption(option('--api-key-file <file>', 'file with the credential (otherwise TRUEUP_API_KEY)'))
    .addOption(option('--requests-per-minute <n>', 'request budget (default: 600)', whole(1, 100_000_000)))
    .addOption(option('--parallelism <n>', 'writes in flight (default: 10)', whole(1, 256)))
    .addOption(
      option('--poll-interval <duration>', 'longest pause between looks at operations (default: 5s)', duration(DAY_MS)),
    )
    .addOption(
      option('--step-timeout <duration>', 'for each step, waiting included (default: 10m)', duration(7 * DAY_MS)),
    )
    .addOption(option('--timeout <duration>', 'for the whole run', duration(30 * DAY_MS)));
}

/** Which resources, and how much at a time. */
export function withSelectionFlags(command: Command): Command {
  return command
    .addOption(option('--target <address>', 'only these addresses (globs * and ?); repeatable', each))
    .addOption(option('--exclude <address>', 'all but these addresses; repeatable', each));
}

/** Which part of the projects, where several runs share the work. */
export function withShardFlag(command: Command): Command {
  return command.addOption(option('--shard <i/n>', 'only the i-th of n parts of the projects, by a stable split'));
}

/** What takes the files to the account: with where secrets are kept. */
export function withAccountFlags(command: Command): Command {
  return withSelectionFlags(
    withConnectionFlags(withFileFlags(command))
      .addOption(option('--sink <name=program>', 'declares a program that keeps secrets; repeatable', each))
      .addOption(option('--secrets-dir <dir>', 'folder of file sinks (default: secrets in the state folder)')),
  );
}

/** What is printed, and where. */
export function withOutputFlags(command: Command, formats: readonly string[]): Command {
  const printing = command
    .addOption(new Option('--format <format>', 'what stdout carries').choices(formats).default('human'))
    .addOption(
      option('--write <format=file>', 'writes the same result in a further format; repeatable', eachIn(formats)),
    )
    .addOption(option('--max-chars <n>', 'limit of Markdown (default: 65536)', whole(1000, 10_000_000)));
  return withTellingFlags(printing);
}

/** How much is told, and where else. */
export function withTellingFlags(command: Command): Command {
  return command
    .addOption(new Option('--no-color', 'no colours'))
    .addOption(new Option('-q, --quiet', 'only the result'))
    .addOption(new Option('-v, --verbose', 'everything'))
    .addOption(option('--log-file <file>', 'JSON lines of what happens'));
}

/** They look at no account and at no configuration file: flags about those are mistakes there. */
const APART: readonly string[] = ['trueup', 'init', 'schema', 'explain', 'completion', 'serve'];

/** Scripts give the same flags to every command: those that a command has no use for are taken too, and not shown. */
export function acceptCommonFlags(command: Command): void {
  const common = withTellingFlags(new Command());
  if (!APART.includes(command.name())) withSelectionFlags(withConnectionFlags(withFileFlags(common)));
  for (const one of common.options)
    if (!command.options.some(({ long }) => long === one.long)) command.addOption(one.hideHelp());
}

/** Those of the command, and the common ones that stand before it. */
export function flagsOf(program: Command, command: Command): Readonly<Record<string, unknown>> {
  const before = program.opts<Record<string, unknown>>();
  const own = command.opts<Record<string, unknown>>();
  return { ...before, ...own, color: before['color'] !== false && own['color'] !== false };
}

/** The part `index` of `count`; both count from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

const MOST_SHARDS = 1000;

/** Reads `I/N`. Throws UsageError for anything else. */
export function parseShard(word: string): Shard {
  const parts = /^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(word);
  const index = Number(parts?.[1]);
  const count = Number(parts?.[2]);
  if (parts === null || index > count || count > MOST_SHARDS)
    throw new UsageError('--shard takes I/N, such as 1/4 to 4/4', `N is at most ${MOST_SHARDS}.`);
  return { index, count };
}
