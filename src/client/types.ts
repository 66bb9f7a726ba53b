// The interface of the client, and the classes of failed requests.
import type { JsonObject, Json } from '../base/json.ts';
import type { Secret } from '../base/secret.ts';
import type { ShapeName } from '../api/index.ts';
import type { ApiFailure, HttpMethod } from './failure.ts';

export type { FailureClass, HttpMethod } from './failure.ts';

/** `path` is relative to the base URL and starts with `/`. */
export interface HttpRequest {
  readonly method: HttpMethod;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly signal: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Sends one request once. Rejects with `ApiFailure`; any status that arrives whole is a response. */
export type Send = (request: HttpRequest) => Promise<HttpResponse>;

/** The right to send one request, which counts from the grant; the first call of `sent` or `giveBack` ends it. */
export interface Turn {
  readonly sent: () => void;
  /** Called if no request uses the turn. */
  readonly giveBack: () => void;
}

/** Planning and drift get only this half of the client, so that they cannot write. */
export interface Reader {
  /** Organization whose projects the list of projects shows. */
  readonly orgId?: string | undefined;
  /** GET with retries; the body is checked against the wire shape. `query` values are URL-encoded. */
  get<T>(path: string, shape: ShapeName, options?: ReadOptions<T>): Promise<T>;
}

export interface ReadOptions<T = never> {
  readonly query?: Readonly<Record<string, string | number>>;
  readonly signal?: AbortSignal;
  /** Problem of a body with the right shape, as the end of a sentence about the reply; null if there is none. */
  readonly problemOf?: (body: T) => string | null;
  /** Bound of the characters of several replies; each reply lowers it, and a reply beyond it is unusable. */
  readonly room?: { characters: number };
}

/** The client sends a write once: only its caller can tell whether a second one does no harm. */
interface Writer {
  /** Resolves with the JSON of a 2xx reply (null for an empty body), or rejects with `ApiFailure`. */
  write(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body: JsonObject | null,
    options?: WriteOptions,
  ): Promise<Json>;
  /**
   * Waits as long as a failed write asks. Resolves with null if the service did not process the write and may be asked again. Else
   * resolves with the reason to give up; it is empty if no pause helps, and after an abort.
   */
  pauseAfter(failure: ApiFailure, attempts: number, options: PauseOptions): Promise<string | null>;
  /** True while requests wait for turns. */
  isPaced(): boolean;
  /** The turn of a write after its look; it goes before other requests, so that the look stays fresh. */
  turn(signal: AbortSignal): Turn | Promise<Turn>;
}

interface PauseOptions {
  readonly signal: AbortSignal;
  /** Monotonic: no pause lasts that long. */
  readonly deadlineMs?: number;
  /** Replaces the listener of the client. */
  readonly onRetry?: (notice: RetryNotice) => void;
}

export interface WriteOptions {
  readonly signal?: AbortSignal;
  /** Monotonic. */
  readonly deadlineMs?: number;
  readonly turn?: Turn;
}

export interface ApiClient extends Reader, Writer {
  readonly baseUrl: string;
  /** Requests so far, including retries. */
  requests(): number;
  /** The time of the service by its newest reply, or of this machine before the first; milliseconds since the epoch. */
  serverTime(): number;
  /** Reason why the replies do not show the time of the service; null if they do. */
  clockDoubt(): string | null;
  /** `HOST:PORT` of the Postgres of a local control plane, or null. */
  postgresAddress(): string | null;
  /** A client with another credential, to try a new key; it shares pace and counters. */
  withCredential(credential: Secret): ApiClient;
  /** True for the credential of the client, and for the mask that replies hold in its place. */
  usesCredential(secret: Secret): boolean;
}

export interface RetryNotice {
  readonly method: HttpMethod;
  readonly path: string;
  /** Number of the attempt after the pause. */
  readonly attempt: number;
  readonly delayMs: number;
  readonly cause: string;
}

/** Only the reading half of a client, so that nobody can reach the other. */
export function readerOf(client: Reader): Reader {
  return Object.freeze({ orgId: client.orgId, get: client.get.bind(client) });
}
