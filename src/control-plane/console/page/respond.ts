// Responses of the console. Headers forbid framing, content sniffing and foreign scripts; only assets may be cached.
import { secureHeaders, type MiddlewareHandler } from '../../api/web.ts';
import type { Markup } from './parts.ts';
import { createHash } from 'node:crypto';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

/** Allows no inline code and nothing from other origins. No site may frame a page, and forms go to this host only. */
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
  // Not "no-referrer": browsers would then send the Origin of a form as "null", and the form would be refused.
  referrerPolicy: 'same-origin',
  // This header would force TLS on every port of the host, but the server may use plain HTTP on one of them.
  strictTransportSecurity: false,
});

const NEVER = { 'Cache-Control': 'no-store' };

export function page(markup: Markup, status: number = 200): Response {
  const headers = { ...NEVER, 'Content-Type': 'text/html; charset=utf-8' };
  return new Response(markup.toString(), { status, headers });
}

export function redirect(path: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status: 303, headers: { ...NEVER, Location: path, ...headers } });
}

function asset(text: string, type: string): Response {
  return new Response(text, {
    headers: { 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable' },
  });
}

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#2450c8"/>
<path d="M8 17l5.5 5.5L24 11" fill="none" stroke="#fff" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round"/></svg>
`;

export const STYLE_PATH: string = pathOf('style', STYLE, 'css');
export const SCRIPT_PATH: string = pathOf('script', SCRIPT, 'js');
export const ICON_PATH: string = pathOf('icon', ICON, 'svg');

export function assetAt(path: string): Response | undefined {
  if (path === STYLE_PATH) return asset(STYLE, 'text/css; charset=utf-8');
  if (path === SCRIPT_PATH) return asset(SCRIPT, 'text/javascript; charset=utf-8');
  if (path === ICON_PATH) return asset(ICON, 'image/svg+xml');
  return undefined;
}

function pathOf(name: string, text: string, extension: string): string {
  return `/console/${name}-${createHash('sha256').update(text).digest('hex').slice(0, 12)}.${extension}`;
}
