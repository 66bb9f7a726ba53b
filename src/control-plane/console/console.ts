// The web console: its addresses, and what answers at each.
import type { ControlPlane } from '../control-plane.ts';
import { Refusal } from '../core/refusal.ts';
import { Hono } from '../api/web.ts';
import { validKey } from '../resources/key/key.ts';
import {
  acted,
  addressOf,
  foreign,
  guarded,
  isOwnFetch,
  readSignIn,
  visitOf,
  visited,
  type HttpContext,
  type Bindings,
  type ConsoleParts,
} from './access.ts';
import { askPage, perform, type Action } from './action.ts';
import { Streams } from './live.ts';
import { assetAt } from './page/assets.ts';
import { errorPage } from './page/layout.ts';
import { page, plain } from './page/respond.ts';
import { branchActions } from './pages/branch/branch-actions.ts';
import { branchPage } from './pages/branch/branch.ts';
import { connectPage, revealConnection } from './pages/branch/connect.ts';
import { databaseActions } from './pages/branch/database-actions.ts';
import { roleActions } from './pages/branch/role-actions.ts';
import { computeActions } from './pages/compute/compute-actions.ts';
import { computePage } from './pages/compute/compute.ts';
import { keyActions, keysPage } from './pages/keys.ts';
import { projectActions } from './pages/project/project-actions.ts';
import { projectPage } from './pages/project/project.ts';
import { projectsPage } from './pages/projects.ts';
import { showSignIn, signIn, signOut } from './pages/sign-in.ts';
import { testingActions, testingPage } from './pages/testing.ts';
import { Sessions } from './sessions.ts';
import { show, type Page, type Visit } from './visit.ts';

const PAGES: readonly (readonly [path: string, pageOf: (visit: Visit) => Page])[] = [
  ['/projects/:project', projectPage],
  ['/projects/:project/branches/:branch', branchPage],
  ['/projects/:project/branches/:branch/connect', connectPage],
  ['/projects/:project/computes/:compute', computePage],
  ['/keys', keysPage],
  ['/testing', testingPage],
];

const ACTIONS: readonly Action[] = [
  ...projectActions,
  ...branchActions,
  ...roleActions,
  ...databaseActions,
  ...computeActions,
  ...keyActions,
  ...testingActions,
];

/** The console of a control plane, to be mounted at `/`. It keeps its sessions in memory. With `adminToken` it shows faults and clock to who has it. */
export function createConsole(controlPlane: ControlPlane, adminToken?: string): Hono<Bindings> {
  const { engine } = controlPlane;
  const isValidKey = (hash: string): boolean => validKey(engine, hash) !== undefined;
  const sessions = new Sessions({ clock: engine.clock, random: engine.random, isValidKey });
  const shared: ConsoleParts = { controlPlane, sessions, adminToken };
  const streams = new Streams(engine.clock);
  const app = new Hono<Bindings>();
  app.get('/console/:file', (context) => assetAt(context.req.path) ?? context.notFound());
  app.get('/', (context) => front(shared, context));
  app.get('/events', (context) => follow(shared, streams, context, projectsPage));
  app.post('/sign-in', (context) => enter(shared, context));
  app.post('/sign-out', (context) => acted(shared, context, signOut));
  for (const action of ACTIONS) {
    app.get(action.path, (context) => visited(shared, context, (visit) => askPage(visit, action)));
    app.post(action.path, (context) => acted(shared, context, (visit) => perform(visit, action)));
  }
  for (const [path, pageOf] of PAGES) {
    app.get(path, (context) => visited(shared, context, (visit) => show(visit, pageOf(visit))));
    app.get(`${path}/events`, (context) => follow(shared, streams, context, pageOf));
  }
  app.post('/projects/:project/branches/:branch/connect', (context) => acted(shared, context, revealConnection));
  app.onError(() =>
    page(errorPage({ title: 'Something went wrong' }, 'The control plane could not answer this.'), 500),
  );
  return app;
}

/** For people who follow a wrong address; programs get an answer of their own. */
export function missingPage(): Response {
  return page(errorPage({ title: 'Not found' }, 'There is no page at this address.'), 404);
}

function front(shared: ConsoleParts, context: HttpContext): Response | Promise<Response> {
  const visit = visitOf(shared, context, true);
  return visit === undefined
    ? showSignIn(new URL(context.req.url))
    : guarded(visit, () => show(visit, projectsPage(visit)));
}

async function enter({ controlPlane, sessions }: ConsoleParts, context: HttpContext): Promise<Response> {
  const request = context.req.raw;
  const form = await readSignIn(controlPlane, request);
  return form === undefined
    ? foreign()
    : signIn({ controlPlane, sessions, request, form, address: addressOf(context) });
}

/** News of the live part of a page, for as long as there is the page and the session. They keep no session alive. */
function follow(
  shared: ConsoleParts,
  streams: Streams,
  context: HttpContext,
  pageOf: (visit: Visit) => Page,
): Response | Promise<Response> {
  if (!isOwnFetch(context.req.raw)) return plain('not from here', 403);
  const visit = visitOf(shared, context, false);
  return visit === undefined ? plain('sign in', 401) : guarded(visit, () => streamOf(shared, streams, visit, pageOf));
}

function streamOf(shared: ConsoleParts, streams: Streams, visit: Visit, pageOf: (visit: Visit) => Page): Response {
  const { engine } = shared.controlPlane;
  const { session } = visit;
  const part = (): string | undefined => {
    if (shared.sessions.find(session.id, false) !== session) return undefined;
    try {
      return pageOf(visit).live?.toString();
    } catch (error) {
      if (error instanceof Refusal) return undefined;
      throw error;
    }
  };
  if (part() === undefined) return plain('nothing to follow', 404);
  const mark = (): string => {
    const atMs = engine.settle();
    // The durations of what is under way change with the time alone, and so does the clock.
    const isMoving = engine.live.operations.size > 0 || pageOf === testingPage;
    return `${engine.state.version} ${isMoving ? atMs : ''}`;
  };
  return streams.open({ who: session, mark, part });
}
