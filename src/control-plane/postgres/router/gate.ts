// Who may come in to which compute: it exists, the client's address is allowed, it is not disabled, it has room, and it runs.
import { BlockList, isIP } from 'node:net';
import type { Clock } from '../../../base/time/clock.ts';
import type { Engine } from '../../engine/engine.ts';
import { DatabaseError, connect } from '../../resources/compute/connections.ts';

import type { ComputeRecord } from '../../resources/compute/record.ts';
import type { Fleet, Running } from '../compute/fleet.ts';
import type { Wanted } from './startup.ts';

const LOOK_MS = 10;
const PATIENCE_MS = 120_000;

export interface Gate {
  /** Lets a client in; resolves when the compute runs. Throws DatabaseError. */
  enter(wanted: Wanted | 'none' | 'both', address: string): Promise<Entered>;
}

export interface Entered {
  readonly compute: ComputeRecord;
  readonly running: Running;
  /** The client is gone. */
  leave(): void;
}

export function openGate({ engine, fleet, clock }: { engine: Engine; fleet: Fleet; clock: Clock }): Gate {
  return {
    enter: async (wanted, address) => {
      if (wanted === 'none')
        throw new DatabaseError(
          '08004',
          'endpoint ID is not specified: connect by the host name of the endpoint with TLS, or pass options=endpoint%3Dep-…',
        );
      if (wanted === 'both')
        throw new DatabaseError('08004', 'the host name and the option endpoint name different endpoints');
      const { computeId, pooled } = wanted;
      engine.settle();
      requireAllowed(engine, engine.live.computes.get(computeId), address);
      const connection = connect(engine, computeId, { pooled });
      try {
        return { ...(await whenUp(engine, fleet, { clock, computeId })), leave: () => connection.close() };
      } catch (error) {
        connection.close();
        throw error;
      }
    },
  };
}

interface Waiting {
  readonly clock: Clock;
  readonly computeId: string;
}

/** Waits until the compute is up, as long as something is on its way that will bring it up. */
async function whenUp(
  engine: Engine,
  fleet: Fleet,
  { clock, computeId }: Waiting,
): Promise<Pick<Entered, 'compute' | 'running'>> {
  const untilMs = clock.monotonicMs() + PATIENCE_MS;
  for (;;) {
    engine.settle();
    const compute = engine.live.computes.get(computeId);
    if (compute === undefined) throw new DatabaseError('57P01', 'the endpoint has been deleted');
    const running = fleet.running(computeId);
    const isBusy = isChanging(engine, computeId);
    if (compute.currentState === 'active' && running !== undefined && !isBusy) return { compute, running };
    if (!isBusy && compute.currentState !== 'active')
      throw new DatabaseError('57P03', `the endpoint could not be started: ${lastFailure(engine, compute)}`);
    if (clock.monotonicMs() > untilMs) throw new DatabaseError('57P03', 'the endpoint is still being started');
    await clock.sleep(LOOK_MS);
  }
}

/** True while operations are open that start or stop the compute. */
function isChanging(engine: Engine, computeId: string): boolean {
  for (const { effect } of engine.live.operations.on.get(computeId))
    if (effect === 'activate' || effect === 'suspend') return true;
  return false;
}

const RECENT = 50;

function lastFailure(engine: Engine, { id, projectId }: ComputeRecord): string {
  const recent = engine.store.operations({ projectId, limit: RECENT });
  return recent.find(({ endpointId, error }) => endpointId === id && error !== undefined)?.error ?? 'it is suspended';
}

/** Refuses an address that the project does not let in; without such a list everybody may. */
function requireAllowed(engine: Engine, compute: ComputeRecord | undefined, address: string): void {
  if (compute === undefined) return;
  const settings = engine.live.projects.get(compute.projectId)?.settings;
  if (settings?.block_public_connections === true)
    throw new DatabaseError('28000', 'connections from outside a private network are blocked for this project');
  const { ips = [], protected_branches_only: onlyProtected = false } = settings?.allowed_ips ?? {};
  if (ips.length === 0 || (onlyProtected && engine.live.branches.get(compute.branchId)?.isProtected !== true)) return;
  if (!isListed(ips, address))
    throw new DatabaseError('28000', `the address ${address} is not allowed to connect to this endpoint`);
}

/** Is the address among single ones, CIDR ranges, and ranges from-to? */
export function isListed(entries: readonly string[], address: string): boolean {
  const list = new BlockList();
  for (const entry of entries) {
    const [from = '', to] = entry.split('-').map((part) => part.trim());
    const [base = '', bits] = from.split('/');
    const family = isIP(base) === 6 ? 'ipv6' : 'ipv4';
    if (to !== undefined) list.addRange(from, to, family);
    else if (bits === undefined) list.addAddress(base, family);
    else list.addSubnet(base, Number(bits), family);
  }
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
