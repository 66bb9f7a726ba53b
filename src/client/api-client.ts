// Implements the client of the control API: retries and checks reads, sends each write once, and reports whether the service may have acted.
import { setMaxListeners } from 'node:events';
import { checkReply, type ShapeName } from '../api/index.ts';
import type { Clock } from '../base/time/clock.ts';
import { parseJson, RefusedJson, type Json, type JsonObject } from '../base/json.ts';
import type { Secret } from '../base/secret.ts';
import { failureOfAnswer, unusableAnswer, withoutOwnCredential, type AnswerSetting } from './answer-failure.ts';
import { ApiFailure } from './failure.ts';
import { isLoopbackUrl } from './http/proxy.ts';
import { abortedRequest, withinTime } from './http/exchange.ts';
import { type RequestBudget, type RetrySetting, pauseAfter, withRetries, isWholeAnswer, statusClass } from './pace.ts';
import type {
  ApiClient,
  HttpRequest,
  HttpResponse,
  Reader,
  ReadOptions,
  ReplyHead,
  Send,
  WriteOptions,
} from './types.ts';
import { humanDuration } from '../base/time/duration.ts';
import { MOST_SKEW_MS, UNSTEADY_MS } from '../model/operations/timing.ts';

export interface ApiClientOptions extends Omit<RetrySetting, 'deadlineMs'> {
  readonly send: Send;
  readonly baseUrl: string;
  /** With null, no Authorization header is sent. */
  readonly credential: Secret | null;
  readonly orgId?: string | undefined;
  readonly budget: RequestBudget;
  readonly userAgent: string;
}

interface Call<T>
  extends Pick<HttpRequest, 'method' | 'path' | 'signal'>, Pick<WriteOptions, 'hasTurn' | 'deadlineMs'> {
  readonly query?: Query;
  readonly body?: JsonObject | null;
  readonly room?: ReadOptions['room'];
  /** Turns the JSON of a 2xx reply into the result or calls `refuse`, which throws; `problem` must not quote the reply. */
  readonly accept: (json: Json, refuse: (problem: string) => never) => T;
}

/** Clients with different credentials share all other members. */
interface Sender extends ApiClientOptions {
  readonly server: ServerClock;
  readonly seen: { requests: number; postgres: string | null };
}

/** The header in which the local server sends the address of its real Postgres. */
const POSTGRES_HEADER = 'trueup-postgres';
const HOST_AND_PORT = /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\]):\d{1,5}$/i;

const NEVER = new AbortController().signal;
setMaxListeners(0, NEVER);

/** A credential that no header can carry makes every request fail as `refused` without being sent. */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const server = createServerClock(options.clock, { mayBeSet: isLoopbackUrl(options.baseUrl) });
  return clientOf({ ...options, server, seen: { requests: 0, postgres: null } });
}

function clientOf(sender: Sender): ApiClient {
  const { baseUrl, budget, credential, orgId, seen, server } = sender;
  return {
    baseUrl,
    orgId,
    requests: () => seen.requests,
    serverTime: server.nowMs,
    clockDoubt: server.doubt,
    postgresAddress: () => seen.postgres,
    withCredential: (other) => clientOf({ ...sender, credential: other }),
    usesCredential: (secret) => [credential?.reveal(), String(credential)].includes(secret.reveal()),
    async get<T>(path: string, shape: ShapeName, options: ReadOptions<T> = {}): Promise<T> {
      const { query = {}, signal = NEVER, problemOf, room } = options;
      const asked = path === '/projects' && orgId !== undefined ? { ...query, org_id: orgId } : query;
      const accept: Call<T>['accept'] = (json, refuse) => {
        const result = checkReply<T>(shape, json);
        if (!result.ok) return refuse(`the reply does not have the expected form (${result.problems.join('; ')})`);
        const problem = problemOf?.(result.value) ?? null;
        return problem === null ? result.value : refuse(`the reply ${problem}`);
      };
      try {
        return await perform({ method: 'GET', path, query: asked, signal, room, accept }, sender);
      } catch (failure) {
        signal.throwIfAborted();
        throw failure;
      }
    },
    write: async (method, path, body, { signal = NEVER, ...write } = {}) =>
      perform({ method, path, body, signal, ...write, accept: (json) => json }, sender),
    pauseAfter: async (failure, attempts, { signal, ...pause }) =>
      pauseAfter(failure, attempts, { ...sender, ...pause }, signal),
    turn: (signal) => budget.take(signal, true),
  };
}

/** Throws synchronously if the request cannot be sent. */
function perform<T>(call: Call<T>, sender: Sender): Promise<T> {
  const { method, path, query = {}, signal } = call;
  const { credential, userAgent } = sender;
  const problem = isPlainPath(path)
    ? credential && credentialProblem(credential)
    : 'the path has an id that is not plain text';
  if (problem !== null)
    throw new ApiFailure(`${method} was not sent: ${problem}`, { failureClass: 'refused', method, path: '' });
  const body = call.body ? JSON.stringify(call.body) : null;
  const headers = {
    accept: 'application/json',
    'user-agent': userAgent,
    // The service takes the credential as a bearer token (api-rules 12.1).
    ...(credential === null ? {} : { authorization: `Bearer ${credential.reveal()}` }),
    ...(body === null ? {} : { 'content-type': 'application/json' }),
  };
  const request = { method, path: withQuery(path, query), headers, body, signal };
  const attempt = (): Promise<T> => attemptOf(call, request, sender);
  return method === 'GET' ? withRetries(attempt, signal, sender) : attempt();
}

