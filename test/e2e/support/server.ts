// `trueup serve` as a process of its own, with its admin interface: faults to inject, and the ledger to tell what was really done.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FaultPlan, FaultRule } from '../../../src/control-plane/faults/plan.ts';
import type { World } from '../../../src/control-plane/index.ts';
import type { LedgerEntry } from '../../../src/control-plane/core/store.ts';
import { newFolder, start, type Running } from './program.ts';

export interface Server {
  readonly process: Running;
  readonly url: string;
  readonly baseUrl: string;
  /** The folder that `--data` names. */
  readonly data: string;
  /** The value of the first key. */
  readonly key: string;
  /** What was committed, oldest first; of one project, when one is named. The first key's own creation is left out. */
  ledger(projectId?: string): Promise<readonly LedgerEntry[]>;
  /** Adds rules to those that hold. */
  addFaults(...rules: readonly FaultRule[]): Promise<void>;
  /** Sets the clock of the server forward. */
  advance(duration: string): Promise<void>;
  /** A request of somebody else, with the first key unless told; gives the parsed body. */
  request<T = unknown>(method: string, path: string, body?: object, bearer?: string): Promise<T>;
}

export interface ServerOptions {
  /** What a new store holds. */
  readonly world?: World;
  /** MIN-MAX; 20-60 unless told. */
  readonly operationMs?: string;
  /** The folder of an earlier server. */
  readonly data?: string;
  /** With a PostgreSQL behind each compute. */
  readonly postgres?: boolean;
}

/** Starts a server on a port of its own and waits until it listens. */
export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const folder = newFolder('serve');
  const data = options.data ?? join(folder, 'data');
  const seed = join(folder, 'world.json');
  if (options.world !== undefined) writeFileSync(seed, JSON.stringify(options.world));
  const fixed = ['serve', '--port', '0', '--admin', '--data', data, '--operation-ms', options.operationMs ?? '20-60'];
  const seeded = options.world === undefined ? [] : ['--seed', seed];
  const postgres = options.postgres === true ? ['--postgres'] : [];
  const running = start([...fixed, ...seeded, ...postgres], { cwd: folder });
  await running.shows(postgres.length === 0 ? /^listening on \S+\n/m : /^postgres on \S+\n/m);
  const url = /^listening on (\S+)$/m.exec(running.out())?.[1] ?? '';
  const token = /^admin token of this run: (\S+)$/m.exec(running.err())?.[1] ?? '';
  const key = readFileSync(join(data, 'root-key'), 'utf8').trim();
  const ask = async (method: string, path: string, bearer: string, body?: object): Promise<string> => {
    const response = await fetch(url + path, {
      method,
      headers: { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text;
  };
  let faults: FaultPlan = {};
  return {
    process: running,
    url,
    baseUrl: `${url}/api/v2`,
    data,
    key,
    async ledger(projectId) {
      const all: LedgerEntry[] = [];
      for (;;) {
        const page = await ask('GET', `/admin/ledger?after=${all.at(-1)?.seq ?? 0}`, token);
        const { entries } = JSON.parse(page) as { readonly entries: LedgerEntry[] };
        all.push(...entries);
        if (entries.length === 0) break;
      }
      return all.slice(1).filter((entry) => projectId === undefined || entry.projectId === projectId);
    },
    async addFaults(...rules) {
      faults = { rules: [...(faults.rules ?? []), ...rules] };
      await ask('PUT', '/admin/faults', token, faults);
    },
    advance: async (duration) => void (await ask('PATCH', '/admin/clock', token, { advance: duration })),
    request: async <T>(method: string, path: string, body?: object, bearer = key) =>
      JSON.parse(await ask(method, `/api/v2${path}`, bearer, body)) as T,
  };
}
