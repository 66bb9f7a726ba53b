// Words of other tools on the command line: refused, with what to type here, before one of them is taken for something else.
import { inert } from '../../base/text/inert.ts';
import { didYouMean } from '../../base/text/words.ts';
import type { Command, Option } from './commander.ts';
import { UsageError } from '../process/exit-code.ts';

const ABSENT = 'Write `state: absent` under each resource to delete, then `trueup apply`.';
const KEY = 'An API key is never the value of a flag: set TRUEUP_API_KEY, or give `--api-key-file FILE`.';
const PLAN = '`trueup plan` shows what would change and changes nothing; `trueup drift` reports it for cron.';
const READ = '`trueup list` shows the managed resources, `trueup list ADDRESS --format json` one of them.';
const RESULT = 'Write `--format json`; `trueup list --format env` gives ids and hosts to scripts.';
const YES = 'Write `--auto-approve`.';

/** Commands and flags of other tools, with the way to do the same here; a flag of trueup with the same name comes first. */
const WORDS: Readonly<Record<string, string>> = {
  'api-key': KEY,
  create: 'Write it into trueup.yaml, then `trueup apply`; `trueup init` writes a starter file.',
  delete: ABSENT,
  describe: READ,
  destroy: ABSENT,
  diff: PLAN,
  'dry-run': PLAN,
  fmt: '`trueup validate` checks the files; any YAML formatter lays them out.',
  force: '`--allow TYPE:ADDRESS` consents to a blocked change; the plan shows which one.',
  get: READ,
  json: 'Write `--format json`.',
  login: 'Set TRUEUP_API_KEY or TRUEUP_API_KEY_FILE; `trueup ping` checks it.',
  o: RESULT,
  output: RESULT,
  postgres: 'Run `trueup serve --postgres`, then give its URL with `--base-url` instead of `--local`.',
  prune: 'Write `prune: true` under the project; `trueup plan` then shows what it would delete.',
  psql: 'Declare a connection (`connections` under a branch): its URI is stored in a file for `psql`.',
  refresh: 'Every plan reads the live account: `trueup plan`, or `trueup drift` for cron.',
  restart: 'Write `restart: { not_before: TIME }` under the compute, then `trueup apply`.',
  state: 'There is no state file: `trueup list` shows live resources, `trueup pin` writes their ids into the files.',
  status: '`trueup drift` compares the account with the files; `trueup operations --running` shows what still runs.',
  token: KEY,
  version: '`trueup --version` prints it.',
  y: YES,
  yes: YES,
};

/** Throws UsageError for the first word that another tool understands and trueup does not, or understands otherwise. */
export function refuseForeignWords(argv: readonly string[], program: Command): void {
  let command: Command | null = null;
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (word === '--') return;
    if (!word.startsWith('-') || word === '-') {
      if (command !== null) continue;
      command = program.commands.find((one) => one.name() === word) ?? null;
      if (command === null) return refuseCommand(word);
      if (word === 'help') return;
      continue;
    }
    const options = [...(command?.options ?? []), ...program.options];
    const option = options.find(({ short, long }) => word === short || word === long);
    if (option?.required === true) at++;
    if (option === undefined) refuseFlag(word, command, options);
  }
}

function refuseCommand(word: string): void {
  if (Object.hasOwn(WORDS, word)) throw new UsageError(`there is no command "${word}" here`, WORDS[word]);
}

function refuseFlag(word: string, command: Command | null, options: readonly Option[]): void {
  const [, dashes = '', name = '', value] = /^(--?)([^=]*)(?:=([^]*))?$/.exec(word) ?? [];
  const long = options.find((option) => option.long === `--${name}`);
  if (dashes === '--') {
    if (long === undefined && Object.hasOwn(WORDS, name))
      throw new UsageError(`there is no flag --${name} here`, WORDS[name]);
    return;
  }
  if (isShort(name, value, options)) return;
  if (name.length === 1) throw new UsageError(`there is no flag -${name} here`, WORDS[name]);
  // An unknown word may be a credential: only its first letter is shown.
  if (!isAnyFlag(name, long, options))
    throw new UsageError(`unknown option '-${inert(name.slice(0, 1), 1)}'`, 'See --help.');
  if (long === undefined && name !== 'help' && Object.hasOwn(WORDS, name))
    throw new UsageError(`there is no flag -${inert(name, 64)} here`, WORDS[name]);
  const wanted = name === 'help' ? `Write \`trueup ${command === null ? '' : `${command.name()} `}--help\`.` : null;
  throw new UsageError(
    `-${inert(name, 64)}: a flag of more than one letter takes two dashes`,
    wanted ?? (long === undefined ? otherwise(name, options) : `Write \`${spelled(long, value)}\`.`),
  );
}

/** True for `-q`, and for several flags without values in one word. A flag with a value stands alone or before `=`. */
function isShort(name: string, value: string | undefined, options: readonly Option[]): boolean {
  const own = name.split('').map((letter) => options.find(({ short }) => short === `-${letter}`));
  if (own.length === 1) return own[0] !== undefined || !Object.hasOwn(WORDS, name);
  return value === undefined && own.every((option) => letterAlone(option));
}

function letterAlone(option: Option | undefined): boolean {
  return option !== undefined && !option.required && !option.optional;
}

/** The flag with its value, unless that is the value of a variable, which may be secret. */
function spelled(option: Option, value: string | undefined): string {
  const shown = value === undefined || option.long === '--var' ? null : inert(value, 200);
  return shown === null || shown === '' ? option.flags.replace(/^-., | \[.*\]$/g, '') : `${option.long}=${shown}`;
}

function isAnyFlag(name: string, long: Option | undefined, options: readonly Option[]): boolean {
  if (name === 'help' || long !== undefined || Object.hasOwn(WORDS, name)) return true;
  return nearest(name, options) !== undefined || takesValue(name, options) !== undefined;
}

function nearest(name: string, options: readonly Option[]): string | undefined {
  return didYouMean(
    `--${name}`,
    options.flatMap(({ long }) => long ?? []),
  );
}

/** The short flag whose value is stuck to it in this word. */
function takesValue(name: string, options: readonly Option[]): Option | undefined {
  return options.find(({ short, required }) => required && short === `-${name.slice(0, 1)}`);
}

function otherwise(name: string, options: readonly Option[]): string {
  const near = nearest(name, options);
  if (near !== undefined) return `Did you mean ${near}?`;
  const first = takesValue(name, options);
  return `There is no such flag: see --help.${first === undefined ? '' : ` Write a space before the value: \`${first.short} ${inert(name.slice(1), 200)}\`.`}`;
}
