// The client of the control API: reads that retry and are checked, writes that tell exactly what is known of their fate.
import { setMaxListeners } from 'node:events';
import { checkReply } from '../api/index.ts';
import type { ShapeName } from '../api/index.ts';
import type { Clock } from '../base/clock.ts';
import { parseJson } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Random } from '../base/random.ts';
import type { Secret } from '../base/secret.ts';
import { failureOfAnswer, unusableAnswer } from './answer-failure.ts';
import type { AnswerSetting } from './answer-failure.ts';
import { authorization, credentialProblem } from './credential.ts';
import { ApiFailure } from './failure.ts';
import { abortedRequest } from './reply.ts';
import type { RequestBudget } from './request-budget.ts';
import { isPlainPath, withQuery } from './request-path.ts';
import type { RetryBudget } from './retry-budget.ts';
import { withRetries } from './retry.ts';
import { statusClass } from './status-class.ts';
import type { ApiClient, HttpMethod, HttpRequest, HttpResponse, ReadOptions, RetryNotice, Send } from './types.ts';
import { withinTime } from './within-time.ts';

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
  readonly retryBudget: RetryBudget;
  readonly onRetry?: ((notice: RetryNotice) => void) | undefined;
  /** Aborted when the client is closed: nothing is repeated, and nobody is told of it, from then on. */
  readonly closed?: AbortSignal | undefined;
  /** `trueup/VERSION`. */
  readonly userAgent: string;
}

/** One request and how its success is understood. */
interface Call<T> {
  readonly method: HttpMethod;
  readonly path: string;
  readonly query: Readonly<Record<string, string | number>>;
  readonly body: JsonObject | null;
  readonly signal: AbortSignal;
  readonly onRetry?: ((notice: RetryNotice) => void) | undefined;
  readonly patience?: AbortSignal | undefined;
  readonly hasTurn?: boolean | undefined;
  /** Monotonic. */
  readonly deadlineMs?: number | undefined;
  /** The value of a 2xx answer's JSON, or a problem that does not quote it. */
  readonly accept: (json: Json) => { readonly value: T } | { readonly problem: string };
}

/** A client; a credential that no header can carry makes every request fail as `refused`, unsent. */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const counter = { sent: 0 };
  const never = new AbortController().signal;
  setMaxListeners(0, never);
  const withCredential = (credential: Secret | null): ApiClient => {
    const run = <T>(call: Call<T>): Promise<T> => perform(call, { ...options, credential }, counter);
    return {
      baseUrl: options.baseUrl,
      requests: () => counter.sent,
      withCredential,
      async get<T>(path: string, shape: ShapeName, { query, signal = never }: ReadOptions = {}): Promise<T> {
        const orgQuery = path === '/projects' && options.orgId !== undefined ? { org_id: options.orgId } : {};
        const accept = (json: Json): { value: T } | { problem: string } => {
          const result = checkReply<T>(shape, json);
          if (result.ok) return { value: result.value };
          return { problem: `the reply has not the expected form (${result.problems.join('; ')})` };
        };
        try {
          return await run({ method: 'GET', path, query: { ...query, ...orgQuery }, body: null, signal, accept });
        } catch (failure) {
          // Nothing hangs on a read that was given up: whoever gave it up knows why.
          signal.throwIfAborted();
          throw failure;
        }
      },
      write: (method, path, body, { signal = never, ...write } = {}) =>
        run({ method, path, query: {}, body, signal, ...write, accept: (value) => ({ value }) }),
      turn: (signal) => options.budget.take(signal),
    };
  };
  return withCredential(options.credential);
}

async function perform<T>(call: Call<T>, options: ApiClientOptions, counter: { sent: number }): Promise<T> {
  const { method, path, signal, deadlineMs = Infinity } = call;
  const { credential, budget, retryBudget, clock } = options;
  const problem = isPlainPath(path)
    ? credential && credentialProblem(credential)
    : 'the path has an id that is not plain text';
  if (problem !== null)
    throw new ApiFailure(`${method} was not sent: ${problem}`, { failureClass: 'refused', method, path: '' });
  const request = requestOf(call, options);
  let { hasTurn } = call;
  return withRetries(
    async () => {
      if (hasTurn !== true) await turn(request, budget);
      hasTurn = false;
      counter.sent++;
      const response = await withinTime({ clock, deadlineMs, signal }, (bounded) =>
        inItsTurn(request, bounded, options),
      );
      if (response.status === 429) budget.complain();
      const value = valueOf(call, response, { method, path, credential, nowMs: clock.nowMs() });
      retryBudget.refund();
      return value;
    },
    signal,
    {
      clock,
      random: options.random,
      budget: retryBudget,
      onRetry: call.onRetry ?? options.onRetry,
      patience: call.patience,
      closed: options.closed,
      deadlineMs,
    },
  );
}

function requestOf(call: Call<unknown>, { credential, userAgent }: ApiClientOptions): HttpRequest {
  const { method, path, query, signal } = call;
  const body = call.body === null ? null : JSON.stringify(call.body);
  const headers = {
    accept: 'application/json',
    'user-agent': userAgent,
    ...(credential === null ? {} : { authorization: authorization(credential) }),
    ...(body === null ? {} : { 'content-type': 'application/json' }),
  };
  return { method, path: withQuery(path, query), headers, body, signal };
}

/** Waits for the request's turn; a request that is given up meanwhile was not sent. */
async function turn(request: HttpRequest, budget: RequestBudget): Promise<void> {
  if (request.signal.aborted) throw abortedRequest(request, false);
  const waiting = budget.take(request.signal);
  if (waiting === null) return;
  try {
    await waiting;
  } catch {
    throw abortedRequest(request, false);
  }
}

/** Sends it, and tells the budget when. */
async function inItsTurn(
  request: HttpRequest,
  signal: AbortSignal,
  { budget, send }: ApiClientOptions,
): Promise<HttpResponse> {
  let isTold = false;
  const tell = (act: () => void): void => {
    if (!isTold) act();
    isTold = true;
  };
  try {
    return await send({ ...request, signal, onSent: () => tell(() => budget.sent()) });
  } finally {
    tell(() => budget.ended());
  }
}

function valueOf<T>(call: Call<T>, response: HttpResponse, setting: AnswerSetting): T {
  if (statusClass(response.status) !== 'ok') throw failureOfAnswer(response, setting);
  const accepted = call.accept(jsonOf(response, setting));
  if ('problem' in accepted) throw unusableAnswer(response, setting, accepted.problem);
  return accepted.value;
}

function jsonOf(response: HttpResponse, setting: AnswerSetting): Json {
  if (response.text.trim() === '') return null;
  try {
    return parseJson(response.text);
  } catch {
    // The parser's own message quotes the text.
    throw unusableAnswer(response, setting, `the reply is not valid JSON (${response.text.length} characters)`);
  }
}
