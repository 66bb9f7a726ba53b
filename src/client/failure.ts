// Defines the error of the client, which names the failed request and says whether the service may have acted on that request.

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * `not_sent`: the request did not reach the service. `come_later`: refused for now, and very likely not done (423, 429, 503). `refused`:
 * refused for good and not done (other 3xx, 4xx; not 408). `ambiguous`: perhaps done. `unusable`: done, but the reply cannot be used.
 */
export type FailureClass = 'not_sent' | 'come_later' | 'refused' | 'ambiguous' | 'unusable';

export interface FailureFacts {
  readonly failureClass: FailureClass;
  readonly method: HttpMethod;
  readonly path: string;
  /** Null if no reply arrived. */
  readonly status?: number | null;
  /** The code in the reply, often empty; without a reply, the code of the network error. */
  readonly code?: string;
  readonly retryAfterMs?: number | null;
  readonly requestId?: string | null;
  /** False if the reply does not have the service's form of an error, so that a proxy may have sent the reply. */
  readonly isFromService?: boolean;
}

/** A failed request. The message is escaped and has no credential and no body. */
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
    super(message);
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

/** Returns an `ApiFailure` that concerns one request; rethrows a refused credential (401) and any other error, which concern the whole run. */
export function failureOf(error: unknown): ApiFailure {
  if (!(error instanceof ApiFailure) || error.status === 401) throw error;
  return error;
}

export async function readOrNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    failureOf(error);
    return null;
  }
}

/** The statuses that mean that the service lacks the route, and so also lacks the resources that the route would show. */
const NO_ROUTE: ReadonlySet<number | null> = new Set([400, 404, 405, 501]);

/** Returns `otherwise` if the route is missing. Rethrows other failures, because they do not prove that nothing exists. */
export async function ifKnown<T, const U>(reading: Promise<T>, otherwise: U): Promise<T | U> {
  try {
    return await reading;
  } catch (error) {
    if (NO_ROUTE.has(failureOf(error).status)) return otherwise;
    throw error;
  }
}

/** True for an `ApiFailure`, for a `DOMException` (an abort or timeout), and for the reason of an aborted `signal`. Any other error is a bug. */
export function isExpected(error: unknown, signal?: AbortSignal): boolean {
  return (
    error instanceof ApiFailure ||
    error instanceof DOMException ||
    (signal?.aborted === true && error === signal.reason)
  );
}

/** Returns the live resource that the route shows; null if the route says that the resource is gone. */
export async function shownBy<T, U>(reading: Promise<T>, liveOf: (body: T) => U): Promise<U | null> {
  try {
    return liveOf(await reading);
  } catch (error) {
    const { status } = failureOf(error);
    if (status === 404 || status === 410) return null;
    throw error;
  }
}

export function noneExpected(error: unknown): null {
  if (isExpected(error)) return null;
  throw error;
}
