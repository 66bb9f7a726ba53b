// One exchange with its faults: reads the request, injects the planned faults, and makes the response.
import { defined } from '../../base/picked.ts';
import { stringifyJson } from '../../base/json.ts';
import type { OwnClock } from '../../base/time/own-clock.ts';
import type { Engine } from '../resources/engine/engine.ts';
import { ConnectionFault, brokenBody, trickledBody } from './connection.ts';
import { corrupt, redate, rewrite, withUnavailable, type SentReply as Written } from './garble.ts';
import type { FaultInjector, Occasion } from './injector.ts';
import type { ListMemory } from './list-memory.ts';
import type { ExchangeFault } from './plan.ts';
import { BASE_PATH, type Dispatcher, type RequestHead } from '../api/dispatch.ts';
import { MAX_BODY_BYTES, keyIn } from '../api/input.ts';
import type { Reply } from '../resources/engine/call.ts';

export interface ExchangeParts {
  readonly engine: Engine;
  readonly dispatcher: Dispatcher;
  readonly faults: FaultInjector;
  readonly lists: ListMemory;
}

export interface Origin {
  /** Address of the client. Default: 127.0.0.1. */
  readonly address?: string;
  /** Closes the client's socket. Without it, a simulated break within a body becomes an error of the body's stream. */
  readonly hangUp?: () => void;
}

/** Serves a request. Rejects with ConnectionFault if a fault ends the connection without a reply. */
export async function exchange(parts: ExchangeParts, request: Request, from: Origin): Promise<Response> {
  const { engine, faults: injector } = parts;
  const url = new URL(request.url);
  if (!url.pathname.startsWith(`${BASE_PATH}/`))
    return Response.json({ code: '', message: `the API is below ${BASE_PATH}` }, { status: 404 });
  const path = url.pathname.slice(BASE_PATH.length);
  const faults = injector.ofExchange(occasionOf(parts, request, path));
  const latencyMs = injector.latencyMs();
  if (latencyMs > 0) await engine.clock.sleep(latencyMs, request.signal);
  await applyEarlyFaults(parts, faults, request);
  const { method, headers } = request;
  const head: RequestHead = { method, path, search: url.searchParams, headers, address: from.address ?? '127.0.0.1' };
  const judged = parts.dispatcher.judge(head);
  const body = judged.readsBody ? await parts.dispatcher.bodies.read(request, MAX_BODY_BYTES) : '';
  const serve = (isPretence: boolean): Reply => judged.serve(body, isPretence);
  const spoken = await serveWithFaults(parts, faults, { head, serve }, request);
  return respond(engine, spoken, faults, from);
}

async function applyEarlyFaults(
  { engine }: ExchangeParts,
  faults: readonly ExchangeFault[],
  request: Request,
): Promise<void> {
  for (const fault of faults) {
    if (fault.kind === 'latency') await engine.clock.sleep(fault.ms, request.signal);
    else if (fault.kind === 'before-connect' || fault.kind === 'before-send') throw new ConnectionFault(fault.kind);
    else if (fault.kind === 'mid-request' || fault.kind === 'after-send-before-commit')
      throw new ConnectionFault(fault.kind);
    else if (fault.kind === 'black-hole' && !fault.commit) await never(request.signal);
  }
}

async function serveWithFaults(
  { engine, lists, faults: injector }: ExchangeParts,
  faults: readonly ExchangeFault[],
  { head, serve }: { readonly head: RequestHead; readonly serve: (isPretence: boolean) => Reply },
  request: Request,
): Promise<Written> {
  for (const fault of faults) {
    if (fault.kind === 'late-commit') {
      engine.callAt(engine.settle() + fault.delayMs, () => void serve(false));
      throw new ConnectionFault('late-commit');
    }
    if (fault.kind === 'locked' || fault.kind === 'rate-limited') return written(injectedRefusal(fault));
    if (fault.kind === 'reply' && !fault.commit) return replaced(written({ status: fault.status }), fault);
    if (fault.kind === 'capped') capPage(head.search, fault.size);
  }
  let reply = serve(faults.some(({ kind }) => kind === 'pretend'));
  if (injector.remembersLists && head.method === 'GET') reply = lists.recall(head, reply, faults, engine.clock.nowMs());
  for (const fault of faults)
    if (fault.kind === 'unavailable') reply = { ...reply, body: withUnavailable(reply.body, fault.projects) };
    else if (fault.kind === 'rewrite') reply = { ...reply, body: rewrite(reply.body, fault.at, fault.value) };
    else if (fault.kind === 'created') reply = { ...reply, body: redate(reply.body, fault.byMs) };
  let result = written(reply);
  for (const fault of faults) {
    if (fault.kind === 'after-commit-before-reply' || fault.kind === 'mid-headers')
      throw new ConnectionFault(fault.kind);
    if (fault.kind === 'black-hole') await never(request.signal);
    if (fault.kind === 'reply') result = replaced(result, fault);
    if (fault.kind === 'garble') result = { ...result, ...corrupt(result, fault.how) };
  }
  return result;
}

