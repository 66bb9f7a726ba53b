// Copies of data folders: of one at rest as it is, of a running one consistently, in backup mode.
import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Server } from '../compute/server.ts';
import type { Machine } from '../machine/machine.ts';
import { makeOwn, remove, requireOwn, writeWithin } from '../machine/places.ts';
import { run } from '../machine/run.ts';
import { withSql, type Sql } from '../sql/client.ts';

/** Folders that must be there, and are made empty. */
const EMPTY = [
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
] as const;
/** Settings and orders that a folder may bring along: those of a primary are ours alone. */
const FOREIGN = ['postgresql.auto.conf', 'recovery.signal', 'standby.signal', 'tablespace_map'] as const;
/** Files of the running process or of its replicas, which are no data. The log is copied separately. */
const NOT_COPIED: ReadonlySet<string> = new Set([...EMPTY, 'postmaster.pid', 'postmaster.opts', 'pg_wal', ...FOREIGN]);

export interface CopyOptions {
  /** The Postgres that runs on the source, if one does. */
  readonly server: Server | undefined;
  /** Done to the copy before it is in its place. */
  readonly finish?: (draft: string) => Promise<void>;
}

/** Copies the folder `from` to `to`, which is there whole or not at all. */
export async function copyFolder(machine: Machine, from: string, to: string, options: CopyOptions): Promise<void> {
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

/** Shares the blocks where the file system can; a file that goes away while it is copied is one that recovery does without. */
async function copyEntries({ user }: Machine, entries: readonly string[], to: string): Promise<void> {
  const script = 'to=$1; shift; cp -a --reflink=auto -- "$@" "$to" 2>/dev/null || cp -a -- "$@" "$to"';
  await run('/bin/sh', ['-c', script, 'sh', to, ...entries], user);
}

/** The log from the beginning of the copy is kept by a slot until it has been copied too. */
async function copyRunning(machine: Machine, server: Server, to: string): Promise<void> {
  const { major } = machine.programs;
  await withSql(server.connect(), async (sql) => {
    await sql.query("SELECT pg_create_physical_replication_slot('trueup_copy_' || pg_backend_pid(), true, true)");
    await sql.query(
      major >= 15 ? "SELECT pg_backup_start('trueup', true)" : "SELECT pg_start_backup('trueup', true, false)",
    );
    await copyData(machine, server.folder, to);
    const label = await stopBackup(sql, major);
    await copyEntries(machine, [join(server.folder, 'pg_wal')], to);
    await writeWithin(join(to, 'backup_label'), label, machine.user);
  });
}

async function stopBackup(sql: Sql, major: number): Promise<string> {
  const call = major >= 15 ? 'pg_backup_stop(false)' : 'pg_stop_backup(false, false)';
  const [stopped] = await sql.query<{ labelfile: string }>(`SELECT labelfile FROM ${call}`);
  return stopped?.labelfile ?? '';
}

/** Takes from the folder of a primary what would have it run with other settings than ours, or follow another one. */
export function disarm({ user }: Machine, folder: string): Promise<void> {
  return remove(
    FOREIGN.map((name) => join(folder, name)),
    user,
  );
}

/** Is there a cluster in this folder? */
export function isCluster(folder: string): boolean {
  return existsSync(join(folder, 'PG_VERSION'));
}
