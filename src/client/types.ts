// What the client offers, and the words for what is known of a request that failed.
import type { JsonObject, Json } from '../base/json.ts';
import type { Secret } from '../base/secret.ts';
import type { ShapeName } from '../api/index.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One HTTP exchange as the transport sees it. `path` is relative to the base URL and starts with `/`. */
export interface HttpRequest {
  readonly method: HttpMethod;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly signal: AbortSignal;
  /** Told right before the first byte goes; a transport that cannot tell leaves it. */
  readonly onSent?: () => void;
}

export interface HttpResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Sends one request once. Rejects with `ApiFailure`; any status that arrives whole is a response. */
export type Send = (request: HttpRequest) => Promise<HttpResponse>;

/**
 * What is known of a request that did not succeed.
 * `not_sent`: it never reached the service · `come_later`: refused for now, nothing was done (423, 429, 503) ·
 * `refused`: refused for good, nothing was done (other 3xx, 4xx) · `ambiguous`: it may or may not have been done ·
 * `unusable`: done, but the reply cannot be used.
 */
export type FailureClass = 'not_sent' | 'come_later' | 'refused' | 'ambiguous' | 'unusable';

/** The right to send one request. It ends once, by whichever of `sent` and `giveBack` comes first. */
export interface Turn {
  /** The request is sent now: until then it counts as being about to be. */
  readonly sent: () => void;
  /** No request will use it: it does not count. */
  readonly giveBack: () => void;
}

/** A read of the API; the only thing that planning and drift are ever given. */
export interface Reader {
  /** Whose projects the project list shows, where the run says so. */
  readonly orgId?: string | undefined;
  /** GET, retried within the budget; the body is checked against the wire shape. `query` values are URL-encoded. */
  get<T>(path: string, shape: ShapeName, options?: ReadOptions<T>): Promise<T>;
}

export interface ReadOptions<T = never> {
  readonly query?: Readonly<Record<string, string | number>>;
  readonly signal?: AbortSignal;
  /** Why a body of the right shape is not the answer to this question, in words that end "the reply …"; null when it is. */
  readonly problemOf?: (body: T) => string | null;
  /** How many characters the replies to several reads may have together; each reply counts it down, and one that goes beyond it is unusable. */
  readonly room?: { characters: number };
}

/** One write. It is sent again only when its caller agrees and it was surely not processed: no connection, a 429 or a 503, or a 423 of the account. */
export interface Writer {
  /**
   * Resolves with the reply's JSON (null for an empty body) of a 2xx answer; rejects with `ApiFailure` otherwise.
   * 423 of a project is not waited for here: the caller knows which operations it has to wait for.
   */
  write(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body: JsonObject | null,
    options?: WriteOptions,
  ): Promise<Json>;
  /** True while requests have to wait for their turns. */
  isPaced(): boolean;
  /** The turn of a write that was just looked at: it goes before requests that have no turn yet. */
  turn(signal: AbortSignal): Turn | Promise<Turn>;
}

export interface WriteOptions {
  readonly signal?: AbortSignal;
  /** Monotonic: by then it has been answered, pauses and further attempts included, or it is given up. */
  readonly deadlineMs?: number;
  /** Told in place of the client's own listener before each pause that precedes a retry. */
  readonly onRetry?: (notice: RetryNotice) => void;
  /** Aborted: nothing is sent again any more, while what is under way goes on. */
  readonly patience?: AbortSignal;
  /**
   * Asked after each pause: the turn by which it is sent again at once, null where it is to wait for its own, or in words why it is not
   * sent again; then its last failure is that of the write. Never rejects for a failure or an end.
   */
  readonly beforeAgain?: () => Promise<Turn | string | null>;
  /** The turn of the first request; without one it waits for its own. */
  readonly turn?: Turn;
}

export interface ApiClient extends Reader, Writer {
  readonly baseUrl: string;
  /** Requests sent so far, retries included. */
  requests(): number;
  /** The service's time as its newest reply tells it, this machine's before that; milliseconds since the epoch. */
  serverTime(): number;
  /** Why the replies so far do not tell the service's time, in words; null where they do. */
  clockDoubt(): string | null;
  /** `HOST:PORT` at which clients of Postgres come in, where the replies so far tell of one: a local control plane does. Else null. */
  postgresAddress(): string | null;
  /** A client of the same service with another credential (to try a new one); it shares budget and counters. */
  withCredential(credential: Secret): ApiClient;
  /** True for the value of its own credential, and for the mask that stands for it in whatever is read. */
  usesCredential(secret: Secret): boolean;
}

/** Told before each pause that precedes a retry. */
export interface RetryNotice {
  readonly method: HttpMethod;
  readonly path: string;
  /** The number of the attempt to come: the second is 2. */
  readonly attempt: number;
  readonly delayMs: number;
  readonly cause: string;
}

/** The reading half of a client and nothing else of it: no function but one that gets. */
export function readerOf(client: Reader): Reader {
  return Object.freeze({ orgId: client.orgId, get: client.get.bind(client) });
}
