// The command line: every command with its words, flags and help.
import { configured } from './configured.ts';
import { Command, Option } from './commander.ts';
import type { Run } from '../command.ts';
import type { ExitCode } from '../process/exit-code.ts';
import {
  acceptCommonFlags,
  each,
  flagsOf,
  withAccountFlags,
  withConnectionFlags,
  withFileFlags,
  withOutputFlags,
  withSelectionFlags,
  withShardFlag,
  withTellingFlags,
} from './flags.ts';
import { examples } from './examples.ts';
import { withServeFlags } from './serve-flags.ts';
import type { Io } from '../process/io.ts';
import { settle } from './settings.ts';

export interface ProgramInput {
  readonly io: Io;
  readonly version: string;
  /** The command whose flags are needed; null for those of all. */
  readonly called: string | null;
  readonly onExit: (code: ExitCode) => void;
  readonly writeOut: (text: string) => void;
  readonly writeErr: (text: string) => void;
}

const RESULT = ['human', 'json', 'markdown', 'html'];
const PLAN = [...RESULT, 'ndjson'];
const DRIFT = [...RESULT, 'ndjson', 'junit', 'sarif', 'prometheus'];

/** Builds the program; commands load their code only when they are run, and have flags only when they are called. */
export function buildProgram(input: ProgramInput): Command {
  const program = configured(new Command('trueup'), input)
    .description(
      'Keeps the branches, roles, databases, computes and API keys of a managed-Postgres account equal to a YAML file.',
    )
    .version(input.version, '--version', 'prints the version')
    .helpOption('-h, --help', 'shows help')
    .helpCommand('help [command]', 'shows help for a command')
    .showHelpAfterError(false)
    .showSuggestionAfterError(true)
    .enablePositionalOptions()
    .addHelpText('after', examples.program);
  acceptCommonFlags(program);

  const add: Add = (name, description, load, withFlags = () => undefined) => {
    const command = program.command(name).description(description);
    const example = examples.commands[command.name()];
    if (example !== undefined) command.addHelpText('after', example);
    if (input.called === null || input.called === command.name()) {
      withFlags(command);
      acceptCommonFlags(command);
    }
    command.action(async () => {
      const flags = flagsOf(program, command);
      const settings = settle(flags, input.io);
      const run = await load();
      input.onExit(await run({ io: input.io, settings, flags, words: command.args, program }));
    });
  };

  addAuthoring(add);
  addReading(add);
  addMainJob(add);
  addOthers(add);
  const { called } = input;
  // What calls no command is about all of them.
  if (called !== null && !program.commands.some((command) => command.name() === called))
    return buildProgram({ ...input, called: null });
  return program;
}

type Add = (
  name: string,
  description: string,
  load: () => Promise<Run>,
  withFlags?: (command: Command) => unknown,
) => void;

const DUE = 'also what the clock asks for (max_age, rotate.every)';

function allowOption(): Option {
  return new Option(
    '--allow <action:address>',
    'consents to delete, replace, restart, revoke, move, disable or * of addresses (globs), or to a loss by its word; repeatable',
  )
    .argParser(each)
    .default([], '');
}

function addMainJob(add: Add): void {
  add(
    'plan [path...]',
    'reads the live account (GET only) and shows what would change',
    async () => (await import('../commands/plan.ts')).plan,
    (command) =>
      withOutputFlags(withShardFlag(withAccountFlags(command)), PLAN)
        .option('-o, --out <plan.json>', 'saves the plan, to be applied exactly')
        .option('--detailed-exitcode', 'exits 2 when there are differences, 5 when something is blocked')
        .addOption(allowOption())
        .option('--due', DUE)
        .option('--no-history', 'leaves operation logs out: half the requests, and failed changes stay unseen')
        .option(
          '--compare-with <dir>',
          'a checkout of the target branch: tells this change from what is pending already',
        )
        .option('--expires-in <duration>', 'how long a saved plan may be applied', '72h'),
  );
  add(
    'apply [plan.json]',
    'applies a saved plan exactly, or plans, asks and applies',
    async () => (await import('../commands/apply.ts')).apply,
    (command) =>
      withOutputFlags(withShardFlag(withAccountFlags(command)), PLAN)
        .addOption(
          new Option(
            '--auto-approve [scope]',
            'does not ask; no-impact: only what drops no connection, removes nothing, takes no service away and changes no access',
          ).choices(['all', 'no-impact']),
        )
        .addOption(allowOption())
        .option('--due', DUE)
        .option('--pin [file]', 'writes the ids of what it creates into the declaring file, or into a file of ids')
        .option('--expect-hash <sha256:…>', 'plans anew and goes on only if the plan has this hash'),
  );
  add(
    'drift',
    'for cron: compares, reports, changes nothing',
    async () => (await import('../commands/drift.ts')).drift,
    (command) =>
      withOutputFlags(withShardFlag(withAccountFlags(command)), DRIFT).option(
        '--for <n>',
        'alarm (exit 2) only once a difference was seen in n runs in a row',
      ),
  );
}

