// The settings of a Postgres server, which depend on the machine, the compute's size and the user.
import { platform } from 'node:os';
import { join } from 'node:path';
import { sizeOf } from '../../../api/size-table.ts';
import type { ComputeRecord } from '../../resources/compute/record.ts';
import { preloadLibraries } from '../../resources/project/settings.ts';
import type { Machine } from '../machine/machine.ts';
import { run } from '../machine/programs.ts';
import { writeOwn } from '../machine/places.ts';

export type Settings = Readonly<Record<string, string>>;

/** The service documents 128 MB for every size; many computes share one machine here, so each gets a quarter. */
const SHARED_BUFFERS_MB = 32;
const CACHE_MB_PER_CU = 3276.8;
const CONNECTIONS_PER_CU = 450.5;
const MOST_CONNECTIONS = 4000;
const MAINTENANCE_MB_PER_CU = 64;
const WORKERS = 12;
const PARALLEL_WORKERS = 8;

export function settingsOfPlace({ places }: Machine, port: number): Settings {
  return {
    listen_addresses: '',
    port: String(port),
    unix_socket_directories: places.sockets,
    unix_socket_permissions: '0700',
    hba_file: join(places.run, 'hba.conf'),
    ident_file: join(places.run, 'ident.conf'),
    password_encryption: 'scram-sha-256',
    logging_collector: 'off',
    log_destination: 'stderr',
    log_line_prefix: '',
    lc_messages: 'C',
    timezone: 'UTC',
    log_timezone: 'UTC',
    wal_level: 'replica',
    max_wal_senders: '10',
    max_replication_slots: '10',
    wal_keep_size: '128MB',
    min_wal_size: '32MB',
    shared_buffers: `${SHARED_BUFFERS_MB}MB`,
    // Data that is deleted at the end of the run need not survive a crash of the machine.
    ...(places.isEphemeral ? { fsync: 'off' } : {}),
    ...(platform() === 'linux' ? { recovery_init_sync_method: 'syncfs' } : {}),
  };
}

/** Settings that follow from the size (api-rules 13.2, 13.3): connections from the minimum size, memory from the maximum. */
export function settingsOfSize({ minCu, maxCu }: Pick<ComputeRecord, 'minCu' | 'maxCu'>): Settings {
  return {
    max_connections: String(maxConnectionsOf(minCu)),
    effective_cache_size: `${Math.round(maxCu * CACHE_MB_PER_CU)}MB`,
    maintenance_work_mem: `${Math.max(MAINTENANCE_MB_PER_CU, Math.round(maxCu * MAINTENANCE_MB_PER_CU))}MB`,
    max_worker_processes: String(WORKERS + Math.floor(2 * maxCu)),
    max_parallel_workers: String(PARALLEL_WORKERS + Math.floor(maxCu)),
    temp_file_limit: '20GB',
  };
}

/** The table of sizes follows this formula, which serves sizes that are not in the table. */
export function maxConnectionsOf(minCu: number): number {
  return sizeOf(minCu)?.maxConnections ?? Math.min(MOST_CONNECTIONS, Math.floor(minCu * CONNECTIONS_PER_CU));
}

/** Groups of server-wide settings that users may set, by the category names of Postgres. */
const OPEN_GROUPS = /^(?:Autovacuum|Lock Management|Resource Usage \/|Write-Ahead Log \/ Checkpoints|.*\/ When to Log)/;
/** Settings that users may not set: fixed by the API (api-rules 13.4), or a way to run code in the server. */
const CLOSED: ReadonlySet<string> = new Set([
  'dynamic_shared_memory_type',
  'huge_pages',
  'local_preload_libraries',
  'shared_buffers',
  'shared_memory_type',
]);

export async function openSettings({ programs, user }: Machine): Promise<ReadonlySet<string>> {
  const told = await run(join(programs.bin, 'postgres'), ['--describe-config'], user);
  const rows = told.split('\n').map((line) => line.split('\t'));
  const open = rows.filter(([name = '', context, group = '']) => {
    return !CLOSED.has(name) && (context === 'user' || OPEN_GROUPS.test(group));
  });
  return new Set(open.map(([name = '']) => name));
}

/** The settings that the user chose for a compute: `pg_settings` and libraries. Throws for a setting that users may not set. */
export function settingsOfUser({ settings }: Pick<ComputeRecord, 'settings'>, open: ReadonlySet<string>): Settings {
  const entries = Object.entries(settings.pg_settings ?? {});
  for (const [name] of entries) if (!open.has(name)) throw cannotBeSet('pg_settings', name);
  const libraries = settings.preload_libraries?.enabled_libraries ?? [];
  const known = preloadLibraries.map((library) => library['library_name']);
  for (const name of libraries) if (!known.includes(name)) throw cannotBeSet('preload_libraries', name);
  return {
    ...Object.fromEntries(entries.map(([name, value]) => [name, String(value)])),
    ...(libraries.length === 0 ? {} : { shared_preload_libraries: libraries.join(', ') }),
  };
}

function cannotBeSet(member: string, name: string): Error {
  return new Error(`${member}: ${JSON.stringify(name.slice(0, 60))} cannot be set on a compute`);
}

const POOLER_SETTINGS =
  /^(?:default_pool_size|min_pool_size|reserve_pool_(?:size|timeout)|max_(?:db|user)_connections|[a-z_]+_timeout|server_lifetime)$/;

export function settingsOfPooler({ settings }: Pick<ComputeRecord, 'settings'>): Settings {
  const entries = Object.entries(settings.pgbouncer_settings ?? {});
  for (const [name, value] of entries)
    if (!POOLER_SETTINGS.test(name) || !/^\d{1,9}$/.test(String(value))) throw cannotBeSet('pgbouncer_settings', name);
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

export function writeSettings(machine: Machine, file: string, settings: Settings): void {
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${quoted(value)}\n`);
  writeOwn(file, lines.join(''), machine.user);
}

function quoted(value: string): string {
  return `'${value
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "''")
    .replaceAll(/[\r\n\0]/g, ' ')}'`;
}

/** Makes Postgres check the file as at a start. Throws with the message of Postgres about an invalid value. */
export async function checkSettings({ programs, user }: Machine, folder: string, file: string): Promise<void> {
  await run(join(programs.bin, 'postgres'), ['-D', folder, '-c', `config_file=${file}`, '-C', 'max_connections'], user);
}
