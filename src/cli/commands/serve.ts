// `trueup serve`: the local control plane as a server, until a signal comes.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { inert } from '../../base/text/inert.ts';
import type { Secret } from '../../base/secret.ts';
import { ExposedHostError, serveControlPlane, type Served, type ServeOptions } from '../../control-plane/serve.ts';
import { holdFolder, StoreError, WorldError } from '../../control-plane/index.ts';
import { worldFromYaml } from '../../control-plane/world/world-file.ts';
import type { Invocation, Run } from '../command.ts';
import { exitCodes } from '../process/exit-code.ts';
import { refuseWayOut } from '../process/files.ts';
import { refuseTrackedState } from '../session/tracked-state.ts';
import { UsageError } from '../program/usage-error.ts';

export const serve: Run = async (invocation) => {
  const { io, flags } = invocation;
  await refuseTrackedState(io.cwd, resolve(io.cwd, String(flags['data'])));
  const options = optionsOf(invocation);
  const server = await start(options);
  const ephemeralKey =
    options.dataDir === undefined && server.rootKey !== undefined ? keepForRun(invocation, server.rootKey) : null;
  try {
    if (options.seed !== undefined && server.rootKey === undefined)
      await io.stderr.write(`--seed is not used: the store in ${options.dataDir ?? ''} is there already\n`);
    if (server.isExposed) await io.stderr.write(exposedWarning(options));
    await io.stderr.write(`API key: in ${ephemeralKey?.path ?? server.rootKeyFile ?? ''}\n`);
    if (server.adminToken !== undefined) await io.stderr.write(`admin token of this run: ${server.adminToken}\n`);
    await io.stdout.write(`listening on ${server.url}\n`);
    await new Promise<void>((stop) => {
      io.onSignal(() => stop());
    });
    return exitCodes.done;
  } finally {
    await server.close();
    ephemeralKey?.release();
  }
};

function exposedWarning({ host = '', tls }: ServeOptions): string {
  const wire = tls === undefined ? ', and keys travel in clear' : '';
  return `warning: ${inert(host, 100)} can be reached from other machines: whoever has a key of this store may use it${wire}\n`;
}

/** The key of a store that keeps nothing, in a file of its own for as long as the run lasts; a lasting store's file is left alone. */
function keepForRun({ io, flags }: Invocation, key: Secret): { readonly path: string; release(): void } {
  const folder = resolve(io.cwd, String(flags['data']));
  makeFolder(io.cwd, folder, String(flags['data']));
  // The folder is this run's as long as it lasts, as with a store that is kept: nobody else writes a key there.
  const letGo = holdFolder(folder);
  const plain = join(folder, 'root-key');
  const path = existsSync(plain) ? join(folder, `root-key.${io.pid}`) : plain;
  writeFileSync(path, `${key.reveal()}\n`, { mode: 0o600, flag: 'wx' });
  const release = (): void => {
    rmSync(path, { force: true });
    letGo();
  };
  return { path, release };
}

function optionsOf({ io, flags }: Invocation): ServeOptions {
  const port = Number(flags['port']);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError('--port takes a number from 0 to 65535');
  const dataDir = resolve(io.cwd, String(flags['data']));
  const seed = flags['seed'] === undefined ? undefined : worldFromYaml(readText(io.cwd, String(flags['seed'])));
  const certificate = flags['tlsCert'] === undefined ? undefined : readText(io.cwd, String(flags['tlsCert']));
  const key = flags['tlsKey'] === undefined ? undefined : readText(io.cwd, String(flags['tlsKey']));
  if ((certificate === undefined) !== (key === undefined)) throw new UsageError('--tls-cert and --tls-key go together');
  if (flags['host'] === '') throw new UsageError('--host takes an address');
  if (flags['ephemeral'] !== true) makeFolder(io.cwd, dataDir, String(flags['data']));
  return {
    clock: io.clock,
    onBug: (error) => void io.stderr.write(`internal error: ${inert(String(error), 500)}\n`),
    random: io.random,
    host: String(flags['host']),
    port,
    ...(flags['ephemeral'] === true ? {} : { dataDir }),
    ...(seed === undefined ? {} : { seed }),
    ...(certificate === undefined || key === undefined ? {} : { tls: { cert: certificate, key } }),
    ...(flags['allowInsecure'] === true ? { allowInsecure: true } : {}),
    ...(flags['admin'] === true ? { admin: {} } : {}),
    operationMs: operationMsOf(String(flags['operationMs'])),
  };
}

function operationMsOf(text: string): { readonly min: number; readonly max: number } {
  const [min = Number.NaN, max = min] = /^\d{1,8}(-\d{1,8})?$/.test(text) ? text.split('-').map(Number) : [];
  if (!(min <= max)) throw new UsageError('--operation-ms takes milliseconds as MIN-MAX, such as 200-3000');
  return { min, max };
}

function makeFolder(cwd: string, path: string, name: string): void {
  refuseWayOut(cwd, join(path, 'store'), name);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new UsageError(
      `cannot use ${name} as the folder of the store: ${(error as NodeJS.ErrnoException).code ?? 'error'}`,
    );
  }
}

function readText(cwd: string, path: string): string {
  try {
    return readFileSync(resolve(cwd, path), 'utf8');
  } catch (error) {
    throw new UsageError(`cannot read ${path}: ${(error as NodeJS.ErrnoException).code ?? 'error'}`);
  }
}

async function start(options: ServeOptions): Promise<Served> {
  try {
    return await serveControlPlane(options);
  } catch (error) {
    if (error instanceof StoreError && error.reason === 'held')
      throw new UsageError(
        `${options.dataDir ?? 'the store'} is held by process ${error.pid ?? '(unknown)'}`,
        'Stop it, or give another --data DIR.',
      );
    if (error instanceof ExposedHostError || error instanceof StoreError || error instanceof WorldError)
      throw new UsageError(error.message);
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EADDRINUSE')
      throw new UsageError(`port ${options.port} is in use`, 'Give another --port, or 0 to pick one.');
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new UsageError(`cannot listen on ${options.host ?? ''}`);
    if (code?.startsWith('ERR_OSSL') === true)
      throw new UsageError(
        'the TLS key pair cannot be used',
        '--tls-cert and --tls-key take PEM files that belong together.',
      );
    throw error;
  }
}
