// Responses of the console: every one with the headers that keep a page from being framed, sniffed, stored or scripted.
import type { Markup } from './parts.ts';

/** Nothing inline and nothing from elsewhere; no frame around a page, no other target for its forms. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  // Not "no-referrer": browsers then send the forms' Origin as "null".
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

export function page(markup: Markup, status: number = 200): Response {
  const headers = { ...HEADERS, 'Content-Type': 'text/html; charset=utf-8' };
  return new Response(markup.toString(), { status, headers });
}

/** To another page of the console, with GET. */
export function redirect(path: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status: 303, headers: { ...HEADERS, Location: path, ...headers } });
}

/** A file whose path changes with its content, so that it may be kept for ever. */
export function asset(text: string, type: string): Response {
  const headers = { ...HEADERS, 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable' };
  return new Response(text, { headers });
}

/** A short plain answer to the script. */
export function plain(text: string, status: number): Response {
  return new Response(`${text}\n`, { status, headers: { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8' } });
}

/** A stream of server-sent events. */
export function eventStream(body: ReadableStream<Uint8Array>): Response {
  return new Response(body, { headers: { ...HEADERS, 'Content-Type': 'text/event-stream; charset=utf-8' } });
}
