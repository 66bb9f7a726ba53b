// Defines the interface of the client: requests and replies, and the methods for reading and writing.
import type { JsonObject, Json } from '../base/json.ts';
import type { Secret } from '../base/secret.ts';
import type { ShapeName } from '../api/index.ts';
import type { ApiFailure, HttpMethod } from './failure.ts';

/** `path` starts with `/` and is relative to the base URL. */
export interface HttpRequest {
  readonly method: HttpMethod;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly signal: AbortSignal;
}

export interface ReplyHead {
  readonly status: number;
  /** The header names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface HttpResponse extends ReplyHead {
  readonly text: string;
}

/** Sends one request once. Resolves with a complete reply, or with a broken error reply without its text; else rejects with `ApiFailure`. */
export type Send = (request: HttpRequest) => Promise<HttpResponse>;

/** The reading half of the client. Planning and drift get only this half, so that they cannot write. */
export interface Reader {
  readonly orgId?: string | undefined;
  /** Sends a GET with retries, checks the body against the shape, and URL-encodes `query`. */
  get<T>(path: string, shape: ShapeName, options?: ReadOptions<T>): Promise<T>;
}

export interface ReadOptions<T = never> {
  readonly query?: Readonly<Record<string, string | number>>;
  readonly signal?: AbortSignal;
  /** Checks a body that has the right shape. Returns the end of a sentence that begins with `the reply`, or null if the body has no problem. */
  readonly problemOf?: ((body: T) => string | null) | undefined;
  /** How many characters the replies to all calls with this object may still have. Each reply lowers the number; a longer reply fails. */
  readonly room?: { characters: number };
}

/** The writing half of the client, which sends each write only once: only the caller knows whether a repetition is harmless. */
interface Writer {
  /** Resolves with the JSON of a 2xx reply (null for an empty body); rejects with `ApiFailure`. */
  write(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body: JsonObject | null,
    options?: WriteOptions,
  ): Promise<Json>;
  /**
   * Waits as long as a failed write requires. Resolves with null if the caller may then repeat the write, because the service did not process
   * it; else with the reason to give up. The reason is empty if the failure allows no repetition (`mayRetry`), or after an abort.
   */
  pauseAfter(failure: ApiFailure, attempts: number, options: PauseOptions): Promise<string | null>;
  /** Waits for the turn of a write. Writes go before other requests, so that the live state read for them is still fresh. */
  turn(signal: AbortSignal): Promise<void>;
}

interface PauseOptions {
  readonly signal: AbortSignal;
  /** Monotonic time; no pause lasts beyond it. */
  readonly deadlineMs?: number;
  /** Called instead of the client's own listener. */
  readonly onRetry?: (notice: RetryNotice) => void;
}

export interface WriteOptions {
  readonly signal?: AbortSignal;
  /** Monotonic time. */
  readonly deadlineMs?: number;
  /** True if `turn` was awaited for this write. */
  readonly hasTurn?: boolean;
}

export interface ApiClient extends Reader, Writer {
  readonly baseUrl: string;
  /** The number of requests, including retries. */
  requests(): number;
  /** Returns the service's time by its newest reply, or this machine's time before the first reply; milliseconds since the epoch. */
  serverTime(): number;
  /** Returns why the replies do not show the service's time; null if they show it. */
  clockDoubt(): string | null;
  /** Returns `HOST:PORT` of the Postgres of the local server; null if there is none. */
  postgresAddress(): string | null;
  /** Returns a client with another credential, to try a new key; both clients share the pace and the counters. */
  withCredential(credential: Secret): ApiClient;
  /** True for the client's own credential, and for the mask that replaces it in replies. */
  usesCredential(secret: Secret): boolean;
}

export interface RetryNotice {
  readonly method: HttpMethod;
  readonly path: string;
  /** The number of the attempt after the pause. */
  readonly attempt: number;
  readonly delayMs: number;
  readonly cause: string;
}