function addAuthoring(add: Add): void {
  add(
    'init',
    'writes a starter file',
    async () => (await import('../commands/files/init.ts')).init,
    (command) => command.option('-f, --file <path>', 'where to', (value: string) => [value]),
  );
  add(
    'import',
    'desired-state YAML for what is live and no file lists; its plan is empty',
    async () => (await import('../commands/files/import.ts')).importing,
    (command) =>
      withTellingFlags(withSelectionFlags(withConnectionFlags(withFileFlags(command))))
        .option('--project <id|name|glob>', 'only these projects (then no keys)')
        .option(
          '--include <sections>',
          'further kinds: projects,settings,permissions,branches,roles,databases,… (default: computes and keys)',
        )
        .option('--out-dir <dir>', 'a file per project, never over one that is there (default: stdout)')
        .addOption(
          new Option(
            '--attributes <detail>',
            'minimal: only what identifies; full: every attribute that can be managed',
          )
            .choices(['minimal', 'full'])
            .default('minimal'),
        )
        .option(
          '--from-terraform <terraform.tfstate>',
          'takes the names that a Terraform state gives, - for stdin; repeatable',
          each,
          [],
        ),
  );
  add(
    'pin',
    'writes the matched ids into the files, keeping comments and layout',
    async () => (await import('../commands/files/pin.ts')).pin,
    (command) =>
      withOutputFlags(withAccountFlags(command), ['human', 'json'])
        .option('--to <file>', 'writes them into this file of ids instead, which goes on top of the others with -f')
        .option('--fix', 'also repairs ids that name nothing live'),
  );
  add(
    'hold <address>',
    'lets a difference be that is live now, for a while and with a reason',
    async () => (await import('../commands/files/hold.ts')).hold,
    (command) =>
      withTellingFlags(withConnectionFlags(withFileFlags(command)))
        .requiredOption('--path <attribute>', 'the attribute, for example autoscaling_limit_max_cu')
        .requiredOption('--until <time>', 'a date or a time: then the difference counts again')
        .requiredOption('--reason <text>', 'what is known, or where it is tracked'),
  );
  add(
    'validate [path...]',
    'checks the files, offline',
    async () => (await import('../commands/files/validate.ts')).validate,
    (command) => withOutputFlags(withFileFlags(command), ['human', 'json']),
  );
}

function addReading(add: Add): void {
  add(
    'schema [name]',
    'prints a JSON Schema: desired-state (default), plan, result, event or drift',
    async () => (await import('../commands/files/schema.ts')).schema,
  );
  add(
    'explain [attribute]',
    'says what an attribute of the file means, what it may hold, and what changing it does',
    async () => (await import('../commands/files/explain.ts')).explain,
    (command) => withOutputFlags(command, ['human', 'json']),
  );
}

function addOthers(add: Add): void {
  add(
    'list [address...]',
    'managed resources with id, host, branch and state',
    async () => (await import('../commands/list.ts')).list,
    (command) =>
      withOutputFlags(withAccountFlags(command), ['human', 'json', 'env']).option(
        '--tree',
        'all branches of the projects, each below its parent, with size, expiry, last activity and computes',
      ),
  );
  add(
    'keys',
    'keys with age, last use, where their secret lies, rotation',
    async () => (await import('../commands/keys.ts')).keys,
    (command) => withOutputFlags(withAccountFlags(command), ['human', 'json']),
  );
  add(
    'show <file>',
    'renders a saved plan, a drift report or a result in any format',
    async () => (await import('../commands/show.ts')).show,
    (command) => withOutputFlags(command, DRIFT),
  );
  add(
    'operations',
    'lists operations of the control plane, newest first',
    async () => (await import('../commands/operations.ts')).operations,
    (command) =>
      withOutputFlags(withSelectionFlags(withConnectionFlags(command)), ['human', 'json'])
        .option('--project <id|name|glob>', 'only these projects')
        .option('--running', 'only those under way')
        .option(
          '--follow',
          'goes on: a line for whatever is new or changes; with --running to the end of what is under way',
        )
        .option('--limit <n>', 'how many of each project', '20'),
  );
  add(
    'ping',
    'checks URL, credential and reachability',
    async () => (await import('../commands/ping.ts')).ping,
    (command) => withOutputFlags(withConnectionFlags(command), ['human', 'json']),
  );
  add(
    'serve',
    'the local control plane: the same API on this machine',
    async () => (await import('../commands/serve.ts')).serve,
    withServeFlags,
  );
  add(
    'completion <shell> [words...]',
    'prints the completion script for bash, zsh or fish',
    async () => (await import('../commands/files/completion.ts')).completion,
  );
}
