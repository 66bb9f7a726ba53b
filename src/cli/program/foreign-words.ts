// Words of other tools on the command line: refused with the spelling that does it here, before any of them is taken for something else.
import { inert } from '../../base/text/inert.ts';
import { didYouMean } from '../../base/text/words.ts';
import type { Command, Option } from './commander.ts';
import { UsageError } from './usage-error.ts';

/** What other tools' flags are here, without their dashes; an own flag of the same name goes before. */
const FLAGS: Readonly<Record<string, string>> = {
  A: 'All projects of the files are meant; `--target PROJECT` takes one of them.',
  'all-namespaces': 'All projects of the files are meant; `--target PROJECT` takes one of them.',
  'api-key': 'A credential is never a flag: set TRUEUP_API_KEY, or name its file with `--api-key-file FILE`.',
  colour: 'Colour is for terminals: FORCE_COLOR=1 asks for it elsewhere, `--no-color` turns it off.',
  color: 'Colour is for terminals: FORCE_COLOR=1 asks for it elsewhere, `--no-color` turns it off.',
  debug: 'Write `-v`, or `--log-file FILE` for every request.',
  force:
    'Nothing is forced: `--allow ACTION:ADDRESS` consents to what would be held back, and the plan says which it is.',
  'lock-timeout': 'A second run in a folder does not wait: it is refused at once, and changes nothing.',
  n: 'A project stands first in an address: `--target PROJECT`.',
  namespace: 'A project stands first in an address: `--target PROJECT`.',
  o: 'Write `--format json` (`--help` lists the formats), and `> FILE` to keep it.',
  output: 'Write `--format json` (`--help` lists the formats), and `> FILE` to keep it.',
  profile: 'Profiles are in the file: `profiles: { NAME: … }`, then `use: NAME` under a compute.',
  prune: 'Write `prune: true` under the project; `trueup plan` then shows what would go.',
  token: 'A credential is never a flag: set TRUEUP_API_KEY, or name its file with `--api-key-file FILE`.',
  w: '`trueup operations --follow` goes on; any other command can be run again.',
  watch: '`trueup operations --follow` goes on; any other command can be run again.',
  yaml: '`trueup import` writes YAML; `--format json` is for programs.',
  json: 'Write `--format json`.',
  yes: 'Write `--auto-approve`.',
  y: 'Write `--auto-approve`.',
  version: 'Write `trueup --version`.',
  'dry-run': '`trueup plan` shows what would change and changes nothing.',
  destroy: 'Write `state: absent` under what is to go, then `trueup apply`.',
  refresh: 'Every plan reads what is live; nothing is kept that could be refreshed.',
  'refresh-only': '`trueup drift` compares and changes nothing.',
  replace: 'A change of `type` on a pinned compute replaces it; `--allow replace:ADDRESS` consents to it.',
  input:
    'Nothing is asked where there is no terminal: apply then needs a saved plan, `--expect-hash` or `--auto-approve`.',
  lock: 'Two runs never share a folder: the second is refused, and changes nothing.',
  'names-from': 'Write `--from-terraform FILE`.',
  state: 'There is no state file: what is live is read each time.',
  chdir: 'Change to the folder first, or name the files with `-f PATH`.',
  upgrade: 'There is nothing to download: trueup has no providers or modules.',
  reconfigure: 'There is no backend: what is live is read each time.',
  'backend-config': 'There is no backend: what is live is read each time.',
  'compact-warnings': 'Write `-q`.',
  postgres:
    'A Postgres needs a server that stays: start `trueup serve --postgres`, then give its address with `--base-url` in the place of `--local`.',
};

const CONNECT =
  'Declare a connection (`connections` under a branch): its URI is kept in a file for `psql`. `trueup list` shows hosts.';

