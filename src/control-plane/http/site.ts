// The site around the API: Host check, limits, the OpenAPI document, and the places where admin and console are mounted.
import { createConsole, missingPage } from '../console/console.ts';
import type { ControlPlane } from '../control-plane.ts';
import { ConnectionFault } from '../faults/connection.ts';
import { createAdmin } from './admin.ts';
import { openApiDocument } from './openapi.ts';
import { Hono, RESPONSE_ALREADY_SENT } from './web.ts';
import type { Context, HttpBindings } from './web.ts';

export interface SiteParts {
  readonly controlPlane: ControlPlane;
  /** Host names under which the server may be addressed, in the form of the Host header without its port. */
  readonly allowed: ReadonlySet<string>;
  readonly adminToken?: string;
}

type Bindings = { Bindings: HttpBindings };

/** A fetch-shaped handler of everything that the server serves. */
export function createSite(parts: SiteParts): (request: Request, env: HttpBindings) => Response | Promise<Response> {
  const site = new Hono<Bindings>();
  site.use(async (context, next) => {
    if (!parts.allowed.has(hostNameOf(context.req.header('host')))) return context.text('unknown host\n', 421);
    context.header('X-Content-Type-Options', 'nosniff');
    return next();
  });
  site.all('/api/v2/*', (context) => api(parts.controlPlane, context));
  site.get('/openapi.json', (context) => context.json(openApiDocument()));
  if (parts.adminToken !== undefined) {
    site.use('/admin/*', async (context, next) =>
      isLoopback(addressOf(context.env.incoming.socket.remoteAddress))
        ? next()
        : context.json({ message: 'the admin interface answers to this machine alone' }, 403),
    );
    site.route('/admin', createAdmin(parts.controlPlane, parts.adminToken));
  }
  site.route('/', createConsole(parts.controlPlane));
  site.notFound((context) => {
    if (context.req.method === 'GET' && context.req.header('accept')?.includes('text/html') === true)
      return missingPage();
    return context.json({ code: '', message: 'not found; the API is below /api/v2' }, 404);
  });
  site.onError((_error, context) => context.json({ code: '', message: 'internal error' }, 500));
  return (request, env) => site.fetch(request, env);
}

function hostNameOf(header: string | undefined): string {
  return (header ?? '').toLowerCase().replace(/:\d+$/, '');
}

async function api(controlPlane: ControlPlane, context: Context<Bindings>): Promise<Response> {
  const { incoming, outgoing } = context.env;
  try {
    return await controlPlane.handle(context.req.raw, {
      address: addressOf(incoming.socket.remoteAddress),
      hangUp: () => void outgoing.socket?.destroy(),
    });
  } catch (error) {
    if (!(error instanceof ConnectionFault)) throw error;
    if (error.kind === 'mid-headers') outgoing.socket?.write('HTTP/1.1 200 OK\r\nContent-Ty');
    outgoing.socket?.destroy();
    return RESPONSE_ALREADY_SENT;
  }
}

function addressOf(remote: string | undefined): string {
  return (remote ?? '').replace(/^::ffff:/, '');
}

/** True for a loopback host name or address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}
