// Defines the commands, grouped by purpose: arguments, flags and help.
import { Option } from './commander.ts';
import {
  connectionFlags,
  each,
  flag,
  group,
  inputFlags,
  loggingFlags,
  paceFlags,
  pollFlag,
  resultFlags,
  secretFlags,
  selectionFlags,
  shardFlag,
  whole,
} from './flags.ts';
import { fileCommands, SHORT, type CommandSpec, serveFlags } from './file-commands.ts';

const RESULT = [...SHORT, 'markdown', 'html'];
const PLAN = [...RESULT, 'ndjson'];
const DRIFT = [...PLAN, 'junit', 'sarif', 'prometheus'];

const allowFlag = (): Option =>
  flag(
    '--allow <type:address>',
    'consent, such as delete:shop/old; may be repeated. Types: delete, replace, restart, revoke, move, disable, *; for data and access: access, create, drop, expire, oneway, recreate, shorten',
    each,
  ).default([]);
const dueFlag = (): Option => flag('--due', 'include due changes (max_age, rotate.every)');

const MAIN: readonly CommandSpec[] = [
  {
    usage: 'plan [path...]',
    description: 'Show what apply would change. Reads the live account and changes nothing.',
    flags: [
      inputFlags,
      group('Input', () => [flag('--compare-with <dir>', 'checkout of the target branch to compare with')]),
      selectionFlags,
      shardFlag,
      group('Selection', () => [
        dueFlag(),
        new Option('--no-history', 'do not read operation logs, so failed operations are not found'),
      ]),
      group('Approval', () => [allowFlag()]),
      resultFlags(PLAN, true),
      group('Output', () => [
        flag('-o, --out <plan.json>', 'save the plan, for `trueup apply plan.json`'),
        new Option('--expires-in <duration>', 'lifetime of a saved plan (default: 72h)').default('72h'),
        flag('--detailed-exitcode', 'exit 2 for differences, 5 for blocked changes'),
      ]),
      loggingFlags,
      connectionFlags,
      secretFlags,
    ],
    examples: [
      'trueup plan',
      "trueup plan -f infra --target 'shop/*'",
      'trueup plan -f teams/* --overlay prod.yaml',
      'trueup plan --detailed-exitcode -o plan.json',
      'trueup plan --compare-with ../main --format markdown > comment.md',
      "trueup plan --format json | jq '.trueup.summary'",
    ],
    exits: [
      ['0', 'everything was read and planned'],
      ['1', 'error; nothing was planned'],
      ['3', 'a project could not be read or planned'],
      ['2, 5', 'differences, blocked changes (with --detailed-exitcode)'],
    ],
    load: async () => import('../commands/plan.ts'),
  },
  {
    usage: 'apply [plan.json]',
    description:
      'Apply a saved plan exactly; without a saved plan, plan, ask for approval and apply. Waits for every operation and verifies the result.',
    flags: [
      inputFlags,
      selectionFlags,
      shardFlag,
      group('Selection', () => [dueFlag()]),
      group('Approval', () => [
        new Option(
          '--auto-approve [scope]',
          'do not ask; no-impact applies only changes that drop no connection, remove nothing and change no access',
        ).choices(['all', 'no-impact']),
        flag('--expect-hash <sha256:…>', 'plan again, and continue only with this plan hash'),
        allowFlag(),
      ]),
      resultFlags(PLAN),
      group('Output', () => [flag('--pin [file]', 'write new ids into your files, or into FILE')]),
      loggingFlags,
      connectionFlags,
      paceFlags,
      pollFlag,
      secretFlags,
    ],
    examples: [
      'trueup apply',
      'trueup apply plan.json',
      'trueup apply --auto-approve --allow delete:shop/legacy',
      'trueup apply --auto-approve=no-impact',
      'trueup apply --due --auto-approve',
    ],
    exits: [
      ['0', 'everything was applied and verified'],
      ['1', 'error; nothing was changed'],
      ['3', 'incomplete: run trueup apply again'],
      ['4', 'refused: the plan is stale; run trueup plan again'],
      ['5', 'a change is blocked; the output shows what lifts the block'],
      ['6', 'a new secret could be neither stored nor revoked'],
      ['130, 143', 'interrupted'],
    ],
    load: async () => import('../commands/apply.ts'),
  },
  {
    usage: 'drift',
    description: 'Compare the account with the files, for cron. Changes nothing.',
    flags: [inputFlags, selectionFlags, shardFlag, resultFlags(DRIFT), loggingFlags, connectionFlags, secretFlags],
    examples: [
      'trueup drift',
      'trueup drift --format json --write sarif=drift.sarif',
      'trueup drift --write prometheus=/var/lib/node_exporter/trueup.prom',
    ],
    exits: [
      ['0', 'in sync'],
      ['1', 'error'],
      ['2', 'there are differences'],
      ['3', 'a project could not be read or compared'],
    ],
    load: async () => import('../commands/drift.ts'),
  },
  {
    usage: 'show <file...>',
    description: 'Render a saved plan, a drift report or results in any format. Several results become one report.',
    flags: [resultFlags(DRIFT, true), loggingFlags],
    examples: [
      'trueup show plan.json',
      'trueup show plan.json --format markdown > comment.md',
      'trueup show result.json --format html > report.html',
      'trueup show shard-*.json --format markdown > comment.md',
    ],
    load: async () => import('../commands/show.ts'),
  },
];

