// Answers API requests of clients and of the console: checks key, scope, rate and body, then runs the handler.
import { defined } from '../../base/picked.ts';
import type { Route } from '../../api/index.ts';
import { retryAfterHeader, type Call, type Input, type Reply } from '../resources/engine/call.ts';
import type { Engine } from '../resources/engine/engine.ts';
import { newUuid } from '../resources/engine/naming.ts';
import { Refusal, refusalOfStore } from '../core/refusal.ts';
import { requireInScope } from '../resources/key/handlers.ts';
import type { KeyRecord } from '../resources/key/record.ts';
import { touchProject } from '../resources/project/background.ts';
import { Bodies, keyIn, readBody, readQuery } from './input.ts';
import { answer, findRoute, noRoute, type Matched } from './routes.ts';

const PROJECT_ID = /^[a-z0-9-]{1,60}$/;

/** The base path of the API. It ends with the API's version. */
export const BASE_PATH = '/api/v2';

export interface RequestHead {
  readonly method: string;
  readonly path: string;
  readonly search: URLSearchParams;
  readonly headers: Headers;
  readonly address: string;
}

export interface Judged {
  /** False if the head was refused: the body is then not read, because it cannot change the refusal. */
  readonly readsBody: boolean;
  /** Makes the reply: a refusal after an error or for an unreadable `body`. With `isPretence`, then rolls the change back. */
  serve(body: string | Refusal, isPretence: boolean): Reply;
}

interface Asked extends Pick<RequestHead, 'method' | 'path' | 'search'> {
  readonly headers?: Headers;
  readonly body: string | Refusal;
}

export class Dispatcher {
  readonly bodies: Bodies = new Bodies();
  readonly #engine: Engine;
  readonly #limiter: RateLimiter = new RateLimiter();
  readonly #onBug: (error: unknown) => void;

  constructor(engine: Engine, onBug: (error: unknown) => void) {
    this.#engine = engine;
    this.#onBug = onBug;
  }

  /** Checks the head of a request. A failure of the store is answered with 503, a bug of the control plane with 500. */
  judge(head: RequestHead): Judged {
    const requestId = requestIdOf(head, this.#engine);
    const refused = this.#orRefused(requestId, () => {
      this.countRequest(this.#admit(this.#identify(head), head).route);
      return undefined;
    });
    if (refused !== undefined) return { readsBody: false, serve: () => refused };
    // Checks the key again: it may have been revoked while the body was received.
    const serve: Judged['serve'] = (body, isPretence) =>
      this.#orRefused(requestId, () => this.#run(this.#identify(head), { ...head, body }, requestId, isPretence));
    return { readsBody: true, serve };
  }

  /** Runs a console request with this key, without faults of HTTP exchanges. Returns the reply's body. Throws Refusal. */
  ask(keyId: string, asked: Asked): unknown {
    this.#engine.settle();
    const key = this.#engine.live.keys.get(keyId);
    if (key === undefined || key.revokedMs !== undefined) throw unauthorized();
    try {
      return this.#run(key, asked, newUuid(this.#engine.random), false).body;
    } catch (error) {
      throw refusalOfStore(error) ?? error;
    }
  }

