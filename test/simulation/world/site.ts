// One simulated site: a control plane, a disk, a secret store, the processes, and a record of all that crosses between them.
import {
  createControlPlane,
  type ControlPlane,
  type FaultRule,
  type Switches,
  type World,
} from '../../../src/control-plane/index.ts';
import type { RunProgram } from '../../../src/apply/sinks/run-program.ts';
import type { Processes } from '../../../src/apply/journal/lock.ts';
import { seededRandom, type Random } from '../../../src/base/random.ts';
import { ApiFailure } from '../../../src/client/failure.ts';
import { handlerTransport } from '../../../src/client/http/handler-transport.ts';
import type { Send } from '../../../src/client/types.ts';
import { HOME } from '../../support/files.ts';
import { Disk } from './disk.ts';
import { Life, type CrashPoint } from './life.ts';
import { SimTime, type Mortal } from './sim-time.ts';

export const BASE_URL = 'http://127.0.0.1/api/v2';
export const SECRETS: string = `${HOME}/state/secrets`;

/** Far above any list of a simulated account, and cheap to exceed. */
const LIMITS = { readBytes: 4_194_304, writeBytes: 1_048_576 };

/** One exchange of a run with the service. */
export interface WireEntry {
  /** As the ledger knows it: `r1-7`. */
  readonly requestId: string;
  readonly run: number;
  readonly method: string;
  readonly path: string;
  readonly body: string | null;
  /** Id of the key that it came with; null when its value is of no key that a run may know. */
  readonly key: string | null;
  /** When it was sent, on the scale of virtual time. */
  readonly atMs: number;
  /** Status of the reply; `not_sent` when it provably never arrived, `lost` when nobody knows. */
  end: number | 'not_sent' | 'lost';
}

export interface SiteOptions {
  readonly seed: number;
  readonly world: World;
  readonly switches?: Partial<Switches>;
  readonly operationMs?: { readonly min: number; readonly max: number };
  /** Some exchanges may take for ever, or a while: the client's own limits matter. */
  readonly slow?: boolean;
  /** Files below the secrets folder that are there from the start. */
  readonly secrets?: Readonly<Record<string, string>>;
}

export interface Site {
  readonly seed: number;
  readonly slow: boolean;
  readonly time: SimTime;
  readonly plane: ControlPlane;
  readonly disk: Disk;
  /** What the program of exec sinks holds, by name. */
  readonly vault: Map<string, string>;
  readonly random: Random;
  /** Draws from `random` so far: with the seed they are its whole state. */
  readonly draws: () => number;
  readonly wire: WireEntry[];
  /** Every key value that a run was given, was answered or could read, by id. */
  readonly keyValues: Map<string, string>;
  /** Ids by the values of keys that were only pretended: the service told the id of each again. */
  readonly pretendedKeys: Map<string, string>;
  /** Every password of a role that a run was answered, or could read. */
  readonly passwords: Set<string>;
  /** Id of the key of the run itself. */
  readonly ownKeyId: string;
  /** Arguments and environments that programs were given. */
  readonly programTexts: string[];
  readonly lives: Life[];
  /** Ids of keys that somebody besides the tool uses. */
  readonly consumers: Set<string>;
  /** Exchanges so far, of runs and of people. */
  exchanges: number;
}

export function createSite(options: SiteOptions): Site {
  const time = new SimTime();
  const { random, draws } = counted(seededRandom(options.seed));
  const plane = createControlPlane({
    clock: time.clockOf(),
    random,
    seed: options.world,
    operationMs: options.operationMs ?? { min: 200, max: 3000 },
    switches: { availabilityChecks: 'off', ...options.switches },
  });
  const own = plane.truth.keys().find(({ name }) => name === 'root');
  const root = plane.rootKey?.reveal();
  if (own === undefined || root === undefined) throw new Error('a new control plane has a root key');
  const disk = new Disk(['/', HOME]);
  for (const [name, text] of Object.entries(options.secrets ?? {})) disk.plant(`${SECRETS}/${name}`, text);
  const keyValues = new Map([[own.id, root]]);
  const stored = Object.values(options.secrets ?? {}).join('\n');
  for (const { id, key } of options.world.api_keys ?? [])
    if (id !== undefined && key !== undefined && stored.includes(key)) keyValues.set(String(id), key);
  return {
    seed: options.seed,
    slow: options.slow ?? true,
    time,
    plane,
    disk,
    vault: new Map(),
    random,
    draws,
    wire: [],
    keyValues,
    pretendedKeys: new Map(),
    passwords: new Set(passwordsIn(stored)),
    ownKeyId: own.id,
    programTexts: [],
    lives: [],
    consumers: new Set(),
    exchanges: 0,
  };
}

function counted({ next, bytes }: Random): { readonly random: Random; readonly draws: () => number } {
  let draws = 0;
  const random: Random = {
    next: () => {
      draws++;
      return next();
    },
    bytes: (length) => {
      draws += length;
      return bytes(length);
    },
  };
  return { random, draws: () => draws };
}

/** Starts a process. */
export function spawn(site: Site, crash: CrashPoint | null): Life {
  const life = new Life(site.lives.length + 1, crash);
  site.lives.push(life);
  return life;
}

/** Of one run, far more than any needs: in a world that takes no time, a run that goes on for ever would never be heard of. */
const EXCHANGES_MAX = 10_000;

