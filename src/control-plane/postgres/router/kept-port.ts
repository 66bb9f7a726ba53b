// The port of the router, kept beside the store, so that connection strings outlive a restart.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../../base/error-code.ts';
import { readOwn } from '../../store/own-file.ts';
import { openRouter, type Router, type RouterOptions } from './router.ts';

const FILE = 'postgres-port';
const MOST = 65_535;

export interface AtPort {
  readonly router: Router;
  /** The port of the last run, which somebody else has now. */
  readonly lostPort: number | undefined;
}

/** At `port`, else where the last run on `store` listened, else at a free one. Throws listen errors. */
export async function openAtKeptPort(
  options: Omit<RouterOptions, 'port'>,
  { store, port }: { readonly store: string | undefined; readonly port: number | undefined },
): Promise<AtPort> {
  const kept = store === undefined ? undefined : keptPort(store);
  const again = port === undefined && kept !== undefined ? await unlessTaken({ ...options, port: kept }) : undefined;
  const router = again ?? (await openRouter({ ...options, port: port ?? 0 }));
  if (store !== undefined && router.port !== kept) keep(store, router.port);
  return { router, lostPort: port === undefined && again === undefined ? kept : undefined };
}

function keptPort(store: string): number | undefined {
  const port = Number(readOwn(join(store, FILE)) ?? 0);
  return Number.isInteger(port) && port > 0 && port <= MOST ? port : undefined;
}

function keep(store: string, port: number): void {
  const file = join(store, FILE);
  rmSync(file, { force: true });
  writeFileSync(file, `${port}\n`, { mode: 0o600, flag: 'wx' });
}

/** Undefined where somebody else has the port. */
async function unlessTaken(options: RouterOptions): Promise<Router | undefined> {
  try {
    return await openRouter(options);
  } catch (error) {
    if (['EADDRINUSE', 'EACCES'].includes(errorCode(error))) return undefined;
    throw error;
  }
}
