// Refuses words of other tools on the command line, and names the way to do the same here.
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

/** Commands and flags of other tools, each with the way to do the same here. A trueup flag of the same name has precedence. */
const WORDS: Readonly<Record<string, string>> = {
  'api-key': KEY,
  chdir: 'Change to that folder first, or give its files with `-f PATH`.',
  'compact-warnings': 'Write `-q`, which shows only the result and errors.',
  create: 'Write it into trueup.yaml, then `trueup apply`; `trueup init` writes a starter file.',
  delete: ABSENT,
  describe: READ,
  destroy: ABSENT,
  diff: PLAN,
  'dry-run': PLAN,
  fmt: '`trueup validate` checks the files; any YAML formatter lays them out.',
  force: '`--allow TYPE:ADDRESS` consents to a blocked change; the plan shows which one.',
  get: READ,
  input: 'trueup asks only in a terminal; elsewhere, apply needs a saved plan, `--expect-hash` or `--auto-approve`.',
  json: 'Write `--format json`.',
  login: 'Set TRUEUP_API_KEY or TRUEUP_API_KEY_FILE; `trueup ping` checks it.',
  o: RESULT,
  output: RESULT,
  postgres: 'Run `trueup serve --postgres`, then give its URL with `--base-url` instead of `--local`.',
  prune: 'Write `prune: true` under the project; `trueup plan` then shows what it would delete.',
  psql: 'Declare a connection (`connections` under a branch): its URI is stored in a file for `psql`.',
  refresh: 'Every plan reads the live account: `trueup plan`, or `trueup drift` for cron.',
  replace: 'Write `state: absent`, then `trueup apply`; write the entry again, then `trueup apply`.',
  restart: 'Write `restart: { not_before: TIME }` under the compute, then `trueup apply`.',
  state: 'There is no state file: `trueup list` shows live resources, `trueup pin` writes their ids into the files.',
  status: '`trueup drift` compares the account with the files; `trueup operations --running` shows what still runs.',
  token: KEY,
  version: '`trueup --version` prints it.',
  y: YES,
  yes: YES,
};

/** Throws UsageError for the first word that only other tools or other commands have, and for a long flag with one dash. */
export function refuseForeignWords(argv: readonly string[], program: Command): void {
  let command: Command | null = null;
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (word === '--') return;
    if (word.startsWith('-') && word !== '-') {
      const options = [...(command?.options ?? []), ...program.options];
      const option = options.find(({ short, long }) => word === short || word === long);
      if (option?.required === true) at++;
      if (option === undefined) refuseFlag(word, options, program);
    } else if (command === null) {
      command = program.commands.find((one) => one.name() === word) ?? null;
      if (command === null) refuse(`command "${word}"`, word, program);
      if (command === null || word === 'help') return;
    }
  }
}

function refuse(shown: string, name: string, { commands }: Command): void {
  const taker = commands.find(({ options }) => options.some(({ long, hidden }) => long === `--${name}` && !hidden));
  const hint = Object.hasOwn(WORDS, name) ? WORDS[name] : taker && `\`trueup ${taker.name()}\` has --${name}.`;
  if (hint !== undefined) throw new UsageError(`there is no ${shown} here`, hint);
}

function refuseFlag(word: string, options: readonly Option[], program: Command): void {
  const [, dashes = '', name = '', value] = /^(--?)([^=]*)(?:=([^]*))?$/.exec(word) ?? [];
  const option = options.find(({ long }) => long === `--${name}`);
  const letters = name.split('').map((letter) => options.find(({ short }) => short === `-${letter}`));
  const [first] = letters;
  // A single letter must be a flag; several letters may be a group of flags without values.
  if (name.length === 1 ? first : value === undefined && letters.every((one) => one?.required === false)) return;
  if (option === undefined) refuse(`flag ${dashes}${inert(name, 64)}`, name, program);
  if (dashes === '--' || name.length === 1) return;
  const near = didYouMean(`--${name}`, ['--help', ...options.flatMap(({ long }) => long ?? [])]);
  // An unknown word may be a credential, so the message shows only its first letter.
  if (option === undefined && near === undefined && first?.required !== true)
    throw new UsageError(`unknown option '-${inert(name.slice(0, 1), 1)}'`, 'See --help.');
  const otherwise =
    near === undefined ? `Write \`${first?.short} ${inert(name.slice(1), 200)}\`.` : `Did you mean ${near}?`;
  throw new UsageError(
    `-${inert(name, 64)}: a flag of more than one letter takes two dashes`,
    option === undefined ? otherwise : `Write \`${spelled(option, value)}\`.`,
  );
}

/** The flag as it should be typed. The value of --var is not shown, because it may be secret. */
function spelled(option: Option, value: string | undefined): string {
  const shown = value === undefined || option.long === '--var' ? '' : inert(value, 200);
  return shown === '' ? option.flags.replace(/^-., | \[.*\]$/g, '') : `${option.long}=${shown}`;
}
