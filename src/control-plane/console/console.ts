// The web console: its addresses, and what answers at each.
import type { ControlPlane } from '../control-plane.ts';
import { Refusal } from '../engine/refusal.ts';
import { Hono } from '../http/web.ts';
import { acted, addressOf, foreign, guarded, isOwnFetch, readSignIn, visitOf, visited } from './access.ts';
import type { Asking, Bindings, Desk } from './access.ts';
import { askPage, perform } from './action.ts';
import type { Action } from './action.ts';
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
import { createGateway } from './view.ts';
import { show } from './visit.ts';
import type { Page, Visit } from './visit.ts';

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
  const isValidKey = (id: string): boolean => {
    const key = engine.live.keys.get(id);
    return key !== undefined && key.revokedMs === undefined;
  };
  const sessions = new Sessions({ clock: engine.clock, random: engine.random, isValidKey });
  const desk: Desk = { controlPlane, gateway: createGateway(controlPlane), sessions, adminToken };
  const streams = new Streams(engine.clock);
  const app = new Hono<Bindings>();
  app.get('/console/:file', (asked) => assetAt(asked.req.path) ?? asked.notFound());
  app.get('/', (asked) => front(desk, asked));
  app.get('/events', (asked) => follow(desk, streams, asked, projectsPage));
  app.post('/sign-in', (asked) => enter(desk, asked));
  app.post('/sign-out', (asked) => acted(desk, asked, signOut));
  for (const action of ACTIONS) {
    app.get(action.path, (asked) => visited(desk, asked, (visit) => askPage(visit, action)));
    app.post(action.path, (asked) => acted(desk, asked, (visit) => perform(visit, action)));
  }
  for (const [path, pageOf] of PAGES) {
    app.get(path, (asked) => visited(desk, asked, (visit) => show(visit, pageOf(visit))));
    app.get(`${path}/events`, (asked) => follow(desk, streams, asked, pageOf));
  }
  app.post('/projects/:project/branches/:branch/connect', (asked) => acted(desk, asked, revealConnection));
  app.onError(() =>
    page(errorPage({ title: 'Something went wrong' }, 'The control plane could not answer this.'), 500),
  );
  return app;
}

/** For people who follow a wrong address; programs get an answer of their own. */
export function missingPage(): Response {
  return page(errorPage({ title: 'Not found' }, 'There is no page at this address.'), 404);
}

function front(desk: Desk, asked: Asking): Response {
  const visit = visitOf(desk, asked, true);
  return visit === undefined
    ? showSignIn(new URL(asked.req.url))
    : guarded(visit, () => show(visit, projectsPage(visit)));
}

async function enter({ controlPlane, sessions }: Desk, asked: Asking): Promise<Response> {
  const request = asked.req.raw;
  const form = await readSignIn(request);
  return form === undefined ? foreign() : signIn({ controlPlane, sessions, request, form, address: addressOf(asked) });
}

/** News of the live part of a page, for as long as there is the page and the session. They keep no session alive. */
function follow(desk: Desk, streams: Streams, asked: Asking, pageOf: (visit: Visit) => Page): Response {
  if (!isOwnFetch(asked.req.raw)) return plain('not from here', 403);
  const visit = visitOf(desk, asked, false);
  if (visit === undefined) return plain('sign in', 401);
  const { engine } = desk.controlPlane;
  const { session } = visit;
  const part = (): string | undefined => {
    if (desk.sessions.find(session.id, false) !== session) return undefined;
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
