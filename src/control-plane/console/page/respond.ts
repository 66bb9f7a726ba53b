// Responses of the console, and the headers that keep a page from being framed, sniffed, stored or scripted.
import { secureHeaders, type MiddlewareHandler } from '../../api/web.ts';
import type { Markup } from './parts.ts';

/** Nothing inline and nothing from elsewhere; no frame around a page, no other target for its forms. */
export const safeHeaders: MiddlewareHandler = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    styleSrc: ["'self'"],
    scriptSrc: ["'self'"],
    connectSrc: ["'self'"],
    imgSrc: ["'self'"],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
  xFrameOptions: 'DENY',
  // With "no-referrer", browsers send the Origin of a form as "null".
  referrerPolicy: 'same-origin',
  // The server may be plain HTTP on this port, and TLS on another one.
  strictTransportSecurity: false,
});

const NEVER = { 'Cache-Control': 'no-store' };

export function page(markup: Markup, status: number = 200): Response {
  const headers = { ...NEVER, 'Content-Type': 'text/html; charset=utf-8' };
  return new Response(markup.toString(), { status, headers });
}

/** To another page of the console, with GET. */
export function redirect(path: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status: 303, headers: { ...NEVER, Location: path, ...headers } });
}

/** A file whose path changes with its content, so that browsers keep it for ever. */
export function asset(text: string, type: string): Response {
  return new Response(text, {
    headers: { 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable' },
  });
}

/** A short answer to the script. */
export function plain(text: string, status: number): Response {
  return new Response(`${text}\n`, { status, headers: { ...NEVER, 'Content-Type': 'text/plain; charset=utf-8' } });
}