async function attemptOf<T>(call: Call<T>, request: HttpRequest, sender: Sender): Promise<T> {
  const { budget, clock, credential, seen, send, server } = sender;
  const { method, path, signal, deadlineMs = Infinity, hasTurn = false } = call;
  if (!hasTurn && !signal.aborted) await budget.take(signal).catch(() => undefined);
  // An abort while waiting for the turn proves that nothing was sent.
  if (signal.aborted) throw abortedRequest(request, false);
  seen.requests++;
  const sentMs = clock.monotonicMs();
  const answer = await withinTime({ clock, deadlineMs, signal }, (bounded) => send({ ...request, signal: bounded }));
  const response = withoutOwnCredential(answer, credential);
  server.observe(response, clock.monotonicMs() - sentMs);
  const postgres = response.headers[POSTGRES_HEADER];
  if (postgres !== undefined && HOST_AND_PORT.test(postgres)) seen.postgres = postgres;
  if (response.status === 429) budget.complain();
  return valueOf(call, response, { method, path, credential });
}

function valueOf<T>({ accept, room }: Call<T>, response: HttpResponse, setting: AnswerSetting): T {
  const { status, text } = response;
  if (statusClass(status) !== 'ok') throw failureOfAnswer(response, setting);
  const refuse = (problem: string): never => {
    throw unusableAnswer(response, setting, problem);
  };
  if (!isWholeAnswer(setting.method, status)) refuse('this HTTP status means that the reply is not complete');
  if (room !== undefined && text.length > room.characters)
    refuse('the pages of this list are larger than trueup accepts');
  const value = accept(jsonOf(text, refuse), refuse);
  if (room !== undefined) room.characters -= text.length;
  return value;
}

function jsonOf(text: string, refuse: (problem: string) => never): Json {
  if (text.trim() === '') return null;
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof RefusedJson) return refuse(`the reply cannot be used: ${error.message}`);
    // The parser's own message quotes the text, which can hold a secret.
    return refuse(`the reply is not valid JSON (${text.length} characters)`);
  }
}

/** Matches a path of segments as `encodeURIComponent` writes them, of 1 to 200 characters. A segment of only dots would change the route. */
const PLAIN_PATH = /^(?:\/(?!\.+(?:\/|$))(?:[\w.~!'()*-]|%(?!2[Ee])[0-9A-F]{2}){1,200})+$/;

export function isPlainPath(path: string): boolean {
  return PLAIN_PATH.test(path);
}

type Query = NonNullable<ReadOptions['query']>;

export function withQuery(path: string, query: Query): string {
  const pairs = Object.entries(query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

/** Returns why the credential cannot be sent, without quoting it; null if the credential can be sent. */
export function credentialProblem(credential: Secret): string | null {
  const value = credential.reveal();
  if (value === '') return 'the credential is empty';
  if (value.length > 4096) return 'the credential is longer than 4096 characters';
  if (/[\r\n]/.test(value)) return 'the credential contains a line break';
  if (/\s/.test(value)) return 'the credential contains a space';
  if (!/^[\x21-\x7e]+$/.test(value)) return 'the credential contains characters outside printable ASCII';
  return null;
}

export interface ServerClock {
  readonly observe: (reply: ReplyHead, tookMs: number) => void;
  /** The service's time; before the first reply, the time of this machine. */
  readonly nowMs: () => number;
  readonly doubt: () => string | null;
}

const SECOND_MS = 1000;

/** The local server sends this header while its clock is set by hand. */
const SET_CLOCK_HEADER = 'x-trueup-clock';

/** `mayBeSet`: true for a service on this machine; only such a service may say that its clock is set by hand. */
export function createServerClock(
  clock: Clock,
  { mayBeSet = false }: { readonly mayBeSet?: boolean } = {},
): ServerClock {
  /** The service's time minus this machine's; null before the first reply. */
  let skewMs: number | null = null;
  let isSet = false;
  let widestMs = 0;
  return {
    observe({ status, headers }, tookMs) {
      const toldMs = status < 300 && headers['age'] === undefined ? Date.parse(headers['date'] ?? '') : Number.NaN;
      if (Number.isNaN(toldMs)) return;
      const leastMs = toldMs - clock.nowMs();
      // The smallest difference between the clocks that fits the reply's `Date`: this date has whole seconds, and rounding must not change plans.
      const seenMs = Math.min(Math.max(0, leastMs), leastMs + SECOND_MS + tookMs);
      const wasSet = isSet;
      isSet = mayBeSet && headers[SET_CLOCK_HEADER] === 'set';
      // A clock that is set by hand may jump at any time.
      if (skewMs !== null && !isSet && !wasSet) widestMs = Math.max(widestMs, Math.abs(seenMs - skewMs));
      skewMs = seenMs;
    },
    nowMs: () => Math.round(clock.nowMs() + (skewMs ?? 0)),
    doubt() {
      if (skewMs === null) return 'the replies of the service have no Date header';
      if (widestMs > UNSTEADY_MS) return `the dates of the service's replies differ by ${humanDuration(widestMs)}`;
      if (isSet || Math.abs(skewMs) <= MOST_SKEW_MS) return null;
      return `the clock of the service is ${humanDuration(Math.abs(skewMs))} ${skewMs < 0 ? 'behind' : 'ahead of'} the clock of this machine`;
    },
  };
}

/** Returns only the reading half of a client. */
export function readerOf(client: Reader): Reader {
  return Object.freeze({ orgId: client.orgId, get: client.get.bind(client) });
}
