// A client over a handler in virtual time: what most tests of the client need.
import { createApiClient, type ApiClientOptions } from '../../../src/client/api-client.ts';
import { handlerTransport, type Handler } from '../../../src/client/http/handler-transport.ts';
import { createRequestBudget } from '../../../src/client/pace.ts';
import { ApiFailure } from '../../../src/client/failure.ts';
import type { ApiClient, RetryNotice, WriteOptions } from '../../../src/client/types.ts';
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

/** A write that is sent again as often as the client agrees. */
export async function written(
  client: ApiClient,
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  options: WriteOptions = {},
): Promise<unknown> {
  const { signal = NEVER, hasTurn = false, ...more } = options;
  for (let attempts = 1; ; attempts++)
    try {
      return await client.write(method, path, null, { ...more, signal, hasTurn: hasTurn && attempts === 1 });
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      const why = await client.pauseAfter(error, attempts, { ...more, signal });
      if (why !== null) throw why === '' ? error : new ApiFailure(`${error.message}; ${why}`, error);
    }
}

/** Never aborted. */
export const NEVER: AbortSignal = new AbortController().signal;