function capPage(search: URLSearchParams, size: number): void {
  const asked = search.get('limit');
  if (asked === null || Number(asked) > size) search.set('limit', String(size));
}

function injectedRefusal(fault: Extract<ExchangeFault, { kind: 'locked' | 'rate-limited' }>): Reply {
  const headers = fault.retryAfter === undefined ? {} : { 'Retry-After': fault.retryAfter };
  const [status, message] =
    fault.kind === 'locked'
      ? [423, 'project already has running conflicting operations, scheduling of new ones is prohibited']
      : [429, 'rate limit exceeded'];
  return { status, headers, body: { request_id: '', code: '', message } };
}

function replaced(result: Written, fault: Extract<ExchangeFault, { kind: 'reply' }>): Written {
  const headers = { ...result.headers, ...fault.headers };
  const body = fault.body ?? result.bytes ?? JSON.stringify({ request_id: '', code: '', message: 'injected fault' });
  return { status: fault.status, headers, bytes: isBodiless(fault.status) ? null : body };
}

function respond(engine: Engine, result: Written, faults: readonly ExchangeFault[], from: Origin): Response {
  const date = dateOf(engine.clock.nowMs(), faults);
  const headers: Record<string, string> = { ...(date === null ? {} : { Date: date }), ...result.headers };
  const init = { status: result.status, headers };
  for (const fault of faults) {
    if (fault.kind === 'after-reply') init.headers['Connection'] = 'close';
    if (fault.kind === 'mid-body') return new Response(brokenBody(result.bytes, fault.at ?? 'half', from.hangUp), init);
    if (fault.kind === 'trickle') return new Response(trickledBody(result.bytes, fault, engine.clock), init);
  }
  return new Response(result.bytes, init);
}

/** Adds `X-Trueup-Clock` to a reply while the clock is set or frozen, so that clients know that its times are not real. */
export function withClock({ isSet }: OwnClock, reply: Response): Response {
  if (isSet) reply.headers.set('X-Trueup-Clock', 'set');
  return reply;
}

function dateOf(nowMs: number, faults: readonly ExchangeFault[]): string | null {
  const fault = faults.findLast(({ kind }) => kind === 'date');
  if (fault?.kind !== 'date') return new Date(nowMs).toUTCString();
  return fault.byMs === undefined ? null : new Date(nowMs + fault.byMs).toUTCString();
}

function written(reply: Reply): Written {
  if (reply.body === undefined || isBodiless(reply.status))
    return { status: reply.status, headers: { ...reply.headers }, bytes: null };
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...reply.headers };
  const isText = headers['Content-Type'] === 'text/plain';
  return { status: reply.status, headers, bytes: isText ? String(reply.body) : jsonOf(reply.body) };
}

function isBodiless(status: number): boolean {
  return status === 204 || status === 304;
}

/** The body as JSON text. Only integers beyond 2^53 (bigint) need the slower exact writer. */
function jsonOf(body: unknown): string {
  try {
    return JSON.stringify(body);
  } catch {
    return stringifyJson(body);
  }
}

function never(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

function occasionOf({ engine }: ExchangeParts, request: Request, path: string): Occasion {
  const actor = keyIn(engine, request.headers)?.id;
  const [, projectId, endpointId] = /^\/projects\/([^/]+)(?:\/endpoints\/([^/]+))?/.exec(path) ?? [];
  return { method: request.method, path, atMs: engine.clock.nowMs(), ...defined({ actor, projectId, endpointId }) };
}
