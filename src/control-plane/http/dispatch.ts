// Serves one request, synchronously: who asks, which route, what is brought, what comes of it. Nothing else can happen in between.
import { retryAfterHeader, type Call } from '../engine/call.ts';
import type { Engine } from '../engine/engine.ts';
import { newUuid } from '../engine/naming.ts';
import { Refusal, notModelled, refusalOfStore } from '../engine/refusal.ts';
import { authenticate, requireInScope } from '../resources/key/key.ts';
import type { KeyRecord } from '../resources/key/record.ts';
import { touchProject } from '../resources/project/background.ts';
import { bearerOf, readBody, readQuery } from './input.ts';
import { isRead, replyOf, type Reply } from './route.ts';
import { findRoute } from './routes.ts';
import { absentThings, findUnmodelled } from './unmodelled.ts';

/** What the newest replies have besides, for each member that holds a resource. */
const NEWER_MEMBERS: Readonly<Record<string, (item: Item) => Item>> = {
  project: (item) => ({ ...item, slug: slugOf(item) }),
  branch: (item) => ({ ...item, slug: slugOf(item), project_slug: String(item['project_id']) }),
  endpoint: (item) => ({ ...item, hosts: { read_write: item['host'] }, group: { size: 1 } }),
};
/** Members that hold a list of resources: what one of them is. */
const ITEM_OF_LIST: Readonly<Record<string, string>> = {
  projects: 'project',
  branches: 'branch',
  endpoints: 'endpoint',
};

type Item = Readonly<Record<string, unknown>>;

function slugOf({ name }: Item): string {
  return String(name)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');
}

/** The body of a reply with `slug`, `hosts` and `group` where the newest replies have them. */
function withNewerMembers(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(Object.entries(body).map(([name, member]) => [name, enriched(name, member)]));
}

function enriched(name: string, member: unknown): unknown {
  const add = NEWER_MEMBERS[ITEM_OF_LIST[name] ?? name];
  if (add === undefined || typeof member !== 'object' || member === null) return member;
  return Array.isArray(member) ? member.map((item: Item) => add(item)) : add(member as Item);
}

const NO_ROUTE = 'this route does not exist';
const PROJECT_ID = /^[a-z0-9-]{1,60}$/;

/** The base path of the API: the version segment ends the base URL ("Versioning"). */
export const BASE_PATH = '/api/v2';

/** A request that has been read to its end. */
export interface RawRequest {
  readonly method: string;
  /** Below the version segment. */
  readonly path: string;
  readonly search: URLSearchParams;
  readonly authorization: string | null;
  readonly contentType: string | null;
  readonly requestId: string | null;
  readonly body: string;
  readonly address: string;
}

/** Serves requests of one engine. */
export class Dispatcher {
  readonly #engine: Engine;
  readonly #limiter: RateLimiter = new RateLimiter();
  readonly #onBug: (error: unknown) => void;

  constructor(engine: Engine, onBug: (error: unknown) => void) {
    this.#engine = engine;
    this.#onBug = onBug;
  }

  /** The reply. A refusal is a reply too; only a failure of the store or a bug of ours becomes 503 or 500. `pretend`: what is answered is taken back. */
  serve(request: RawRequest, { pretend = false }: { readonly pretend?: boolean } = {}): Reply {
    const requestId = requestIdOf(request, this.#engine);
    try {
      return this.#run(request, requestId, pretend);
    } catch (error) {
      if (error instanceof Refusal) return this.#refused(error, requestId);
      const refusal = refusalOfStore(error);
      if (refusal === undefined) this.#onBug(error);
      return this.#refused(refusal ?? new Refusal(500, 'internal error'), requestId);
    }
  }

  #run(request: RawRequest, requestId: string, pretend: boolean): Reply {
    const engine = this.#engine;
    const atMs = engine.settle();
    const key = this.#identify(request, atMs);
    const match = findRoute(request.method, request.path);
    const wait = this.#limiter.waitSeconds(engine, match.kind === 'route' ? match.route.id : 'none');
    if (wait > 0) throw new Refusal(429, 'rate limit exceeded', { headers: retryAfterHeader(engine, wait) });
    const unmodelled = match.kind === 'route' ? undefined : findUnmodelled(request.method, request.path);
    if (unmodelled !== undefined && request.method === 'GET' && absentThings.has(unmodelled))
      throw new Refusal(404, `there is none; ${unmodelled} is not modelled`);
    if (unmodelled !== undefined) throw notModelled(`${request.method} ${unmodelled}`);
    if (match.kind === 'none') throw new Refusal(404, NO_ROUTE);
    if (match.kind === 'wrong-method')
      throw new Refusal(405, 'this method is not allowed here', { headers: { Allow: match.allowed.join(', ') } });
    const { route, params } = match;
    const { project_id: projectId } = params;
    if (projectId !== undefined && !PROJECT_ID.test(projectId)) throw new Refusal(404, NO_ROUTE);
    requireInScope(key, route, projectId);
    const query = readQuery(route, request.search);
    const body = readBody(route, request.contentType, request.body);
    const call: Call = { engine, atMs, keyId: key.id, key, requestId, verb: route.method, path: request.path };
    const work = (): Reply => replyOf(route, route.run(call, { params, query, body }));
    const reply = isRead(route)
      ? readOf(engine, projectId, work)
      : pretend
        ? takenBack(engine, work)
        : engine.transact(work);
    return engine.switches.newerMembers === 'present' ? { ...reply, body: withNewerMembers(reply.body) } : reply;
  }

