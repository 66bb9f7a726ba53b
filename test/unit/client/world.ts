// A client over a handler in virtual time: what most tests of the client need.
import { createApiClient, type ApiClientOptions } from '../../../src/client/api-client.ts';
import { handlerTransport, type Handler } from '../../../src/client/http/handler-transport.ts';
import { createRequestBudget } from '../../../src/client/retry/request-budget.ts';
import type { ApiClient, RetryNotice } from '../../../src/client/types.ts';
import { seededRandom } from '../../../src/base/random.ts';
import { Secret } from '../../../src/base/secret.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

export const BASE_URL = 'http://service.test/api/v2';
export const CREDENTIAL = 'canary-5f1c7e';

export interface TestWorld {
  readonly clock: VirtualClock;
  readonly client: ApiClient;
  readonly notices: RetryNotice[];
}

/** A client of `handler` without a limit on requests. */
export function worldOf(handler: Handler, options: Partial<ApiClientOptions> = {}): TestWorld {
  const clock = new VirtualClock();
  const notices: RetryNotice[] = [];
  const client = createApiClient({
    send: handlerTransport(handler, { baseUrl: BASE_URL, clock }),
    baseUrl: BASE_URL,
    credential: new Secret(CREDENTIAL),
    clock,
    random: seededRandom(7),
    budget: createRequestBudget({ clock, requestsPerMinute: Number.POSITIVE_INFINITY }),
    onRetry: (notice) => void notices.push(notice),
    userAgent: 'trueup/0.0.0-test',
    ...options,
  });
  return { clock, client, notices };
}

export function json(body: unknown, status: number = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
}

/** Never aborted. */
export const NEVER: AbortSignal = new AbortController().signal;
