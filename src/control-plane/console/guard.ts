// What protects the forms: they must come from a page of this console, in this session, as a form.
import { timingSafeEqual } from 'node:crypto';
import { readBounded } from '../http/input.ts';
import { hashOfKey } from '../engine/naming.ts';

/** The largest form, bytes. */
const MAX_FORM_BYTES = 16_384;

/** True when a browser says that the request was made by a page of this very origin. */
export function isFromHere(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin') return false;
  return hostOf(request.headers.get('origin') ?? '') === new URL(request.url).host;
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

/** True when the form carries the session's token. */
export function carriesToken(form: URLSearchParams, token: string): boolean {
  const sent = hashOfKey(form.get('token') ?? '');
  return timingSafeEqual(Buffer.from(sent), Buffer.from(hashOfKey(token)));
}

/** The fields of a form, or undefined for any other body: nothing else can be made to pass for one. */
export async function readForm(request: Request): Promise<URLSearchParams | undefined> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') return undefined;
  const text = await readBounded(request, MAX_FORM_BYTES);
  return text === undefined ? undefined : new URLSearchParams(text);
}