  /** The valid key that the request carries; 401 without one ("Authentication" 1 to 5). */
  #identify(request: RawRequest, atMs: number): KeyRecord {
    const value = bearerOf(request.authorization);
    const key = value === undefined ? undefined : authenticate(this.#engine, value);
    if (key === undefined)
      throw new Refusal(401, 'authentication required: the API key is missing, invalid or revoked');
    const { keyUses, switches } = this.#engine;
    if (switches.lastUse === 'at_once' || atMs - keyUses.lastMs(key) >= 60_000)
      keyUses.note(key.id, atMs, request.address);
    return key;
  }

  #refused(refusal: Refusal, requestId: string): Reply {
    const { status, message, headers } = refusal;
    const code = this.#engine.switches.errorCodes === 'published' ? refusal.code : '';
    switch (this.#engine.switches.errorBody) {
      case 'code_and_message':
        return { status, headers, body: { request_id: requestId, code, message } };
      case 'message_only':
        return { status, headers, body: { message } };
      case 'plain_text':
        return { status, headers: { ...headers, 'Content-Type': 'text/plain' }, body: message };
      default:
        return this.#engine.switches.errorBody satisfies never;
    }
  }
}

/** A request to a project that was detached from storage reattaches it, also one that only looks. */
function readOf(engine: Engine, projectId: string | undefined, work: () => Reply): Reply {
  const isDetached = projectId !== undefined && engine.live.projects.get(projectId)?.detached === true;
  if (isDetached) engine.transact((atMs) => touchProject(engine, projectId, atMs));
  return work();
}

/** Ends a transaction that is not to be, and carries its reply out of it. */
class TakenBack extends Error {
  readonly reply: Reply;

  constructor(reply: Reply) {
    super('taken back');
    this.reply = reply;
  }
}

function takenBack(engine: Engine, work: () => Reply): Reply {
  try {
    return engine.transact(() => {
      throw new TakenBack(work());
    });
  } catch (error) {
    if (error instanceof TakenBack) return error.reply;
    throw error;
  }
}

function requestIdOf(request: RawRequest, engine: Engine): string {
  const sent = request.requestId;
  return sent !== null && /^[\w.:-]{1,64}$/.test(sent) ? sent : newUuid(engine.random);
}

const PER_MINUTE = 700;
const PER_SECOND_AND_ROUTE = 40;
/** Routes with a limit of their own, requests a second. */
const PER_SECOND_OF: Readonly<Record<string, number>> = { createOrgApiKey: 10 };

/** Token buckets of one account. */
class RateLimiter {
  readonly #buckets: Map<string, { tokens: number; atMs: number }> = new Map();

  /** Seconds to wait before this request would be within the limits; 0 when it is. */
  waitSeconds(engine: Engine, routeId: string): number {
    if (engine.switches.rateLimit === 'off') return 0;
    const account = this.#bucket('account', PER_MINUTE, PER_MINUTE / 60_000, engine.atMs);
    const perSecond = PER_SECOND_OF[routeId] ?? PER_SECOND_AND_ROUTE;
    const route = this.#bucket(routeId, perSecond, perSecond / 1000, engine.atMs);
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
