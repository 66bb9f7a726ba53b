// Puts the client of a run together: transport, budgets, credential, waiter.
import { setMaxListeners } from 'node:events';
import { READS_AT_ONCE } from '../apply/read/read-scopes.ts';
import { systemClock, type Clock } from '../base/time/clock.ts';
import { systemRandom, type Random } from '../base/random.ts';
import { Secret } from '../base/secret.ts';
import { createApiClient } from '../client/api-client.ts';
import { parseBaseUrl } from '../client/http/base-url.ts';
import { createOperationWaiter, type OperationWaiter } from '../client/operations/waiter.ts';
import { createRequestBudget } from '../client/retry/request-budget.ts';
import { undiciTransport } from '../client/http/transport.ts';
import { BURSTS_IN_A_MINUTE } from '../client/timing.ts';
import type { ApiClient } from '../client/types.ts';
import { POLL_INTERVAL_MS } from '../model/operations/timing.ts';
import type { ReconcilerOptions } from './types.ts';

/** The client of a run, and the clocks and chance that it uses. */
export interface Session {
  readonly client: ApiClient;
  readonly waiter: OperationWaiter;
  readonly clock: Clock;
  /** The same clock, but its wall time is the service's. */
  readonly serverClock: Clock;
  readonly random: Random;
  readonly credential: Secret;
  readonly close: () => Promise<void>;
}

/** Default of the writes in flight. */
const DEFAULT_PARALLELISM = 10;
/** Default of the requests in a minute. */
const DEFAULT_PACE = 600;

/** Writes in flight: at most half of the requests of a second, so that no write waits long for its turn after its look. */
export function writesAtOnce({ parallelism, requestsPerMinute }: ReconcilerOptions): number {
  const paced = Math.floor((requestsPerMinute ?? DEFAULT_PACE) / BURSTS_IN_A_MINUTE / 2);
  return Math.max(1, Math.min(parallelism ?? DEFAULT_PARALLELISM, paced));
}

/** Share of the request budget that looks at operations may take, so that writes are never starved by waiting. */
const SHARE_OF_LOOKS = 0.6;

/** Opens the session. Throws Error for a base URL that cannot be used; the text never quotes credentials in it. */
export function openSession(options: ReconcilerOptions): Session {
  const parsed = parseBaseUrl(options.baseUrl);
  if ('problem' in parsed) throw new Error(parsed.problem);
  const clock = options.clock ?? systemClock;
  const random = options.random ?? systemRandom;
  const credential = typeof options.credential === 'string' ? new Secret(options.credential) : options.credential;
  const { proxy } = options;
  const transport =
    options.send === undefined
      ? undiciTransport({
          baseUrl: parsed.url,
          reads: READS_AT_ONCE,
          writes: writesAtOnce(options),
          clock,
          ...(proxy === undefined ? {} : { proxy }),
        })
      : { send: options.send, close: async () => undefined };
  const requestsPerMinute = options.requestsPerMinute ?? DEFAULT_PACE;
  const closed = new AbortController();
  setMaxListeners(0, closed.signal);
  const client = createApiClient({
    send: transport.send,
    baseUrl: parsed.url,
    credential,
    orgId: options.orgId,
    clock,
    random,
    budget: createRequestBudget({ clock, requestsPerMinute }),
    onRetry: options.onRetry,
    closed: closed.signal,
    userAgent: options.userAgent ?? 'trueup',
  });
  const serverClock: Clock = {
    nowMs: () => client.serverTime(),
    monotonicMs: () => clock.monotonicMs(),
    after: (ms, act) => clock.after(ms, act),
    sleep: async (ms, signal) => clock.sleep(ms, signal),
  };
  const waiter = createOperationWaiter({
    reader: client,
    clock: serverClock,
    pollIntervalMs: options.pollIntervalMs ?? POLL_INTERVAL_MS,
    looksPerSecond: (requestsPerMinute / 60) * SHARE_OF_LOOKS,
  });
  const close = async (): Promise<void> => {
    closed.abort();
    await transport.close();
  };
  return { client, waiter, clock, serverClock, random, credential, close };
}
