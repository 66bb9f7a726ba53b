// All parts of the web framework that the control plane uses: only this file imports the framework.

export { Hono, type Context, type MiddlewareHandler } from 'hono';
export { html } from 'hono/html';
export { TrieRouter } from 'hono/router/trie-router';
export type { HtmlEscapedString } from 'hono/utils/html';
export { getRequestListener, type HttpBindings } from '@hono/node-server';
export { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
export { generateCookie, getCookie } from 'hono/cookie';
export { secureHeaders } from 'hono/secure-headers';
