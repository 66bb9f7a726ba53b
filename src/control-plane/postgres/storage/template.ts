// The template: an empty cluster with the superuser and the group of API roles, made once and copied for each root branch.
import { existsSync, renameSync, rmSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../compute/server.ts';
import { settingsOfPlace, writeSettings } from '../compute/settings.ts';
import { ADMIN, type Machine } from '../machine/machine.ts';
import { makeOwn, remove, requireOwn, writeOwn } from '../machine/places.ts';
import { run } from '../machine/run.ts';
import { withSql } from '../sql/client.ts';
import { guardCluster } from '../sql/guard.ts';

const PORT = 1;
/** The one locale that sorts alike everywhere; where it has no UTF-8 of its own, the encoding says so. */
const LOCALE = `--locale=${platform() === 'linux' ? 'C.UTF-8' : 'C'}`;

/** Makes the template in `folder` unless it is there. */
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

/** Makes what every branch has: the roles of the control plane, and the pooler's function in the databases that others are made from. */
async function prepare(machine: Machine, folder: string): Promise<void> {
  const configFile = join(machine.places.run, 'template.conf');
  writeSettings(machine, configFile, { ...settingsOfPlace(machine, PORT), fsync: 'off' });
  const server = await startServer(machine, { folder, configFile, port: PORT });
  try {
    await withSql(server.connect(), (sql) =>
      guardCluster({ sql, machine, connect: (database) => server.connect(database), replicates: false }),
    );
  } finally {
    await server.stop();
  }
}
