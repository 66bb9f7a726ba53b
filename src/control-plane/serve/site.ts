// The HTTP site around the API: Host check, request log, health, OpenAPI document, admin interface and console.
import { createConsole, missingPage } from '../console/console.ts';
import type { ControlPlane } from '../control-plane.ts';
import { ConnectionFault } from '../faults/connection.ts';
import { createAdmin } from './admin.ts';
import { withClock } from '../faults/exchange.ts';
import { isForItsHost, isLoopback, plainAddress, type HostCheck } from '../api/hosts.ts';
import { beginLine, type RequestLine } from '../api/request-log.ts';
import { Hono, RESPONSE_ALREADY_SENT, type Context, type HttpBindings } from '../api/web.ts';

export interface SiteParts {
  readonly controlPlane: ControlPlane;
  readonly isOwnHost: HostCheck;
  readonly adminToken?: string | undefined;
  readonly onRequest?: ((line: RequestLine) => void) | undefined;
}

const NEWEST = 500;

type Bindings = { Bindings: HttpBindings };

export function createSite(parts: SiteParts): (request: Request, env: HttpBindings) => Response | Promise<Response> {
  const site = new Hono<Bindings>();
  const newest: RequestLine[] = [];
  const noted = (line: RequestLine): void => {
    newest.push(line);
    if (newest.length > NEWEST) newest.shift();
    parts.onRequest?.(line);
  };
  site.use(async (context, next) => {
    const { incoming } = context.env;
    const isOwn = parts.isOwnHost(context.req.header('host'), incoming.socket.localAddress);
    if (isOwn && isForItsHost(incoming)) await next();
    else context.res = context.text('unknown host\n', 421);
    // Set after the reply is made, because a reply from another module would lose earlier headers.
    context.res.headers.set('X-Content-Type-Options', 'nosniff');
    withClock(parts.controlPlane.clock, context.res);
  });
  site.all('/api/v2/*', (context) => api(parts.controlPlane, noted, context));
  site.get('/healthz', (context) => told(context, true));
  site.get('/readyz', (context) => told(context, isOpen(parts.controlPlane)));
  site.get('/openapi.json', async (context) => {
    const { openApiText } = await import('../../api/generated/document.ts');
    return context.body(openApiText, 200, { 'Content-Type': 'application/json' });
  });
  if (parts.adminToken !== undefined) {
    site.use('/admin/*', async (context, next) =>
      isLoopback(plainAddress(context.env.incoming.socket.remoteAddress))
        ? next()
        : context.json({ message: 'the admin interface answers to this machine alone' }, 403),
    );
    site.route('/admin', createAdmin(parts.controlPlane, parts.adminToken));
  }
  site.route('/', createConsole({ ...parts, requests: newest }));
  site.notFound((context) => {
    if (context.req.method === 'GET' && context.req.header('accept')?.includes('text/html') === true)
      return missingPage();
    return context.json({ code: '', message: 'not found; the API is below /api/v2' }, 404);
  });
  site.onError((_error, context) => context.json({ code: '', message: 'internal error' }, 500));
  return (request, env) => site.fetch(request, env);
}

function told(context: Context<Bindings>, isGood: boolean): Response {
  context.header('Cache-Control', 'no-store');
  return isGood ? context.json({ status: 'ok' }) : context.json({ status: 'unavailable' }, 503);
}

function isOpen({ engine }: ControlPlane): boolean {
  try {
    engine.store.ledger(0, 1);
    return true;
  } catch {
    return false;
  }
}

async function api(
  controlPlane: ControlPlane,
  noted: (line: RequestLine) => void,
  context: Context<Bindings>,
): Promise<Response> {
  const { incoming, outgoing } = context.env;
  const address = plainAddress(incoming.socket.remoteAddress);
  const lineOf = beginLine(controlPlane.engine, context.req.raw, address);
  try {
    const hangUp = (): void => void outgoing.socket?.destroy();
    const reply = await controlPlane.handle(context.req.raw, { address, hangUp });
    const postgres = controlPlane.engine.works?.address;
    if (postgres !== undefined) reply.headers.set('Trueup-Postgres', postgres);
    noted(lineOf(reply.status));
    return reply;
  } catch (error) {
    noted(lineOf(null, error instanceof ConnectionFault ? error.kind : undefined));
    if (!(error instanceof ConnectionFault)) throw error;
    if (error.kind === 'mid-headers') outgoing.socket?.write('HTTP/1.1 200 OK\r\nContent-Ty');
    outgoing.socket?.destroy();
    return RESPONSE_ALREADY_SENT;
  }
}
