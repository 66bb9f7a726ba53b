// The flags of `trueup serve`.
import type { Command } from './commander.ts';

import { each } from './flags.ts';

/** Where it listens, what it keeps, and who may reach it. */
export function withServeFlags(command: Command): Command {
  return command
    .option('--port <n>', 'port; 0 picks one', '4010')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--host-name <name>', 'a further name under which it may be addressed; repeatable', each, [])
    .option('--data <dir>', 'where the store lives (default: local in the state folder)', '')
    .option('--seed <file>', 'world of a new store, as YAML')
    .option('--ephemeral', 'keeps nothing: any number may run in one folder')
    .option('--plan <plan>', 'plan of the account: free, launch or scale', 'scale')
    .option('--switch <name=value>', 'what the public references leave open; repeatable', each, [])
    .option('--fault <fault>', 'KIND,MEMBER=VALUE… or a fault plan as JSON; repeatable', each, [])
    .option('--clock <time>', 'a time to come or +DURATION, and/or frozen, with a comma between them')
    .option('--request-log <file>', 'a JSON line for each request, without secrets')
    .option('--ready-file <file>', 'written once everything answers: JSON with url, console, key_file and postgres')
    .option('--operation-ms <min-max>', 'how long operations take, in milliseconds (default: 200-3000)')
    .option('--postgres', 'a PostgreSQL behind each compute; operations take as long as it takes')
    .option('--postgres-port <n>', 'port at which its clients come in; 0 picks one (default: that of the last run)')
    .option('--postgres-bin <dir>', 'folder of postgres and initdb; looked for unless told')
    .option('--postgres-user <name>', 'who its processes run as where you are root', 'nobody')
    .option('--allow-insecure-postgres', 'Postgres beyond loopback: its roles are trusted like a shell of its user')
    .option('--max-computes <n>', 'most computes that run at a time with --postgres', '40')
    .option('--tls-cert <file>', 'certificate (PEM), for addresses beyond loopback')
    .option('--tls-key <file>', 'its private key (PEM)')
    .option('--allow-insecure', 'plain HTTP beyond loopback: keys travel in clear')
    .option('--admin', 'the admin interface for faults and the ledger, on loopback, with a token of its own');
}
