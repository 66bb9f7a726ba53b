// The one error of the client: what failed, and what is known of whether it was done.
import type { FailureClass, HttpMethod } from './types.ts';

export interface FailureFacts {
  readonly failureClass: FailureClass;
  readonly method: HttpMethod;
  readonly path: string;
  /** Null when no answer arrived. */
  readonly status?: number | null;
  /** The service's machine-readable reason (often empty), or the network's error code when no answer arrived. */
  readonly code?: string;
  /** How long the service asks to wait. */
  readonly retryAfterMs?: number | null;
  readonly requestId?: string | null;
  /** True where the answer has the form of the service's own errors: proxies in between answer in other forms. */
  readonly isFromService?: boolean;
  readonly cause?: unknown;
}

/** A request without a usable success. The message is inert and never holds a credential or a body. */
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

/** A refused credential and anything that is no failure of the API concern the whole run: they are thrown on. */
export function failureOf(error: unknown): ApiFailure {
  if (!(error instanceof ApiFailure) || error.status === 401) throw error;
  return error;
}

/** What a reading gives that can be done without: null where it fails, but for what concerns the whole run. */
export async function readOrNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    failureOf(error);
    return null;
  }
}

/** Statuses by which a service says that it has no such request: to know that it keeps none of what was asked for. */
const NO_ROUTE: ReadonlySet<number | null> = new Set([400, 404, 405, 501]);

/** What a look gives that not every service knows: `otherwise` where it says so. No other failure tells that there is nothing. */
export async function ifKnown<T, const U>(reading: Promise<T>, otherwise: U): Promise<T | U> {
  try {
    return await reading;
  } catch (error) {
    if (NO_ROUTE.has(failureOf(error).status)) return otherwise;
    throw error;
  }
}

/** True for a failure of the API and for the end of what `signal` stopped. Anything else is a bug, stopped or not, and is thrown on. */
export function isExpected(error: unknown, signal?: AbortSignal): boolean {
  return (
    error instanceof ApiFailure ||
    error instanceof DOMException ||
    (signal?.aborted === true && error === signal.reason)
  );
}

/** What a resource's own route shows; null where that says that it is gone. */
export async function shownBy<T, U>(reading: Promise<T>, liveOf: (body: T) => U): Promise<U | null> {
  try {
    return liveOf(await reading);
  } catch (error) {
    const { status } = failureOf(error);
    if (status === 404 || status === 410) return null;
    throw error;
  }
}

/** For a rejected promise: nothing where the service did not give it, for whatever reason. */
export function noneUnread(error: unknown): null {
  if (error instanceof ApiFailure) return null;
  throw error;
}
