// The only import of the web framework: all that the site, the routes, the pages and the server use of it.

export { Hono } from 'hono';
export type { Context, MiddlewareHandler } from 'hono';
export { html } from 'hono/html';
export { TrieRouter } from 'hono/router/trie-router';
export type { HtmlEscapedString } from 'hono/utils/html';
export { getRequestListener } from '@hono/node-server';
export type { HttpBindings } from '@hono/node-server';
export { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
export { generateCookie, getCookie } from 'hono/cookie';
export { secureHeaders } from 'hono/secure-headers';
