// Copies data folders, also of a running Postgres, and makes the empty cluster from which root branches are copied.
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Server, startServer } from '../compute/server.ts';
import { type Machine, ADMIN } from '../machine/machine.ts';
import { run } from '../machine/programs.ts';
import { makeOwn, remove, requireOwn, writeWithin, writeOwn } from '../machine/places.ts';
import { withSql } from '../sql/client.ts';
import { platform } from 'node:os';
import { settingsOfPlace } from '../compute/settings.ts';
import { guardCluster } from '../sql/guard.ts';

const EMPTY = [
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
] as const;
/** Files that would change how a primary starts. A primary must use only our settings. */
const FOREIGN = ['postgresql.auto.conf', 'recovery.signal', 'standby.signal', 'tablespace_map'] as const;
/** Settings, and files of the running process or its replicas: these are not data. The write-ahead log is copied separately. */
const NOT_COPIED: ReadonlySet<string> = new Set([...EMPTY, 'postmaster.pid', 'postmaster.opts', 'pg_wal', ...FOREIGN]);

interface CopyOptions {
  readonly server?: Server | undefined;
  readonly finish?: (draft: string) => Promise<void>;
}

/** Copies the folder `from` to `to`. A crash leaves no incomplete `to`. */
export async function copyFolder(machine: Machine, from: string, to: string, options: CopyOptions = {}): Promise<void> {
  const draft = `${to}.new`;
  requireOwn(from, machine.user);
  await remove([draft]);
  makeOwn(draft, machine.user);
  if (options.server === undefined) {
    await copyData(machine, from, draft);
    await copyEntries(machine, [join(from, 'pg_wal')], draft);
  } else await copyRunning(machine, options.server, draft);
  await options.finish?.(draft);
  renameSync(draft, to);
}

async function copyData(machine: Machine, from: string, to: string): Promise<void> {
  const names = readdirSync(from).filter((name) => !NOT_COPIED.has(name));
  const entries = names.map((name) => join(from, name));
  await copyEntries(machine, entries, to);
  const script = 'cd -- "$1" && shift && mkdir -m 700 -- "$@"';
  await run('/bin/sh', ['-c', script, 'sh', to, ...EMPTY], machine.user);
}

/** Shares disk blocks if possible. Files deleted during the copy may be missing: recovery does not need them. */
async function copyEntries({ user }: Machine, entries: readonly string[], to: string): Promise<void> {
  const script = 'to=$1; shift; cp -a --reflink=auto -- "$@" "$to" 2>/dev/null || cp -a -- "$@" "$to"';
  await run('/bin/sh', ['-c', script, 'sh', to, ...entries], user);
}

/** Copies the folder of a running server. A replication slot keeps its write-ahead log until that is copied too. */
async function copyRunning(machine: Machine, server: Server, to: string): Promise<void> {
  const [start, stop] =
    machine.programs.major >= 15
      ? ["pg_backup_start('trueup', true)", 'pg_backup_stop(false)']
      : ["pg_start_backup('trueup', true, false)", 'pg_stop_backup(false, false)'];
  await withSql(server.connect(), async (sql) => {
    await sql.query("SELECT pg_create_physical_replication_slot('trueup_copy_' || pg_backend_pid(), true, true)");
    await sql.query(`SELECT ${start}`);
    await copyData(machine, server.folder, to);
    const [stopped] = await sql.query<{ labelfile: string }>(`SELECT labelfile FROM ${stop}`);
    await copyEntries(machine, [join(server.folder, 'pg_wal')], to);
    await writeWithin(join(to, 'backup_label'), stopped?.labelfile ?? '', machine.user);
  });
}

/** Removes files that would make a primary use foreign settings or follow another server. */
export function disarm({ user }: Machine, folder: string): Promise<void> {
  return remove(
    FOREIGN.map((name) => join(folder, name)),
    user,
  );
}

export function isCluster(folder: string): boolean {
  return existsSync(join(folder, 'PG_VERSION'));
}

const PORT = 1;
/** This locale sorts the same on all systems. If it has no UTF-8 form, `--encoding` selects UTF-8. */
const LOCALE = `--locale=${platform() === 'linux' ? 'C.UTF-8' : 'C'}`;

export async function ensureTemplate(machine: Machine, folder: string): Promise<void> {
  const { programs, user, places, adminPassword } = machine;
  if (existsSync(folder)) return requireOwn(folder, user);
  const draft = `${folder}.new`;
  await remove([draft]);
  makeOwn(draft, user);
  const passwordFile = join(places.run, 'admin-password');
  writeOwn(passwordFile, `${adminPassword}\n`, user);
  const options = ['-U', ADMIN, '--no-sync', '--encoding=UTF8', '--auth=scram-sha-256', LOCALE];
  try {
    await run(join(programs.bin, 'initdb'), ['-D', draft, ...options, `--pwfile=${passwordFile}`], user);
  } finally {
    rmSync(passwordFile, { force: true });
  }
  await prepare(machine, draft);
  renameSync(draft, folder);
}

/** Makes the parts that every branch has: the roles of the control plane, and the pooler's function in the template databases. */
async function prepare(machine: Machine, folder: string): Promise<void> {
  const settings = { ...settingsOfPlace(machine, PORT), fsync: 'off' };
  const server = await startServer(machine, { folder, port: PORT, settings });
  try {
    const { connect } = server;
    await withSql(connect(), (sql) => guardCluster({ sql, machine, connect, replicates: false }));
  } finally {
    await server.stop();
  }
}
