// `trueup serve`: runs the local server until a signal.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { defined } from '../../base/picked.ts';
import { systemWords } from '../../base/error-code.ts';
import { readPlain, isWithin } from '../../base/files/plain-file.ts';
import { inert } from '../../base/text/inert.ts';
import { shellWord } from '../../base/text/shell-word.ts';
import { parseDurationMs } from '../../base/time/duration.ts';
import { parseWrittenTimeMs } from '../../base/time/instant.ts';
import { type Plan, switchesOf } from '../../control-plane/resources/engine/switches.ts';
import { WorksError } from '../../control-plane/resources/engine/engine.ts';
import { FaultPlanError, faultPlanOf } from '../../control-plane/faults/check-plan.ts';
import { ExposedHostError } from '../../control-plane/api/hosts.ts';
import type { RequestLine } from '../../control-plane/api/request-log.ts';
import { serve as startServer, type Served, type ServeOptions } from '../../control-plane/serve/serve.ts';
import { StoreError } from '../../control-plane/core/store.ts';
import { WorldError } from '../../control-plane/world/load-project.ts';
import type { Invocation, Run } from '../command.ts';
import { exitCodes, UsageError } from '../process/exit-code.ts';
import { appendTo, checkWritable, makeFolder, openLog, writeWhole } from '../process/files.ts';
import type { Io } from '../process/io.ts';
import { tellOldFolder } from '../session/session.ts';
import { storeFolder, type Settings } from '../program/settings.ts';

export const run: Run = async (invocation) => {
  const { io } = invocation;
  // Listens for signals before any file is made, so that every stop removes the files.
  const stopped = new Promise<void>((stop) => {
    io.onSignal(() => stop());
  });
  await tellOldFolder(invocation);
  const options = await optionsOf(invocation);
  const ready = readyFileOf(invocation);
  const ownKey = options.dataDir === undefined ? newKeyFile(io) : null;
  let server: Served | undefined;
  try {
    server = await start(options);
    ownKey?.write(server.key);
    const keyFile = ownKey?.path ?? server.keyFile ?? '';
    const { url, postgres } = server;
    const console = `${url}/`;
    const variables = `TRUEUP_BASE_URL=${shellWord(`${url}/api/v2`)} TRUEUP_API_KEY_FILE=${shellWord(keyFile)}`;
    const lines = [
      ...(options.seed === undefined || server.isNew
        ? []
        : [`--seed is not used: the store in ${options.dataDir ?? ''} exists already`]),
      ...(server.isExposed ? [exposedWarning(options)] : []),
      `console: ${console}\nAPI key: in ${keyFile}\nto use the server:\nexport ${variables}`,
      ...(server.adminToken === undefined ? [] : [`admin token of this run: ${server.adminToken}`]),
    ];
    await io.stderr.write(`${lines.join('\n')}\n`);
    ready?.write(`${JSON.stringify({ url, console, key_file: keyFile, postgres })}\n`);
    if (server.postgresOf !== undefined) await io.stderr.write(postgresWords(server.postgresOf, options));
    await io.stdout.write(`listening on ${url}\n`);
    if (postgres !== null) await io.stdout.write(`postgres on ${postgres}\n`);
    await stopped;
    return exitCodes.done;
  } finally {
    ready?.remove();
    await server?.close();
    ownKey?.remove();
  }
};

function exposedWarning({ host = '', tls }: ServeOptions): string {
  const wire = tls === undefined ? ', and keys travel in plaintext' : '';
  return `warning: other machines can reach ${inert(host, 100)}: anybody with a key of this store can use the server${wire}`;
}

function postgresWords(
  { version, folder }: NonNullable<Served['postgresOf']>,
  { dataDir, postgres }: ServeOptions,
): string {
  const isElsewhere = dataDir !== undefined && !isWithin(dataDir, folder);
  const why = isElsewhere ? ` (${postgres?.user ?? 'Postgres'} cannot reach ${dataDir})` : '';
  return (
    `every compute runs PostgreSQL ${version}, whatever the project's pg_version; the data is in ${folder}${why}\n` +
    `anybody with the password of a role can run shell commands as the Postgres user\n`
  );
}

/** A file for the key of an in-memory store, in a temporary folder that is removed when the process ends. */
function newKeyFile(io: Io): { readonly path: string; write(key: string): void; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'trueup-serve-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  io.onExit(remove);
  const path = join(folder, 'root-key');
  return { path, write: (key) => writeFileSync(path, `${key}\n`, { mode: 0o600, flag: 'wx' }), remove };
}

/** The ready file, which exists while the server answers. Removes the file of an earlier run first. */
function readyFileOf({ io, flags }: Invocation): { write(text: string): void; remove(): void } | null {
  if (flags['readyFile'] === undefined) return null;
  const shown = String(flags['readyFile']);
  const path = resolve(io.cwd, shown);
  checkWritable(path, shown, io.cwd);
  rmSync(path, { force: true });
  return { write: (text) => writeWhole(path, text, io), remove: () => rmSync(path, { force: true }) };
}

