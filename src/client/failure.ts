// The error of the client: the request that failed, and whether the service can have acted on it.

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * `not_sent`: never reached the service · `come_later`: refused for now, not done (423, 429, 503) · `refused`: refused for good,
 * not done (other 3xx, 4xx) · `ambiguous`: can have been done · `unusable`: done, but the reply cannot be used.
 */
export type FailureClass = 'not_sent' | 'come_later' | 'refused' | 'ambiguous' | 'unusable';

export interface FailureFacts {
  readonly failureClass: FailureClass;
  readonly method: HttpMethod;
  readonly path: string;
  /** Null if no reply arrived. */
  readonly status?: number | null;
  /** Code in the reply (often empty), or the error code of the network if no reply arrived. */
  readonly code?: string;
  /** Pause that the service asks for. */
  readonly retryAfterMs?: number | null;
  readonly requestId?: string | null;
  /** False for a reply that does not have the form of the service's errors: a proxy can have sent it. */
  readonly isFromService?: boolean;
  readonly cause?: unknown;
}

/** The message is inert and never holds a credential or a body. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure' as const;
  readonly failureClass: FailureClass;
  readonly method: HttpMethod;
  readonly path: string;
  readonly status: number | null;
  readonly code: string;
  readonly retryAfterMs: number | null;
  readonly requestId: string | null;
  readonly isFromService: boolean;

  constructor(message: string, facts: FailureFacts) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.failureClass = facts.failureClass;
    this.method = facts.method;
    this.path = facts.path;
    this.status = facts.status ?? null;
    this.code = facts.code ?? '';
    this.isFromService = facts.isFromService ?? false;
    this.retryAfterMs = facts.retryAfterMs ?? null;
    this.requestId = facts.requestId ?? null;
  }
}

/** Throws a refused credential, and errors that are no failure of the API, because they concern the whole run. */
export function failureOf(error: unknown): ApiFailure {
  if (!(error instanceof ApiFailure) || error.status === 401) throw error;
  return error;
}

/** Null if the reading fails, unless the failure concerns the whole run. */
export async function readOrNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    failureOf(error);
    return null;
  }
}

/** Statuses of a service that does not have the route, and so keeps no such list. */
const NO_ROUTE: ReadonlySet<number | null> = new Set([400, 404, 405, 501]);

/** `otherwise` if the service does not have the route. Any other failure does not prove that nothing is there. */
export async function ifKnown<T, const U>(reading: Promise<T>, otherwise: U): Promise<T | U> {
  try {
    return await reading;
  } catch (error) {
    if (NO_ROUTE.has(failureOf(error).status)) return otherwise;
    throw error;
  }
}

/** True for a failure of the API and for an abort by `signal`. Any other error is a bug. */
export function isExpected(error: unknown, signal?: AbortSignal): boolean {
  return (
    error instanceof ApiFailure ||
    error instanceof DOMException ||
    (signal?.aborted === true && error === signal.reason)
  );
}

/** The resource by its own route; null if that route says that the resource is gone. */
export async function shownBy<T, U>(reading: Promise<T>, liveOf: (body: T) => U): Promise<U | null> {
  try {
    return liveOf(await reading);
  } catch (error) {
    const { status } = failureOf(error);
    if (status === 404 || status === 410) return null;
    throw error;
  }
}

/** Handler of a rejected promise: null for every failure of the API, and after an abort. */
export function noneExpected(error: unknown): null {
  if (isExpected(error)) return null;
  throw error;
}
