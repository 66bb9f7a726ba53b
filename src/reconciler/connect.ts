// Creates the client of a run: transport, request budget, credential, and waiter.
import { setMaxListeners } from 'node:events';
import { READS_AT_ONCE } from '../apply/read/read-scopes.ts';
import { systemClock, type Clock } from '../base/time/clock.ts';
import { systemRandom, type Random } from '../base/random.ts';
import { Secret } from '../base/secret.ts';
import { createApiClient } from '../client/api-client.ts';
import { parseBaseUrl } from '../client/http/proxy.ts';
import { createOperationWaiter, type OperationWaiter } from '../client/waiter.ts';
import { createRequestBudget } from '../client/pace.ts';
import { undiciTransport } from '../client/http/transport.ts';
import { BURSTS_IN_A_MINUTE, POLL_INTERVAL_MS } from '../model/operations/timing.ts';
import type { ApiClient } from '../client/types.ts';
import type { ReconcilerOptions } from './types.ts';

export interface Session {
  readonly client: ApiClient;
  readonly waiter: OperationWaiter;
  readonly clock: Clock;
  /** Like `clock`, but with the service's time as wall-clock time. */
  readonly serverClock: Clock;
  readonly random: Random;
  readonly credential: Secret;
  readonly close: () => Promise<void>;
}

const DEFAULT_PARALLELISM = 10;
const DEFAULT_PACE = 600;

/** Limits the writes in flight to half a second's requests, so that no write waits long for its turn after the live state was read. */
export function writesAtOnce({ parallelism, requestsPerMinute }: ReconcilerOptions): number {
  const paced = Math.floor((requestsPerMinute ?? DEFAULT_PACE) / BURSTS_IN_A_MINUTE / 2);
  return Math.max(1, Math.min(parallelism ?? DEFAULT_PARALLELISM, paced));
}

/** The share of the request budget that polls of operations may use, so that writes always get through. */
const SHARE_OF_LOOKS = 0.6;

/** Opens the session. Throws Error for an unusable base URL, without quoting credentials in it. */
export function openSession(options: ReconcilerOptions): Session {
  const parsed = parseBaseUrl(options.baseUrl);
  if ('problem' in parsed) throw new Error(parsed.problem);
  const clock = options.clock ?? systemClock;
  const random = options.random ?? systemRandom;
  const credential = typeof options.credential === 'string' ? new Secret(options.credential) : options.credential;
  const transport =
    options.send === undefined
      ? undiciTransport({
          baseUrl: parsed.url,
          reads: READS_AT_ONCE,
          writes: writesAtOnce(options),
          clock,
          proxy: options.proxy,
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
