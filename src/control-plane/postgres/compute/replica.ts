// Read replicas: each has a copy of the branch's data, and follows the branch's primary while the primary runs.
import { join } from 'node:path';
import { ADMIN, type Machine } from '../machine/machine.ts';
import { withSql } from '../sql/client.ts';
import { ServerError, startServer, type Server } from './server.ts';
import type { Settings } from './settings.ts';

export function replicaSettings({ places }: Machine, primaryPort: number): Settings {
  const passwords = join(places.run, 'passwords');
  return {
    hot_standby: 'on',
    wal_retrieve_retry_interval: '200ms',
    max_standby_streaming_delay: '30s',
    primary_conninfo: `host=${places.sockets} port=${primaryPort} user=${ADMIN} passfile=${passwords} application_name=replica`,
  };
}

/** Matches the error of a replica whose setting is below its primary's; captures the setting and the primary's value. */
const TOO_SMALL = /(\w+) = \d+ is a lower setting than on the primary server, where its value was (\d+)/;
const MOST_ATTEMPTS = 6;

/** Starts a replica. Raises a setting to the primary's value where Postgres demands that. */
export async function startReplica(machine: Machine, place: Parameters<typeof startServer>[1]): Promise<Server> {
  let { settings } = place;
  for (let attempt = 1; ; attempt++) {
    try {
      return await startServer(machine, { ...place, settings });
    } catch (error) {
      const log = error instanceof ServerError ? error.log.join('\n') : '';
      const [, name, value] = TOO_SMALL.exec(log) ?? [];
      if (name === undefined || value === undefined || attempt === MOST_ATTEMPTS) throw error;
      settings = { ...settings, [name]: value };
    }
  }
}

const PATIENCE_MS = 5000;
const LOOK_MS = 20;

/** Waits until the running replicas have replayed all that the primary has written, but only for some seconds. */
export async function awaitReplay({ clock }: Machine, primary: Server, replicas: () => number): Promise<void> {
  if (replicas() === 0) return;
  const untilMs = clock.monotonicMs() + PATIENCE_MS;
  const wait = withSql(primary.connect(), async (sql) => {
    const [written] = await sql.query<{ readonly lsn: string }>('SELECT pg_current_wal_lsn() AS lsn');
    const replayed = "SELECT FROM pg_stat_replication WHERE application_name = 'replica' AND replay_lsn >= $1";
    const isBehind = async (): Promise<boolean> => (await sql.query(replayed, [written?.lsn])).length < replicas();
    while (clock.monotonicMs() < untilMs && (await isBehind())) await clock.sleep(LOOK_MS);
  });
  // A primary that fails here has its own way to report this.
  await wait.catch(() => undefined);
}
