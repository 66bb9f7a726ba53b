// The web console: its addresses, and the answer at each.
import type { RequestLine } from '../api/request-log.ts';
import { Hono } from '../api/web.ts';
import type { ControlPlane } from '../control-plane.ts';
import { Refusal } from '../core/refusal.ts';
import { validKey } from '../resources/key/handlers.ts';
import {
  handleForm,
  orErrorPage,
  isOwnFetch,
  visitOf,
  handlePage,
  type HttpContext,
  type Bindings,
  type ConsoleParts,
  show,
  type Page,
  type Visit,
} from './visit.ts';
import { Streams } from './live.ts';
import { assetAt, page, plain, safeHeaders } from './page/respond.ts';
import { errorPage } from './page/layout.ts';
import { branchPage, computePage } from './pages/branch.ts';
import { keysPage } from './pages/keys.ts';
import { logPage } from './pages/log.ts';
import { projectPage } from './pages/project.ts';
import { projectsPage } from './pages/projects.ts';
import { referencePage, formPage, perform } from './request.ts';
import { showSignIn, signIn, signOut } from './pages/sign-in.ts';
import { test, testingPage } from './pages/testing.ts';
import { Sessions } from './sessions.ts';

const PAGES: readonly (readonly [path: string, pageOf: (visit: Visit) => Page])[] = [
  ['/projects/:project', projectPage],
  ['/projects/:project/branches/:branch', branchPage],
  ['/projects/:project/computes/:compute', computePage],
  ['/keys', keysPage],
  ['/log', logPage],
  ['/reference', referencePage],
  ['/testing', testingPage],
];

export interface ConsoleOptions {
  readonly adminToken?: string | undefined;
  readonly requests?: () => readonly RequestLine[];
}

export function createConsole(controlPlane: ControlPlane, options: ConsoleOptions = {}): Hono<Bindings> {
  const { engine } = controlPlane;
  const isValidKey = (hash: string): boolean => validKey(engine, hash) !== undefined;
  const sessions = new Sessions({ clock: engine.clock, random: engine.random, isValidKey });
  const { adminToken, requests = () => [] } = options;
  const shared: ConsoleParts = { controlPlane, sessions, adminToken, requests };
  const streams = new Streams(engine.clock);
  const app = new Hono<Bindings>();
  app.use(safeHeaders);
  app.get('/console/:file', (context) => assetAt(context.req.path) ?? context.notFound());
  app.get('/', (context) => front(shared, context));
  app.get('/events', (context) => follow(shared, streams, context, projectsPage));
  app.post('/sign-in', (context) => signIn(shared, context));
  app.post('/sign-out', (context) => handleForm(shared, context, signOut));
  app.get('/requests/:operation', (context) => handlePage(shared, context, (visit) => show(visit, formPage(visit))));
  app.post('/requests/:operation', (context) => handleForm(shared, context, perform));
  app.post('/testing/:change', (context) => handleForm(shared, context, test));
  for (const [path, pageOf] of PAGES) {
    app.get(path, (context) => handlePage(shared, context, (visit) => show(visit, pageOf(visit))));
    app.get(`${path}/events`, (context) => follow(shared, streams, context, pageOf));
  }
  app.onError(() =>
    page(errorPage({ title: 'Something went wrong' }, 'The control plane could not answer this.'), 500),
  );
  return app;
}

export function missingPage(): Response {
  return page(errorPage({ title: 'Not found' }, 'There is no page at this address.'), 404);
}

function front(shared: ConsoleParts, context: HttpContext): Response | Promise<Response> {
  const visit = visitOf(shared, context, true);
  return visit === undefined
    ? showSignIn(new URL(context.req.url))
    : orErrorPage(visit, () => show(visit, projectsPage(visit)));
}

/** Streams the live part of a page until the page or the session ends. The stream does not keep the session alive. */
function follow(
  shared: ConsoleParts,
  streams: Streams,
  context: HttpContext,
  pageOf: (visit: Visit) => Page,
): Response | Promise<Response> {
  if (!isOwnFetch(context.req.raw)) return plain('not from here', 403);
  const visit = visitOf(shared, context, false);
  if (visit === undefined) return plain('sign in', 401);
  const { session, controlPlane, requests } = visit;
  const { engine } = controlPlane;
  const part = (): string | undefined => {
    if (shared.sessions.find(session.id, false) !== session) return undefined;
    try {
      return pageOf(visit).live?.toString();
    } catch (error) {
      if (error instanceof Refusal) return undefined;
      throw error;
    }
  };
  const mark = (): string => {
    const atMs = engine.settle();
    // Durations of open operations and the clock change even when no record does.
    const isMoving = engine.live.operations.size > 0 || pageOf === testingPage;
    return [
      engine.state.version,
      isMoving ? atMs : '',
      pageOf === logPage ? JSON.stringify(requests().at(-1)) : '',
    ].join();
  };
  return orErrorPage(visit, () =>
    part() === undefined ? plain('nothing to follow', 404) : streams.open(context, { who: session, mark, part }),
  );
}
