// The client of the control API: reads are repeated and checked, and the failure of a write says whether the write can have happened.
import { setMaxListeners } from 'node:events';
import { checkReply, type ShapeName } from '../api/index.ts';
import type { Clock } from '../base/time/clock.ts';
import { jsonExcess, parseJson, type Json, type JsonObject } from '../base/json.ts';
import type { Random } from '../base/random.ts';
import type { Secret } from '../base/secret.ts';
import { failureOfAnswer, unusableAnswer, withoutOwnCredential, type AnswerSetting } from './answer-failure.ts';
import { ApiFailure } from './failure.ts';
import { isLoopbackUrl } from './http/base-url.ts';
import { abortedRequest } from './http/exchange.ts';
import type { RequestBudget } from './retry/request-budget.ts';
import { pauseAfter, withRetries, isWholeAnswer, statusClass } from './retry/retry.ts';
import { createServerClock, type ServerClock } from './server-time.ts';
import type {
  ApiClient,
  HttpMethod,
  HttpRequest,
  HttpResponse,
  ReadOptions,
  RetryNotice,
  Send,
  Turn,
} from './types.ts';
import { withinTime } from './http/within-time.ts';

export interface ApiClientOptions {
  readonly send: Send;
  /** As `parseBaseUrl` returns it. */
  readonly baseUrl: string;
  /** Null sends no Authorization header. */
  readonly credential: Secret | null;
  /** Sent with the project list, for credentials of an organization's member. */
  readonly orgId?: string | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly budget: RequestBudget;
  readonly onRetry?: ((notice: RetryNotice) => void) | undefined;
  /** Its abort ends all repeats. */
  readonly closed?: AbortSignal | undefined;
  /** `trueup/VERSION`. */
  readonly userAgent: string;
}

interface Call<T> {
  readonly method: HttpMethod;
  readonly path: string;
  readonly query: Readonly<Record<string, string | number>>;
  readonly body: JsonObject | null;
  readonly signal: AbortSignal;
  readonly turn?: Turn | undefined;
  /** Monotonic. */
  readonly deadlineMs?: number | undefined;
  /** See `ReadOptions`. */
  readonly room?: { characters: number } | undefined;
  /** The value of a 2xx answer's JSON, or a problem that does not quote it. */
  readonly accept: (json: Json) => { readonly value: T } | { readonly problem: string };
}

interface Sender extends ApiClientOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly headersWithBody: Readonly<Record<string, string>>;
  readonly counter: { sent: number };
  readonly server: ServerClock;
  readonly learnt: { postgres: string | null };
}

/** Header of a local control plane with a real Postgres. */
const POSTGRES_HEADER = 'trueup-postgres';
const HOST_AND_PORT = /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\]):\d{1,5}$/i;

/** A credential that no header can carry makes every request fail as `refused`, before it is sent. */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const counter = { sent: 0 };
  const server = createServerClock(options.clock, { mayBeSet: isLoopbackUrl(options.baseUrl) });
  const learnt = { postgres: null };
  const never = new AbortController().signal;
  setMaxListeners(0, never);
  const { orgId } = options;
  const withCredential = (credential: Secret | null): ApiClient => {
    const sender = senderOf({ ...options, credential }, { counter, server, learnt });
    return {
      baseUrl: options.baseUrl,
      orgId,
      requests: () => counter.sent,
      serverTime: server.nowMs,
      clockDoubt: server.doubt,
      postgresAddress: () => learnt.postgres,
      withCredential,
      usesCredential: (secret) => [credential?.reveal(), String(credential)].includes(secret.reveal()),
      async get<T>(path: string, shape: ShapeName, options: ReadOptions<T> = {}): Promise<T> {
        const { query = NO_QUERY, signal = never, problemOf, room } = options;
        const asked = path === '/projects' && orgId !== undefined ? { ...query, org_id: orgId } : query;
        const accept = (json: Json): { value: T } | { problem: string } => {
          const result = checkReply<T>(shape, json);
          if (!result.ok)
            return { problem: `the reply does not have the expected form (${result.problems.join('; ')})` };
          const problem = problemOf?.(result.value) ?? null;
          return problem === null ? { value: result.value } : { problem: `the reply ${problem}` };
        };
        try {
          return await perform({ method: 'GET', path, query: asked, body: null, signal, room, accept }, sender);
        } catch (failure) {
          signal.throwIfAborted();
          throw failure;
        }
      },
      write: async (method, path, body, { signal = never, ...write } = {}) =>
        perform({ method, path, query: NO_QUERY, body, signal, ...write, accept: (value) => ({ value }) }, sender),
      pauseAfter: async (failure, attempts, { signal, ...pause }) =>
        pauseAfter(failure, attempts, { ...sender, ...pause }, signal),
      turn: (signal) => options.budget.take(signal, true),
      isPaced: () => options.budget.isFull(),
    };
  };
  return withCredential(options.credential);
}