/** The service as a process reaches it: each exchange is recorded, and every key value that comes by is remembered. */
export function sendOf(site: Site, life: Life, run: number): Send {
  const transport = handlerTransport((request) => site.plane.handle(request), {
    baseUrl: BASE_URL,
    limits: LIMITS,
    // A timer for each exchange costs more than the exchange. Those of a run that has ended are closed with its connections.
    ...(site.slow ? { clock: site.time.clockOf(connectionsOf(life)) } : {}),
  });
  let number = 0;
  return (request) =>
    life.call(`${request.method} ${request.path}`, async () => {
      if (++number > EXCHANGES_MAX) throw new Error(`the run has no end: ${EXCHANGES_MAX} exchanges`);
      const requestId = `r${run}-${number}`;
      const { method, path, body } = request;
      const key = keyIn(site, request.headers['authorization']);
      const entry: WireEntry = { requestId, run, method, path, body, key, atMs: site.time.nowMs, end: 'lost' };
      site.wire.push(entry);
      site.exchanges++;
      const response = await transport({
        ...request,
        headers: { ...request.headers, 'x-request-id': requestId },
      }).catch((error: unknown) => {
        if (error instanceof ApiFailure && error.failureClass === 'not_sent') entry.end = 'not_sent';
        throw error;
      });
      entry.end = response.status;
      if (method === 'POST' && path === '/api_keys') remember(site, response.text);
      if (TELLS_PASSWORDS.test(path)) for (const password of passwordsIn(response.text)) site.passwords.add(password);
      return response;
    });
}

/** They live as long as their process, and their timers are not those of the run. */
function connectionsOf(life: Life): Mortal {
  return {
    get isDead() {
      return life.isDead;
    },
  };
}

function keyIn({ keyValues, pretendedKeys }: Site, authorization: string | undefined): string | null {
  for (const [id, value] of keyValues) if (authorization === `Bearer ${value}`) return id;
  return pretendedKeys.get(authorization?.replace('Bearer ', '') ?? '') ?? null;
}

/** Of what is made, reset or revealed, and of a connection string. */
const TELLS_PASSWORDS = /^\/projects(?:$|\/[^/]+\/(?:branches|connection_uri))/;
const PASSWORD = /"password": ?"([^"]+)"|:\/\/[^:@/"]+:([^@"]+)@/g;

function passwordsIn(text: string): readonly string[] {
  return [...text.matchAll(PASSWORD)].map(([, told, inUri]) => told ?? decodeURIComponent(inUri ?? ''));
}

const CREATED = /"id":(\d+),"key":"([^"]+)"/;

function remember(site: Site, text: string): void {
  const [, id, key] = CREATED.exec(text) ?? [];
  if (id === undefined || key === undefined) return;
  const before = site.keyValues.get(id);
  if (before !== undefined && before !== key) site.pretendedKeys.set(before, id);
  site.keyValues.set(id, key);
}

/** The processes as one of them sees the others. */
export function processesOf(site: Site, life: Life): Processes {
  return {
    self: { pid: life.pid, startTime: `boot:${life.pid}`, host: 'simulated' },
    isAlive: ({ pid, host }) => host !== 'simulated' || site.lives[pid - 1]?.isDead === false,
  };
}

/** Programs: the secret store behind exec sinks. A call counts as one call to the outside, and puts durably. */
export function programsOf(site: Site, life: Life): RunProgram {
  return ({ program, args, env, stdin }) =>
    life.call(`run ${program} ${args.join(' ')}`, () => {
      site.programTexts.push(JSON.stringify([program, args, env]));
      const [verb, name = ''] = args;
      const ended = (code: number) => ({ end: 'exited', code, stderr: '', problem: null }) as const;
      if (program !== '/bin/vault') return { end: 'not_started', code: null, stderr: '', problem: 'ENOENT' } as const;
      if (verb === 'check') return { ...ended(site.vault.has(name) ? 0 : 3), stdout: toldOf(site.vault.get(name)) };
      if (verb === 'forget') site.vault.delete(name);
      else site.vault.set(name, stdin ?? '');
      return ended(0);
    });
}

/** Of a password everything but itself: whether it is the newest one shows. Of a key nothing. */
function toldOf(text: string = '{}'): Uint8Array {
  const { password, ...told } = JSON.parse(text) as { readonly password?: string };
  return new TextEncoder().encode(password === undefined ? '' : JSON.stringify(told));
}

/** A person's or another program's request. */
export async function ask(
  site: Site,
  method: string,
  path: string,
  options: { readonly body?: unknown; readonly key?: string } = {},
): Promise<Response> {
  const { body, key = site.keyValues.get(site.ownKeyId) ?? '' } = options;
  site.exchanges++;
  return site.plane.handle(
    new Request(BASE_URL + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'x-request-id': 'somebody-else' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
}

/** From now on the control plane works as it should, or as it does by nature; what hung goes on. */
export function endFaults(site: Site, nature: readonly FaultRule[]): void {
  const { plane, time } = site;
  plane.setFaults({ rules: nature });
  // As a transaction: uses of keys that were only noted are written.
  plane.engine.transact(() => {
    for (const operation of plane.truth.operations({ open: true })) {
      if (operation.stuck === undefined) continue;
      const { stuck: _stuck, ...rest } = operation;
      const going = { ...rest, status: 'running', endsMs: time.nowMs + 500 };
      plane.engine.put('operations', going);
    }
  });
}
