// Turns a reply without success into a failure: its class, an escaped message without credentials, and its request id.
import { checkReply, type ErrorBody } from '../api/index.ts';
import { inert } from '../base/text/inert.ts';
import { parseJson } from '../base/json.ts';
import type { Secret } from '../base/secret.ts';
import { ApiFailure, type FailureClass, type HttpMethod } from './failure.ts';
import { statusClass } from './pace.ts';
import type { HttpResponse } from './types.ts';

export interface AnswerSetting {
  readonly method: HttpMethod;
  readonly path: string;
  readonly credential: Secret | null;
}

const HINTS: Readonly<Record<number, string>> = {
  401: 'the service does not accept the credential',
  403: 'the credential does not allow this',
  404: 'not found',
  423: 'another operation locks the project',
  429: 'too many requests',
  503: 'the service is not available now',
};

export function failureOfAnswer(response: HttpResponse, setting: AnswerSetting): ApiFailure {
  const { method, path } = setting;
  const { status, headers, text } = response;
  const body = errorBody(text);
  const clean = (words: string, maxLength: number): string =>
    inert(withoutCredential(words, setting.credential), maxLength);
  const message = body === null || body.message === '' ? '' : clean(body.message, 300);
  const requestId = clean(body?.request_id ?? headers['x-request-id'] ?? '', 100);
  const hint = hintOf(status, headers, clean);
  const words = [message.toLowerCase().startsWith(hint) ? '' : hint, message].filter((part) => part !== '').join(': ');
  const id = requestId === '' ? '' : ` (request id ${requestId})`;
  const failureClass = statusClass(status);
  return new ApiFailure(`${method} ${path} was answered ${status}${words === '' ? '' : `: ${words}`}${id}`, {
    failureClass: failureClass === 'ok' ? 'unusable' : failureClass,
    method,
    path,
    status,
    code: clean(body?.code ?? '', 100),
    retryAfterMs: parseRetryAfterMs(headers),
    requestId: requestId === '' ? null : requestId,
    isFromService: body !== null,
  });
}

/** Returns the failure for a 2xx reply with an unusable body. `problem` must not quote the body, which can hold a secret. */
export function unusableAnswer(response: HttpResponse, setting: AnswerSetting, problem: string): ApiFailure {
  const { method, path } = setting;
  // A proxy may have sent the web page, so a write may not have reached the service.
  const isPage = /\bhtml\b/i.test(response.headers['content-type'] ?? '') || /^\s*</.test(response.text);
  const failureClass: FailureClass = isPage && method !== 'GET' ? 'ambiguous' : 'unusable';
  const words = isPage
    ? 'the reply is a web page, not JSON; is there a proxy in between, or is the base URL wrong?'
    : inert(problem, 400);
  return new ApiFailure(`${method} ${path} was answered ${response.status}, but ${words}`, {
    failureClass,
    method,
    path,
    status: response.status,
  });
}

function hintOf(
  status: number,
  headers: Readonly<Record<string, string>>,
  clean: (words: string, maxLength: number) => string,
): string {
  if (status < 300 || status >= 400) return HINTS[status] ?? '';
  const target = headers['location'];
  return `redirects are not followed${target === undefined ? '' : ` (to ${clean(target, 200)})`}; check the base URL`;
}

function errorBody(text: string): ErrorBody | null {
  if (text === '' || text.length > 65_536) return null;
  try {
    const shaped = checkReply<ErrorBody>('ErrorBody', parseJson(text));
    return shaped.ok ? shaped.value : null;
  } catch {
    return null;
  }
}

/** A shorter credential is not masked in a whole reply, because a short text may occur there by chance. */
const LEAST_CREDENTIAL = 12;

/** Masks the credential of the request in the reply, because a name in the reply can contain the credential. */
export function withoutOwnCredential(response: HttpResponse, credential: Secret | null): HttpResponse {
  const isLong = (credential?.reveal().length ?? 0) >= LEAST_CREDENTIAL;
  return isLong ? { ...response, text: withoutCredential(response.text, credential) } : response;
}

function withoutCredential(words: string, credential: Secret | null): string {
  const value = credential?.reveal() ?? '';
  return value === '' ? words : words.replaceAll(value, String(credential));
}

/** Parses Retry-After: seconds, or a date that counts from the `Date` of the same reply. Null if it is missing or malformed. */
export function parseRetryAfterMs(headers: Readonly<Record<string, string>>): number | null {
  const value = headers['retry-after']?.trim() ?? '';
  if (/^\d{1,12}$/.test(value)) return Number(value) * 1000;
  const waitMs = DATE.test(value) ? Date.parse(value) - Date.parse(headers['date'] ?? '') : Number.NaN;
  return Number.isNaN(waitMs) ? null : Math.max(0, waitMs);
}

/** Matches the form of dates that HTTP servers write, such as `Thu, 01 Jan 2026 00:00:05 GMT`. */
const DATE = /^[A-Z][a-z]{2}, [\w :]{1,30} GMT$/;
