// The form of a command's definition, and the definitions of commands that write and check files.
import { Option } from './commander.ts';
import type { Run } from '../command.ts';
import {
  connectionFlags,
  flag,
  group,
  inputFlags,
  loggingFlags,
  repeated,
  resultFlags,
  secretFlags,
  selectionFlags,
  whole,
  type Flags,
} from './flags.ts';

export interface CommandSpec {
  readonly usage: string;
  /** The first sentence appears in the list of commands. */
  readonly description: string;
  readonly flags: readonly Flags[];
  readonly examples: readonly string[];
  readonly exits?: readonly (readonly [code: string, meaning: string])[];
  readonly load: () => Promise<{ readonly run: Run }>;
}

export const SHORT: readonly string[] = ['human', 'json'];

export const fileCommands: readonly CommandSpec[] = [
  {
    usage: 'init',
    description: 'Write a starter file. Its plan works against a new local server.',
    flags: [
      group('Output', () => [
        new Option('-f, --file <path>', 'file to write (default: trueup.yaml)').argParser((value: string) => [value]),
        flag('--retention <glob>', 'write a rule for leftover branches into an existing file'),
      ]),
      connectionFlags,
    ],
    examples: ['trueup init', 'trueup init -f infra/trueup.yaml', "trueup init --retention 'preview/*'"],
    load: async () => import('../commands/files/init.ts'),
  },
  {
    usage: 'import',
    description:
      'Write YAML for live resources that are not yet in your files. The YAML has their ids, and its plan is empty.',
    flags: [
      inputFlags,
      group('Input', () => [
        repeated('--from-terraform <file>', 'Terraform state that gives the names; - for stdin').default([]),
      ]),
      selectionFlags,
      group('Selection', () => [
        flag('--project <id|name|glob>', 'import only these projects, and no API keys'),
        flag('--include <sections>', 'import these sections, too, such as projects,branches,roles,databases'),
      ]),
      group('Output', () => [
        flag('--out-dir <dir>', 'write one new file per project into DIR (default: all to stdout)'),
        new Option('--attributes <detail>', 'minimal (ids) or full (all attributes) (default: minimal)')
          .choices(['minimal', 'full'])
          .default('minimal'),
      ]),
      loggingFlags,
      connectionFlags,
    ],
    examples: [
      'trueup import > trueup.yaml',
      "trueup import --project 'shop*' --attributes full",
      'trueup import -f infra --out-dir infra',
      'terraform state pull | trueup import --from-terraform - > trueup.yaml',
    ],
    exits: [
      ['0', 'everything was imported'],
      ['1', 'error; nothing was written'],
      ['3', 'something could not be read; the rest was written'],
    ],
    load: async () => import('../commands/files/import.ts'),
  },
  {
    usage: 'pin',
    description: 'Write the ids of matched resources into your files. Comments and layout stay.',
    flags: [
      inputFlags,
      selectionFlags,
      group('Output', () => [
        flag('--to <file>', 'write the ids into FILE; later commands need FILE after -f'),
        flag('--fix', 'also repair ids whose resource no longer exists'),
      ]),
      resultFlags(SHORT),
      loggingFlags,
      connectionFlags,
      secretFlags,
    ],
    examples: [
      'trueup pin',
      'trueup pin --to ids.yaml && trueup plan -f trueup.yaml -f ids.yaml',
      "trueup pin --fix --target 'shop/*'",
    ],
    load: async () => import('../commands/files/pin.ts'),
  },
  {
    usage: 'hold <address>',
    description: 'Accept one live difference until a date. Writes a hold with its reason into the file.',
    flags: [
      group('Difference (all required)', () => [
        flag('--path <attribute>', 'attribute, such as autoscaling_limit_max_cu').makeOptionMandatory(),
        flag('--until <time>', 'date or time; from then on the difference is drift again').makeOptionMandatory(),
        flag('--reason <text>', 'reason for the hold, or the number of a ticket').makeOptionMandatory(),
      ]),
      inputFlags,
      loggingFlags,
      connectionFlags,
    ],
    examples: ['trueup hold shop/primary --path autoscaling_limit_max_cu --until 2026-12-01 --reason INC-4211'],
    load: async () => import('../commands/files/hold.ts'),
  },
  {
    usage: 'validate [path...]',
    description: 'Check the files offline. Reports every problem in one run.',
    flags: [inputFlags, resultFlags(SHORT), loggingFlags],
    examples: [
      'trueup validate',
      'trueup validate -f base.yaml --overlay prod.yaml',
      'trueup validate -f - --format json < trueup.yaml',
    ],
    load: async () => import('../commands/files/validate.ts'),
  },
  {
    usage: 'explain [attribute]',
    description: 'Explain an attribute of the file. Shows its meaning, its values, and what a change to it does.',
    flags: [resultFlags(SHORT), loggingFlags],
    examples: [
      'trueup explain',
      'trueup explain autoscaling_limit_max_cu',
      'trueup explain rotate.every --format json',
    ],
    load: async () => import('../commands/files/explain.ts'),
  },
  {
    usage: 'schema [name]',
    description: 'Print a JSON Schema. The name is desired-state (default), plan, result, event or drift.',
    flags: [],
    examples: ['trueup schema > trueup.schema.json', 'trueup schema plan'],
    load: async () => import('../commands/files/schema.ts'),
  },
];

