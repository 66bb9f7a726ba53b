// A pgbouncer for each compute that needs one: from the first client of the `-pooler` host until the compute stops.
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseError } from '../../resources/compute/connections.ts';
import type { ComputeRecord } from '../../resources/compute/record.ts';
import { POOLER, startDaemon, type Machine } from '../machine/machine.ts';
import { writeOwn } from '../machine/places.ts';
import { LOOK_UP } from '../sql/guard.ts';
import type { Server } from './server.ts';
import { maxConnectionsOf, settingsOfPooler } from './settings.ts';

interface Pooler {
  readonly port: number;
  readonly isUp: Promise<boolean>;
  stop(): void;
}

const START_MS = 10_000;
const LOOK_MS = 5;
/** The pools get this share of a compute's connections; direct clients get the rest. */
const POOL_SHARE = 0.9;
const MAX_CLIENTS = 10_000;
const FIRST_PORT = 20_000;
/** Short, because after a client asked for a database too early, the pooler refuses that database for this time. */
const LOGIN_RETRY_S = 0.2;

/** Reads the verifier of a role's password from Postgres, so that pooler and compute accept the same password. */
const AUTH_QUERY = `SELECT rolname, rolpassword FROM ${LOOK_UP}($1)`;

export class Poolers {
  readonly #machine: Machine;
  readonly #poolers: Map<Server, Pooler> = new Map();
  #made: number = 0;

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  /** The port number in the name of the pooler's socket. Starts the pooler if none runs. Throws DatabaseError. */
  async portOf(compute: ComputeRecord, server: Server): Promise<number> {
    const program = this.#machine.programs.pgbouncer;
    if (program === undefined)
      throw new DatabaseError(
        '0A000',
        'pooled connections need pgbouncer, which is not installed on the machine of this server; connect to the host without -pooler',
      );
    const pooler = this.#poolers.get(server) ?? this.#start(program, compute, server);
    this.#poolers.set(server, pooler);
    if (await pooler.isUp) return pooler.port;
    throw new DatabaseError('57P03', 'the pooler of this endpoint did not start');
  }

  stop(server: Server): void {
    this.#poolers.get(server)?.stop();
    this.#poolers.delete(server);
  }

  #start(program: string, compute: ComputeRecord, server: Server): Pooler {
    const { user, places } = this.#machine;
    const port = FIRST_PORT + this.#made++;
    const file = join(places.run, `${port}.ini`);
    writeOwn(file, this.#configuration(compute, server, port), user);
    const { child, ended, isUp } = startDaemon(this.#machine, program, ['-q', file], 'ignore');
    const forget = (): void => {
      if (this.#poolers.get(server)?.port === port) this.#poolers.delete(server);
    };
    void ended.then(forget);
    const stop = (): void => void child.kill('SIGTERM');
    void server.ended.then(stop);
    return { port, isUp: this.#comesUp(port, isUp), stop };
  }

  async #comesUp(port: number, isAlive: () => boolean): Promise<boolean> {
    const { clock, places } = this.#machine;
    const untilMs = clock.monotonicMs() + START_MS;
    const socket = join(places.sockets, `.s.PGSQL.${port}`);
    while (!(await isAnswered(socket))) {
      if (!isAlive() || clock.monotonicMs() > untilMs) return false;
      await clock.sleep(LOOK_MS);
    }
    return true;
  }

  #configuration(compute: ComputeRecord, server: Server, port: number): string {
    const { places } = this.#machine;
    const pool = { default_pool_size: String(Math.max(1, Math.floor(maxConnectionsOf(compute.minCu) * POOL_SHARE))) };
    const settings = { ...pool, ...settingsOfPooler(compute) };
    return `[databases]
* = host=${places.sockets} port=${server.port} auth_user=${POOLER}
[pgbouncer]
unix_socket_dir = ${places.sockets}
unix_socket_mode = 0700
listen_addr =
listen_port = ${port}
auth_type = scram-sha-256
auth_file = ${join(places.run, 'pooler-users')}
auth_query = ${AUTH_QUERY}
pool_mode = transaction
max_client_conn = ${MAX_CLIENTS}
server_login_retry = ${LOGIN_RETRY_S}
${Object.entries(settings)
  .map(([name, value]) => `${name} = ${value}\n`)
  .join('')}ignore_startup_parameters = extra_float_digits,options,search_path
`;
  }
}

/** True when a server accepts connections at the socket. The socket's file is no proof, because it exists earlier. */
export function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
