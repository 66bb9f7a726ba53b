// Runs a Postgres for each compute of a control plane. The servers open after the control plane and close before it.
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { systemClock } from '../../base/time/clock.ts';
import { newSecretText, regionDomain } from '../resources/engine/naming.ts';
import type { Engine } from '../resources/engine/engine.ts';
import { inHeader } from '../api/hosts.ts';
import { keptIn, readOwn, writeOwn as writeKept } from '../store/own-file.ts';
import { Fleet } from './compute/fleet.ts';
import { ADMIN, POOLER, type Machine, startWatchman } from './machine/machine.ts';
import { userToBe, findPrograms } from './machine/programs.ts';
import { makePlaces, remove, writeOwn } from './machine/places.ts';
import { certificateIn } from './router/certificate.ts';
import { openWorks } from './works.ts';
import { openRouter, type Router } from './router/router.ts';

export interface PostgresOptions {
  /** Port for clients; 0 picks one. Default: the port of the store's last run, so that connection strings stay valid. */
  readonly port?: number;
  /** Folder of `postgres` and `initdb`. Default: auto-detected. */
  readonly bin?: string;
  /** System user that runs Postgres if the server runs as root. Default: nobody. */
  readonly user?: string;
  readonly maxComputes?: number;
}

export interface OpenPostgres {
  readonly address: string;
  /** Version of the installed programs, such as 17.2. It is used whatever version a project asks for. */
  readonly version: string;
  readonly folder: string;
  close(): Promise<void>;
}

const DEFAULT_USER = 'nobody';
const MAX_COMPUTES = 40;
const PASSWORD_LENGTH = 40;

/** Starts the router, and a Postgres for each active compute. Throws WorksError, ServerError, StoreError, system errors. */
export async function openPostgres(
  engine: Engine,
  { host, store }: { readonly host: string; readonly store: string | undefined },
  options: PostgresOptions,
): Promise<OpenPostgres> {
  const { random } = engine;
  const user = await userToBe(options.user ?? DEFAULT_USER);
  const programs = await findPrograms(options.bin, user);
  const places = await makePlaces({ store, storeId: engine.meta.account.id }, user);
  const machine = makeMachine({ programs, user, places, random, clock: systemClock });
  const kept = store ?? places.run;
  const portFile = join(kept, 'postgres-port');
  const fleet = new Fleet({ machine, engine, maxComputes: options.maxComputes ?? MAX_COMPUTES });
  let router: Router;
  try {
    await fleet.open();
    router = await openRouter({
      host,
      port: options.port ?? (Number(readOwn(portFile)) || 0),
      certificate: certificateIn(kept, {
        names: ['localhost', ...domains(engine).map((domain) => `*.${domain}`)],
        nowMs: systemClock.nowMs(),
        random,
      }),
      gate: { engine, fleet, machine },
    });
  } catch (error) {
    await leave(machine, fleet);
    throw error;
  }
  writeKept(portFile, `${router.port}\n`);
  const address = `${inHeader(host)}:${router.port}`;
  const works = openWorks(engine, fleet, address, (id) => router.lastUseMs(id));
  engine.works = works;
  await wakeActive(engine, fleet);
  works.committed();
  return {
    address,
    version: programs.version,
    folder: places.data,
    close: async () => {
      await router.close();
      await Promise.all([works.close(), fleet.close()]);
      engine.works = undefined;
      await leave(machine, fleet);
    },
  };
}

async function leave({ watchman, places }: Machine, fleet: Fleet): Promise<void> {
  await fleet.close();
  await watchman.dismiss();
  await remove([places.run]);
}

/** Only the control plane may replicate, copy all data, or connect to the system databases. */
const HBA = `
local all ${ADMIN} scram-sha-256
local replication ${ADMIN} scram-sha-256
local replication,postgres,template0,template1 all reject
local all all scram-sha-256
`;

function makeMachine(found: Omit<Machine, 'adminPassword' | 'poolerPassword' | 'watchman'>): Machine {
  const { user, places, random } = found;
  // Kept in the data folder, because the admin role in the data keeps this password across runs.
  const passwordFile = join(places.data, 'admin-password');
  const adminPassword = keptIn(passwordFile, () => newSecretText(random, '', PASSWORD_LENGTH));
  const write = (name: string, text: string): void => writeOwn(join(places.run, name), text, user);
  write('hba.conf', HBA);
  write('ident.conf', '');
  write('passwords', `*:*:*:${ADMIN}:${adminPassword}\n`);
  // Derived, so that each run has the same password: a replica copies the pooler role from data of earlier runs.
  const poolerPassword = createHmac('sha256', adminPassword).update(POOLER).digest('hex');
  write('pooler-users', `"${POOLER}" "${poolerPassword}"\n`);
  return { ...found, adminPassword, poolerPassword, watchman: startWatchman(places.run) };
}

function domains(engine: Engine): string[] {
  const regions = [...engine.live.projects.values()].map(({ regionId }) => regionId);
  return [...new Set([...regions, 'aws-us-east-2', 'aws-eu-central-1'].map(regionDomain))].sort();
}

/** The most branches whose data is made at the start. With more branches, data is made only when it is first needed. */
const MOST_MADE_AT_START = 20;

/** Makes the data of branches and starts active computes, the last used first, because some may be too many. */
async function wakeActive({ live }: Engine, fleet: Fleet): Promise<void> {
  const branches = [...live.branches.keys()];
  // This step ignores failures: they are reported when a compute of the branch starts.
  if (branches.length <= MOST_MADE_AT_START) await Promise.allSettled(branches.map((id) => fleet.timelines.ensure(id)));
  const active = [...live.computes.values()].filter(({ currentState }) => currentState === 'active');
  active.sort((a, b) => b.activityMs - a.activityMs);
  await Promise.all(active.map(({ id }) => fleet.startOrFall(id)));
}