function senderOf(options: ApiClientOptions, common: Pick<Sender, 'counter' | 'server' | 'learnt'>): Sender {
  const { credential, userAgent } = options;
  const headers = {
    accept: 'application/json',
    'user-agent': userAgent,
    ...(credential === null ? {} : { authorization: authorization(credential) }),
  };
  return { ...options, headers, headersWithBody: { ...headers, 'content-type': 'application/json' }, ...common };
}

/** Throws at once for a request that cannot be sent. */
function perform<T>(call: Call<T>, sender: Sender): Promise<T> {
  const { method, path, signal } = call;
  const { credential } = sender;
  const problem = isPlainPath(path)
    ? credential && credentialProblem(credential)
    : 'the path has an id that is not plain text';
  if (problem !== null)
    throw new ApiFailure(`${method} was not sent: ${problem}`, { failureClass: 'refused', method, path: '' });
  const body = call.body === null ? null : JSON.stringify(call.body);
  const headers = body === null ? sender.headers : sender.headersWithBody;
  const request = { method, path: withQuery(path, call.query), headers, body, signal };
  const attempt = (): Promise<T> => attemptOf(call, request, sender);
  return method === 'GET' ? withRetries(attempt, signal, sender) : attempt();
}

async function attemptOf<T>(call: Call<T>, request: HttpRequest, sender: Sender): Promise<T> {
  const { budget, clock, counter, credential, send, server } = sender;
  const { method, path, deadlineMs = Infinity } = call;
  if (request.signal.aborted) {
    call.turn?.giveBack();
    throw abortedRequest(request, false);
  }
  const taken = call.turn ?? takeTurn(request, budget);
  const turn = taken instanceof Promise ? await taken : taken;
  turn.sent();
  counter.sent++;
  const sentMs = clock.monotonicMs();
  const { signal } = request;
  const answer = await withinTime({ clock, deadlineMs, signal }, (bounded) => send({ ...request, signal: bounded }));
  const response = withoutOwnCredential(answer, credential);
  server.observe(response, clock.monotonicMs() - sentMs);
  const postgres = response.headers[POSTGRES_HEADER];
  if (postgres !== undefined && HOST_AND_PORT.test(postgres)) sender.learnt.postgres = postgres;
  if (response.status === 429) budget.complain();
  return valueOf(call, response, { method, path, credential, nowMs: server.nowMs() });
}

/** An abort during the wait proves that nothing was sent. */
function takeTurn(request: HttpRequest, budget: RequestBudget): Turn | Promise<Turn> {
  const taken = budget.take(request.signal);
  if (!(taken instanceof Promise)) return taken;
  return taken.catch(() => {
    throw abortedRequest(request, false);
  });
}

function valueOf<T>(call: Call<T>, response: HttpResponse, setting: AnswerSetting): T {
  if (statusClass(response.status) !== 'ok') throw failureOfAnswer(response, setting);
  if (!isWholeAnswer(setting.method, response.status))
    throw unusableAnswer(response, setting, 'this HTTP status means that the reply is not complete');
  const { room } = call;
  if (room !== undefined && response.text.length > room.characters)
    throw unusableAnswer(response, setting, 'the pages of this list are larger than trueup accepts');
  const accepted = call.accept(jsonOf(response, setting));
  if ('problem' in accepted) throw unusableAnswer(response, setting, accepted.problem);
  if (room !== undefined) room.characters -= response.text.length;
  return accepted.value;
}

function jsonOf(response: HttpResponse, setting: AnswerSetting): Json {
  if (response.text.trim() === '') return null;
  const excess = jsonExcess(response.text);
  if (excess !== null) throw unusableAnswer(response, setting, `the reply cannot be used: ${excess}`);
  try {
    return parseJson(response.text);
  } catch {
    // The message of the parser quotes the text, which can hold a secret.
    throw unusableAnswer(response, setting, `the reply is not valid JSON (${response.text.length} characters)`);
  }
}

/** Segments as `encodeURIComponent` writes them, without segments of dots, so that no id can change the route. */
const PLAIN_PATH = /^(?:\/(?!\.+(?:\/|$))(?:[\w.~!'()*-]|%(?!2[Ee])[0-9A-F]{2}){1,200})+$/;

/** True for `/a/b-c/d%20e`: encoded segments of at most 200 characters, none empty, none of dots. */
export function isPlainPath(path: string): boolean {
  return PLAIN_PATH.test(path);
}

type Query = Readonly<Record<string, string | number>>;

const NO_QUERY: Query = {};

export function withQuery(path: string, query: Query): string {
  if (query === NO_QUERY) return path;
  const pairs = Object.entries(query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

/** Null for a credential that can be sent. The text never holds a part of the credential. */
export function credentialProblem(credential: Secret): string | null {
  const value = credential.reveal();
  if (value === '') return 'the credential is empty';
  if (value.length > 4096) return 'the credential is longer than 4096 characters';
  if (/[\r\n]/.test(value)) return 'the credential contains a line break';
  if (/\s/.test(value)) return 'the credential contains a space';
  if (!/^[\x21-\x7e]+$/.test(value)) return 'the credential contains characters outside printable ASCII';
  return null;
}

/** The Authorization header (api-rules 12.1). */
function authorization(credential: Secret): string {
  return `Bearer ${credential.reveal()}`;
}
