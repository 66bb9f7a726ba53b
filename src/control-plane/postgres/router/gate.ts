// Admits a client to a compute that exists, is enabled and allows the client's address. Starts the compute if needed.
import { join } from 'node:path';
import type { Engine } from '../../resources/engine/engine.ts';
import { DatabaseError, connect } from '../../resources/compute/connections.ts';
import type { ComputeRecord } from '../../resources/compute/record.ts';
import type { Fleet, Running } from '../compute/fleet.ts';
import { ADMIN, POOLER, type Machine } from '../machine/machine.ts';
import type { Wanted } from './protocol.ts';

const LOOK_MS = 10;
const PATIENCE_MS = 120_000;

export interface Entered {
  readonly computeId: string;
  /** The path of the socket of the compute, or of its pooler. */
  readonly socket: string;
}

/** The user and the database of the pooler's admin console. */
const CONSOLE = 'pgbouncer';
const OWN_USERS: ReadonlySet<string> = new Set([ADMIN, POOLER, CONSOLE]);
const OWN_DATABASES: ReadonlySet<string> = new Set(['postgres', 'template0', 'template1', CONSOLE]);

/** Refuses users and databases that belong to the control plane or the pooler. Throws DatabaseError. */
export function refuseOwn(parameters: ReadonlyMap<string, string>): void {
  const user = parameters.get('user') ?? '';
  // As in Postgres and the pooler, the database defaults to the name of the user.
  const database = parameters.get('database') || user;
  if (OWN_USERS.has(user)) throw new DatabaseError('28P01', `password authentication failed for user "${user}"`);
  if (OWN_DATABASES.has(database)) throw new DatabaseError('28000', `the database "${database}" takes no connections`);
}

export interface Gate {
  readonly engine: Engine;
  readonly fleet: Fleet;
  readonly machine: Machine;
}

/** Admits a client; resolves when the compute runs. Throws DatabaseError. */
export async function enter(gate: Gate, { computeId, pooled }: Wanted, address: string): Promise<Entered> {
  connect(gate.engine, computeId, { from: address });
  const { compute, running } = await whenUp(gate, computeId);
  const port = pooled ? await gate.fleet.poolers.portOf(compute, running.server) : running.server.port;
  return { computeId, socket: join(gate.machine.places.sockets, `.s.PGSQL.${port}`) };
}

async function whenUp(
  { engine, fleet, machine: { clock } }: Gate,
  computeId: string,
): Promise<{ readonly compute: ComputeRecord; readonly running: Running }> {
  const untilMs = clock.monotonicMs() + PATIENCE_MS;
  for (;;) {
    engine.settle();
    const compute = engine.live.computes.get(computeId);
    if (compute === undefined) throw new DatabaseError('57P01', 'the endpoint has been deleted');
    const running = fleet.running(computeId);
    const open = engine.live.operations.on.get(computeId);
    const isBusy = open.some(({ effect }) => effect === 'activate' || effect === 'suspend');
    if (compute.currentState === 'active' && running !== undefined && !isBusy) return { compute, running };
    if (!isBusy && compute.currentState !== 'active')
      throw new DatabaseError('57P03', `the endpoint could not be started: ${lastFailure(engine, compute)}`);
    if (clock.monotonicMs() > untilMs) throw new DatabaseError('57P03', 'the endpoint is still being started');
    await clock.sleep(LOOK_MS);
  }
}

const RECENT = 50;

function lastFailure(engine: Engine, { id, projectId }: ComputeRecord): string {
  const recent = engine.store.past({ projectId, limit: RECENT });
  return recent.find(({ endpointId, error }) => endpointId === id && error !== undefined)?.error ?? 'it is suspended';
}
