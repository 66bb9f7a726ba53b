// The flags of `trueup serve`.
import { flag, group, repeated, type Flags } from './flags.ts';
import { Option } from './commander.ts';

/** The defaults stand in the text as well: help prints the text alone. */
export const serveFlags: readonly Flags[] = [
  group('Address', () => [
    new Option('--port <n>', 'port of the server; 0 picks a free port (default: 4010)').default('4010'),
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
    new Option('--plan <plan>', 'subscription plan of the account: free, launch or scale (default: scale)').default(
      'scale',
    ),
    repeated('--switch <name=value>', 'choose a behavior that the API documentation leaves open').default([]),
    repeated('--fault <fault>', 'fault: KIND,MEMBER=VALUE… or a fault plan as JSON').default([]),
    flag('--clock <time>', 'clock: a future time, +DURATION, frozen, or TIME,frozen'),
    flag('--operation-ms <min-max>', 'duration of operations in ms (default: 200-3000)'),
    flag('--admin', 'admin interface for faults and the ledger, on loopback'),
  ]),
  group('Postgres', () => [
    flag('--postgres', 'run PostgreSQL behind each compute'),
    flag('--postgres-port <n>', 'port for Postgres clients; 0 picks a free port (default: port of the last run)'),
    flag('--postgres-bin <dir>', 'folder of postgres and initdb (default: auto-detected)'),
    new Option('--postgres-user <name>', 'user of the Postgres processes if you are root (default: nobody)').default(
      'nobody',
    ),
    new Option('--max-computes <n>', 'limit on running computes (default: 40)').default('40'),
    flag('--allow-insecure-postgres', 'allow clients beyond loopback: any role can then run shell commands'),
  ]),
  group('Output', () => [
    flag('--request-log <file>', 'append each request as a JSON line, without secrets'),
    flag('--ready-file <file>', 'write url, console, key_file and postgres to FILE as JSON when the server is ready'),
  ]),
];