const LOOKING: readonly CommandSpec[] = [
  {
    usage: 'list [address...]',
    description: 'List managed resources with id, host, branch and state.',
    flags: [
      inputFlags,
      selectionFlags,
      group('Output', () => [flag('--tree', 'show all branches as a tree, with their computes')]),
      resultFlags([...SHORT, 'env']),
      loggingFlags,
      connectionFlags,
      secretFlags,
    ],
    examples: ['trueup list', 'trueup list --tree', "trueup list 'shop/*' --format env"],
    load: async () => import('../commands/list.ts'),
  },
  {
    usage: 'preview <list> [address...]',
    description: 'List members of preview sets with age, expiry, last use, size and sinks.',
    flags: [inputFlags, selectionFlags, resultFlags(SHORT), loggingFlags, connectionFlags, secretFlags],
    examples: ['trueup preview list', "trueup preview list 'shop/previews/pr/*'"],
    load: async () => import('../commands/preview.ts'),
  },
  {
    usage: 'keys',
    description: 'List API keys with age, last use, sink and rotation.',
    flags: [inputFlags, selectionFlags, resultFlags(SHORT), loggingFlags, connectionFlags, secretFlags],
    examples: ['trueup keys', "trueup keys --format json | jq '.keys[] | select(.last_used_at == null)'"],
    load: async () => import('../commands/keys.ts'),
  },
  {
    usage: 'operations',
    description: 'List operations of the API, newest first.',
    flags: [
      selectionFlags,
      group('Selection', () => [
        flag('--project <id|name|glob>', 'only these projects'),
        flag('--running', 'only operations that still run'),
        flag('--limit <n>', 'number of operations per project (default: 20, maximum: 1000)', whole(1, 1000)),
      ]),
      resultFlags(SHORT),
      group('Output', () => [
        flag('--follow', 'print changes until you stop the command (with --running: until no operation runs)'),
      ]),
      loggingFlags,
      connectionFlags,
      pollFlag,
    ],
    examples: ['trueup operations --running', 'trueup operations --project shop --limit 5'],
    load: async () => import('../commands/operations.ts'),
  },
  {
    usage: 'ping',
    description: 'Check base URL, API key and reachability.',
    flags: [resultFlags(SHORT), loggingFlags, connectionFlags],
    examples: ['trueup ping', 'trueup ping --base-url http://127.0.0.1:4010/api/v2'],
    load: async () => import('../commands/ping.ts'),
  },
];

const TOOLS: readonly CommandSpec[] = [
  {
    usage: 'serve',
    description: 'Run the local server: the same API on this machine, with a console.',
    flags: serveFlags,
    examples: [
      'trueup serve --data local',
      'trueup serve --port 0 --ephemeral',
      'TRUEUP_API_KEY_FILE=local/root-key trueup plan --base-url http://127.0.0.1:4010/api/v2',
    ],
    load: async () => import('../commands/serve.ts'),
  },
  {
    usage: 'completion <shell> [words...]',
    description: 'Print the completion script for bash, zsh or fish.',
    flags: [],
    examples: [
      'source <(trueup completion bash)',
      'trueup completion zsh > "${fpath[1]}/_trueup"',
      'trueup completion fish > ~/.config/fish/completions/trueup.fish',
    ],
    load: async () => import('../commands/files/completion.ts'),
  },
];

export const commandGroups: readonly (readonly [job: string, commands: readonly CommandSpec[]])[] = [
  ['Plan and apply', MAIN],
  ['Write and check files', fileCommands],
  ['Look at the account', LOOKING],
  ['Tools', TOOLS],
];

export const examples: readonly (readonly [line: string, does: string])[] = [
  ['trueup init', 'write a starter trueup.yaml'],
  ['trueup plan --local', 'plan against the local server'],
  ['trueup apply', 'plan, ask, apply and verify'],
  ['trueup plan -o plan.json && trueup apply plan.json', ''],
  ['trueup drift', 'for cron: exit 2 for differences'],
];