async function optionsOf({ io, settings, flags }: Invocation): Promise<ServeOptions> {
  const given = <T>(name: string, read: (text: string) => T): T | undefined =>
    flags[name] === undefined ? undefined : read(String(flags[name]));
  const [seed, cert, key] = ['seed', 'tlsCert', 'tlsKey'].map((name) => given(name, (path) => readText(io.cwd, path)));
  if ((cert === undefined) !== (key === undefined))
    throw new UsageError('--tls-cert and --tls-key must be given together');
  if (flags['host'] === '') throw new UsageError('--host takes an address');
  const postgres = {
    user: String(flags['postgresUser']),
    maxComputes: Number(flags['maxComputes'] ?? 40),
    ...defined({ port: given('postgresPort', Number), bin: given('postgresBin', (path) => resolve(io.cwd, path)) }),
  };
  return {
    clock: io.clock,
    onBug: (error) => void io.stderr.write(`internal error: ${inert(String(error), 500)}\n`),
    random: io.random,
    host: String(flags['host']),
    port: Number(flags['port'] ?? 4010),
    allowInsecure: flags['allowInsecure'] === true,
    allowInsecurePostgres: flags['allowInsecurePostgres'] === true,
    hostNames: flags['hostName'] as readonly string[],
    plan: flags['plan'] as Plan,
    switches: orUsage(() => switchesOf(flags['switch'] as readonly string[])),
    faults: orUsage(() => faultPlanOf(flags['fault'] as readonly string[])),
    ...defined({
      dataDir: flags['ephemeral'] === true ? undefined : dataFolder(io, settings, String(flags['data'])),
      seed: seed === undefined ? undefined : (await worldFile()).worldFromYaml(seed),
      tls: cert === undefined || key === undefined ? undefined : { cert, key },
      admin: flags['admin'] === true ? {} : undefined,
      time: given('clock', (text) => timeOf(io, text)),
      onRequest: given('requestLog', (path) => requestLogger(io, path)),
      operationMs: given('operationMs', operationMsOf),
      postgres: flags['postgres'] === true ? postgres : undefined,
    }),
  };
}

/** Loaded on demand, because few servers have seed data. */
const worldFile = () => import('../../control-plane/world/world-file.ts');

function dataFolder({ cwd }: Io, { stateDir }: Settings, named: string): string {
  const folder = storeFolder(cwd, stateDir, named, '--data DIR');
  makeFolder(cwd, folder, named || folder, 0o700);
  return folder;
}

function orUsage<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError || error instanceof FaultPlanError) throw new UsageError(error.message);
    throw error;
  }
}

/** Parses `2027-01-01T00:00:00Z`, `+30d`, `frozen`, or one of the first two with `,frozen`. */
function timeOf(io: Io, text: string): NonNullable<ServeOptions['time']> {
  const words = text.split(',');
  const isFrozen = words.includes('frozen');
  const [when, ...more] = words.filter((word) => word !== 'frozen');
  const laterMs = (text: string): number => io.clock.nowMs() + (parseDurationMs(text) ?? NaN);
  const msOf = (text: string): number =>
    text.startsWith('+') ? laterMs(text.slice(1)) : (parseWrittenTimeMs(text) ?? NaN);
  const toMs = when === undefined ? undefined : msOf(when);
  if (more.length > 0 || Number.isNaN(toMs))
    throw new UsageError('--clock takes a time such as 2027-01-01T00:00:00Z, a duration such as +30d, or frozen');
  return { isFrozen, ...defined({ toMs }) };
}

/** Logs a line for each request. If a write fails, reports the first failure, and the server continues. */
function requestLogger(io: Io, shown: string): (line: RequestLine) => void {
  const path = resolve(io.cwd, shown);
  openLog(path, shown, io.cwd);
  let isTold = false;
  return (line) => {
    try {
      appendTo(path, `${JSON.stringify(line)}\n`, io.cwd);
    } catch (error) {
      const why = systemWords(error);
      if (!isTold) void io.stderr.write(`--request-log: cannot write ${inert(shown, 200)}: ${why}\n`);
      isTold = true;
    }
  };
}

function operationMsOf(text: string): { readonly min: number; readonly max: number } {
  const [min = Number.NaN, max = min] = /^\d{1,8}(-\d{1,8})?$/.test(text) ? text.split('-').map(Number) : [];
  if (!(min <= max)) throw new UsageError('--operation-ms takes milliseconds as MIN-MAX, such as 200-3000');
  return { min, max };
}

const MAX_FILE_BYTES = 64 * 1024 * 1024;

function readText(cwd: string, path: string): string {
  try {
    return Buffer.from(readPlain(realpathSync.native(resolve(cwd, path)), MAX_FILE_BYTES)).toString('utf8');
  } catch (error) {
    throw new UsageError(`cannot read ${path}: ${systemWords(error)}`);
  }
}

const REFUSALS = [ExposedHostError, StoreError, WorldError, WorksError, RangeError] as const;

async function start(options: ServeOptions): Promise<Served> {
  try {
    return await startServer(options);
  } catch (error) {
    if (error instanceof StoreError && error.reason === 'held')
      throw new UsageError(
        `${options.dataDir ?? 'the store'} is in use by process ${error.pid ?? '(unknown)'}`,
        'Stop that process, or give another --data DIR.',
      );
    if (REFUSALS.some((known) => error instanceof known)) throw new UsageError((error as Error).message);
    const { code, port } = error as NodeJS.ErrnoException & { readonly port?: number };
    if (code === 'EADDRINUSE')
      throw new UsageError(
        `port ${port ?? options.port} is in use`,
        `Give another ${port === options.port ? '--port' : '--postgres-port'}, or 0 to pick a free port.`,
      );
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new UsageError(`cannot listen on ${options.host ?? ''}`);
    if (code?.startsWith('ERR_OSSL') === true)
      throw new UsageError(
        'the TLS key pair cannot be used',
        'Give a certificate (--tls-cert) and its own private key (--tls-key), as PEM files.',
      );
    throw error;
  }
}