  countRequest(route: Pick<Route, 'id' | 'perSecond'>): void {
    const wait = this.#limiter.waitSeconds(this.#engine, route);
    if (wait > 0) throw new Refusal(429, 'rate limit exceeded', { headers: retryAfterHeader(this.#engine, wait) });
  }

  #run(key: KeyRecord, asked: Asked, requestId: string, isPretence: boolean): Reply {
    const engine = this.#engine;
    const { route, params } = this.#admit(key, asked);
    const query = readQuery(route, asked.search);
    if (asked.body instanceof Refusal) throw asked.body;
    const body = readBody(route, asked.headers?.get('content-type') ?? null, asked.body);
    const input: Input = { ...query, ...params, ...defined({ body }) };
    const call: Call = { engine, atMs: engine.atMs, key, requestId, verb: route.method, path: asked.path };
    const work = (): Reply => answer(call, route, input, params);
    if (route.method === 'GET' && route.commits !== true) return readOf(engine, params['project_id'], work);
    return isPretence ? dryRun(engine, work) : engine.transact(work);
  }

  #admit(key: KeyRecord, { method, path }: Pick<Asked, 'method' | 'path'>): Matched {
    const match = findRoute(method, path);
    const projectId = match?.params['project_id'];
    const isMalformed = projectId !== undefined && !PROJECT_ID.test(projectId);
    if (match === undefined || isMalformed) throw noRoute(method, path);
    requireInScope(key, match.route, projectId);
    return match;
  }

  /** Returns the valid key that the request carries, and notes its use; refuses with 401 if there is none. */
  #identify({ headers, address }: RequestHead): KeyRecord {
    const atMs = this.#engine.settle();
    const key = keyIn(this.#engine, headers);
    if (key === undefined) throw unauthorized();
    const { keyUses, switches } = this.#engine;
    if (switches.lastUse === 'at_once' || atMs - keyUses.lastMs(key) >= 60_000) keyUses.note(key.id, atMs, address);
    return key;
  }

  #orRefused<T>(requestId: string, work: () => T): T | Reply {
    try {
      return work();
    } catch (error) {
      if (error instanceof Refusal) return this.#refused(error, requestId);
      const refusal = refusalOfStore(error);
      if (refusal === undefined) this.#onBug(error);
      return this.#refused(refusal ?? new Refusal(500, 'internal error'), requestId);
    }
  }

  #refused(refusal: Refusal, requestId: string): Reply {
    const { status, code, message, headers } = refusal;
    const { errorBody } = this.#engine.switches;
    if (errorBody === 'message_only') return { status, headers, body: { message } };
    if (errorBody === 'plain_text')
      return { status, headers: { ...headers, 'Content-Type': 'text/plain' }, body: message };
    return { status, headers, body: { request_id: requestId, code, message } };
  }
}

function unauthorized(): Refusal {
  return new Refusal(401, 'authentication required: the API key is missing, invalid or revoked');
}

/** Runs the read `work`. First reattaches the project if it is detached from storage, as every read does. */
function readOf(engine: Engine, projectId: string | undefined, work: () => Reply): Reply {
  const isDetached = projectId !== undefined && engine.live.projects.get(projectId)?.detached === true;
  if (isDetached) engine.transact((atMs) => touchProject(engine, projectId, atMs));
  return work();
}

/** Thrown to roll a transaction back. The client still gets the reply, as if the change had been made. */
const ROLLBACK = new Error('rolled back');

function dryRun(engine: Engine, work: () => Reply): Reply {
  let reply: Reply | undefined;
  try {
    engine.transact(() => {
      reply = work();
      throw ROLLBACK;
    });
  } catch (error) {
    if (error !== ROLLBACK) throw error;
  }
  return reply as Reply;
}

function requestIdOf({ headers }: RequestHead, engine: Engine): string {
  const sent = headers.get('x-request-id');
  return sent !== null && /^[\w.:-]{1,64}$/.test(sent) ? sent : newUuid(engine.random);
}

const PER_MINUTE = 700;
const PER_SECOND_AND_ROUTE = 40;

class RateLimiter {
  readonly #buckets: Map<string, { tokens: number; atMs: number }> = new Map();

  waitSeconds(engine: Engine, { id, perSecond = PER_SECOND_AND_ROUTE }: Pick<Route, 'id' | 'perSecond'>): number {
    if (engine.switches.rateLimit === 'off') return 0;
    const account = this.#bucket('account', PER_MINUTE, PER_MINUTE / 60_000, engine.atMs);
    const route = this.#bucket(id, perSecond, perSecond / 1000, engine.atMs);
    const missingMs = Math.max((1 - account.tokens) / (PER_MINUTE / 60_000), (1 - route.tokens) / (perSecond / 1000));
    if (missingMs > 0) return missingMs / 1000;
    account.tokens -= 1;
    route.tokens -= 1;
    return 0;
  }

  #bucket(name: string, capacity: number, perMs: number, atMs: number): { tokens: number; atMs: number } {
    const bucket = this.#buckets.get(name) ?? { tokens: capacity, atMs };
    bucket.tokens = Math.min(capacity, bucket.tokens + (atMs - bucket.atMs) * perMs);
    bucket.atMs = atMs;
    this.#buckets.set(name, bucket);
    return bucket;
  }
}