/** The descriptions name the defaults, because help prints descriptions only. */
export const serveFlags: readonly Flags[] = [
  group('Address', () => [
    flag('--port <n>', 'port of the server; 0 picks a free port (default: 4010)', whole(0, 65_535)),
    new Option('--host <address>', 'address to listen on (default: 127.0.0.1)').default('127.0.0.1'),
    repeated('--host-name <name>', 'further host name that the server accepts in URLs').default([]),
    flag('--tls-cert <file>', 'certificate (PEM), for addresses beyond loopback'),
    flag('--tls-key <file>', 'private key of the certificate (PEM)'),
    flag('--allow-insecure', 'allow plain HTTP beyond loopback: keys travel in plaintext'),
  ]),
  group('Store', () => [
    new Option('--data <dir>', 'folder of the store (default: local in the state folder)').default(''),
    flag('--seed <file>', 'seed data of a new store, as YAML'),
    flag('--ephemeral', 'keep no data; several servers can run in one folder'),
  ]),
  group('Behavior', () => [
    new Option('--plan <plan>', 'subscription plan of the account: free, launch or scale (default: scale)')
      .choices(['free', 'launch', 'scale'])
      .default('scale'),
    repeated('--switch <name=value>', 'choose a behavior that the API documentation leaves open').default([]),
    repeated('--fault <fault>', 'fault: KIND,MEMBER=VALUE… or a fault plan as JSON').default([]),
    flag('--clock <time>', 'clock: a future time, +DURATION, frozen, or TIME,frozen'),
    flag('--operation-ms <min-max>', 'duration of operations in ms (default: 200-3000)'),
    flag('--admin', 'admin interface for faults and the ledger, on loopback'),
  ]),
  group('Postgres', () => [
    flag('--postgres', 'run PostgreSQL behind each compute'),
    flag(
      '--postgres-port <n>',
      'port for Postgres clients; 0 picks a free port (default: port of the last run)',
      whole(0, 65_535),
    ),
    flag('--postgres-bin <dir>', 'folder of postgres and initdb (default: auto-detected)'),
    new Option('--postgres-user <name>', 'user of the Postgres processes if you are root (default: nobody)').default(
      'nobody',
    ),
    flag('--max-computes <n>', 'limit on running computes (default: 40)', whole(1, 100_000)),
    flag('--allow-insecure-postgres', 'allow clients beyond loopback: any role can then run shell commands'),
  ]),
  group('Output', () => [
    flag('--request-log <file>', 'append each request as a JSON line, without secrets'),
    flag('--ready-file <file>', 'write url, console, key_file and postgres to FILE as JSON when the server is ready'),
  ]),
];