/** What other tools' commands are here. */
const COMMANDS: Readonly<Record<string, string>> = {
  add: 'Write it into trueup.yaml, then `trueup apply`.',
  check: '`trueup validate` checks the files, `trueup drift` the account.',
  config: 'Settings are flags and environment variables: see `trueup plan --help`.',
  connect: CONNECT,
  console: '`trueup serve` has a console, at the address that it prints.',
  create: 'Write it into trueup.yaml, then `trueup apply` (`trueup init` writes a starter file).',
  delete: 'Write `state: absent` under what is to go, then `trueup apply`.',
  describe:
    '`trueup list ADDRESS --format json` tells what is live, `trueup explain ATTRIBUTE` what an attribute means.',
  destroy:
    'Write `state: absent` under each resource that is to go, then `trueup apply`; nothing goes without being named.',
  diff: '`trueup plan` shows what would change, `trueup drift` reports it for cron.',
  down: 'Write `state: absent` under what is to go, then `trueup apply`.',
  doctor: '`trueup ping` tries the address and the credential, `trueup validate` the files.',
  edit: 'Edit trueup.yaml, then `trueup apply`.',
  exec: CONNECT,
  fmt: '`trueup validate` checks the files; they are plain YAML, which any formatter lays out.',
  get: '`trueup list` shows the managed resources, `trueup list ADDRESS --format json` one of them.',
  'force-unlock':
    'A lock ends with its run, and one whose run is gone is taken over; the error that names it says which file to delete.',
  graph: '`trueup plan --format html > plan.html` draws the order of the steps.',
  lint: '`trueup validate` checks the files.',
  login: 'Set TRUEUP_API_KEY (or TRUEUP_API_KEY_FILE); `trueup ping` tries it.',
  logout: 'Nothing is kept of a credential: take TRUEUP_API_KEY out of the environment.',
  logs: '`trueup operations --follow` tells what the service does.',
  ls: '`trueup list` shows the managed resources.',
  migrate: 'There is no state to migrate: `trueup import` writes what is live.',
  new: '`trueup init` writes a starter file.',
  output: '`trueup list --format env` (or `json`) gives ids and hosts to scripts.',
  preview: '`trueup plan` shows what would change.',
  providers: 'There are none: trueup speaks to one API, and `trueup ping` tries it.',
  ps: '`trueup list` shows the managed resources, `trueup operations --running` what is under way.',
  psql: CONNECT,
  refresh: 'Every plan reads what is live: `trueup plan`, or `trueup drift` for cron.',
  reset: 'trueup resets no branch. `trueup apply` makes what the files declare so again.',
  restart: 'Write `restart: { not_before: TIME }` under the compute, then `trueup apply`.',
  rollout: 'Write `restart: { not_before: TIME }` under the compute, then `trueup apply`, which waits for its end.',
  rm: 'Write `state: absent` under what is to go, then `trueup apply`.',
  run: '`trueup apply` plans, asks and applies.',
  scale: 'Write the size (`autoscaling_limit_max_cu`) under the compute, then `trueup apply`.',
  start: '`trueup serve` starts the local control plane; a compute starts when somebody connects.',
  state: 'There is no state file: `trueup list` shows what is live, `trueup pin` writes its ids into the files.',
  status:
    '`trueup drift` tells whether the account is as the files say, `trueup list` what is live, `trueup operations --running` what is under way.',
  sync: '`trueup apply` plans, asks and applies.',
  taint: 'Write `restart: { not_before: TIME }` under the compute, then `trueup apply`.',
  test: '`trueup validate` checks the files; `trueup apply --local` tries them on the local control plane.',
  untaint: 'Take `restart` out of the compute again.',
  up: '`trueup apply` plans, asks and applies.',
  version: '`trueup --version` prints it.',
  workspace: 'A folder or a file is one: `-f PATH` names what is shared, `--overlay PATH` what is different.',
};

/** Throws UsageError for the first word that another tool would understand and this one would not, or otherwise. */
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
  const here = Object.hasOwn(COMMANDS, word) ? COMMANDS[word] : undefined;
  if (here !== undefined) throw new UsageError(`there is no command "${word}" here`, here);
}

function refuseFlag(word: string, command: Command | null, options: readonly Option[]): void {
  const [, dashes = '', name = '', value] = /^(--?)([^=]*)(?:=([^]*))?$/.exec(word) ?? [];
  const long = options.find((option) => option.long === `--${name}`);
  if (dashes === '--') {
    const here = long === undefined && Object.hasOwn(FLAGS, name) ? FLAGS[name] : undefined;
    if (here !== undefined) throw new UsageError(`there is no flag --${name} here`, here);
    return;
  }
  if (isShort(name, value, options)) return;
  if (name.length === 1) throw new UsageError(`there is no flag -${name} here`, FLAGS[name]);
  // What resembles nothing may be a credential that somebody put there: no more than its first letter is shown.
  if (!isAnyFlag(name, long, options))
    throw new UsageError(`unknown option '-${inert(name.slice(0, 1), 1)}'`, 'See --help.');
  if (long === undefined && name !== 'help' && Object.hasOwn(FLAGS, name))
    throw new UsageError(`there is no flag -${inert(name, 64)} here`, FLAGS[name]);
  const wanted = name === 'help' ? `Write \`trueup ${command === null ? '' : `${command.name()} `}--help\`.` : null;
  throw new UsageError(
    `-${inert(name, 64)}: a flag of more than one letter takes two dashes`,
    wanted ?? (long === undefined ? otherwise(name, options) : `Write \`${spelled(long, value)}\`.`),
  );
}

/** `-q`, and several that take no value in one word; one that takes a value stands alone, or before `=`. */
function isShort(name: string, value: string | undefined, options: readonly Option[]): boolean {
  const own = name.split('').map((letter) => options.find(({ short }) => short === `-${letter}`));
  if (own.length === 1) return own[0] !== undefined || !Object.hasOwn(FLAGS, name);
  return value === undefined && own.every((option) => letterAlone(option));
}

function letterAlone(option: Option | undefined): boolean {
  return option !== undefined && !option.required && !option.optional;
}

/** What was given is shown again, but for what may be anybody's secret: the value of a variable. */
function spelled(option: Option, value: string | undefined): string {
  const shown = value === undefined || option.long === '--var' ? null : inert(value, 200);
  return shown === null || shown === '' ? option.flags.replace(/^-., | \[.*\]$/g, '') : `${option.long}=${shown}`;
}

function isAnyFlag(name: string, long: Option | undefined, options: readonly Option[]): boolean {
  if (name === 'help' || long !== undefined || Object.hasOwn(FLAGS, name)) return true;
  return nearest(name, options) !== undefined || takesValue(name, options) !== undefined;
}

function nearest(name: string, options: readonly Option[]): string | undefined {
  return didYouMean(
    `--${name}`,
    options.flatMap(({ long }) => long ?? []),
  );
}

/** The short flag that the word may be meant for, with its value stuck to it. */
function takesValue(name: string, options: readonly Option[]): Option | undefined {
  return options.find(({ short, required }) => required && short === `-${name.slice(0, 1)}`);
}

function otherwise(name: string, options: readonly Option[]): string {
  const near = nearest(name, options);
  if (near !== undefined) return `Did you mean ${near}?`;
  const first = takesValue(name, options);
  return `There is no such flag: see --help.${first === undefined ? '' : ` A value stands apart: \`${first.short} ${inert(name.slice(1), 200)}\`.`}`;
}
