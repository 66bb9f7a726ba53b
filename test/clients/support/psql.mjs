// psql, told a connection string and nothing else; and whether this machine has what it takes.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';

const DEBIAN = '/usr/lib/postgresql';

/** Why nothing can be shown with a PostgreSQL here; undefined where it can. */
export function whyNoPostgres() {
  const path = (process.env.PATH ?? '').split(delimiter);
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin')) : [];
  const has = (program, folders) => folders.some((folder) => existsSync(join(folder, program)));
  if (!has('psql', path)) return 'there is no psql on the PATH';
  return has('postgres', [...path, ...versions]) ? undefined : 'there is no PostgreSQL';
}

/** The rows of a query, their columns apart by `|`. Rejects with the words of psql. */
export function runPsql(uri, sql) {
  const env = { PATH: process.env.PATH, PGCONNECT_TIMEOUT: '20' };
  return new Promise((resolve, reject) => {
    execFile('psql', [uri, '-XqAt', '-v', 'ON_ERROR_STOP=1', '-c', sql], { env }, (error, stdout, stderr) => {
      if (error !== null) return reject(new Error(stderr.trim() || error.message));
      return resolve(stdout.split('\n').filter((line) => line !== ''));
    });
  });
}
