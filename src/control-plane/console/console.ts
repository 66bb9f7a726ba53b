// The web console: its addresses, and the checks that each request passes before a page or an action sees it.
import { timingSafeEqual } from 'node:crypto';
import type { ControlPlane } from '../control-plane.ts';
import { hashOfKey } from '../engine/naming.ts';
import { Refusal } from '../engine/refusal.ts';
import { readBounded } from '../http/input.ts';
import { Hono } from '../http/web.ts';
import type { Context, HttpBindings } from '../http/web.ts';
import { assetAt } from './assets.ts';
import { errorPage } from './layout.ts';
import { askCompute, askSize, doCompute, setSize, showCompute } from './pages/compute-actions.ts';
import type { Act } from './pages/compute-actions.ts';
import { askRevoke, createKey, revokeKey, showKeys } from './pages/keys.ts';
import { showProject, showProjectLive } from './pages/project.ts';
import { showProjects } from './pages/projects.ts';
import { sendToSignIn, showSignIn, signIn, signOut } from './pages/sign-in.ts';
import { page, plain } from './respond.ts';
import { Sessions, sessionIdOf } from './sessions.ts';
import type { Session } from './sessions.ts';
import { createGateway } from './view.ts';
import { accountOf } from './visit.ts';
import type { FormVisit, Visit } from './visit.ts';

type Bindings = { Bindings: HttpBindings };
type Asked = Context<Bindings>;

const PAGES: readonly (readonly [path: string, show: (visit: Visit) => Response])[] = [
  ['/projects/:project', showProject],
  ['/projects/:project/computes/:compute', showCompute],
  ['/projects/:project/computes/:compute/size', (visit) => askSize(visit)],
  ['/keys', showKeys],
  ['/keys/:key/revoke', (visit) => askRevoke(visit)],
];

const ACTIONS: readonly (readonly [path: string, act: (visit: FormVisit) => Response])[] = [
  ['/sign-out', signOut],
  ['/projects/:project/computes/:compute/size', setSize],
  ['/keys', createKey],
  ['/keys/:key/revoke', revokeKey],
];

const ACTS: readonly Act[] = ['restart', 'suspend', 'start'];

/** The console of a control plane, to be mounted at `/`. It keeps its sessions in memory. */
export function createConsole(controlPlane: ControlPlane): Hono<Bindings> {
  const { engine } = controlPlane;
  const isValidKey = (id: string): boolean => {
    const key = engine.live.keys.get(id);
    return key !== undefined && key.revokedMs === undefined;
  };
  const sessions = new Sessions({ clock: engine.clock, random: engine.random, isValidKey });
  const console: Console = { controlPlane, gateway: createGateway(controlPlane), sessions };
  const app = new Hono<Bindings>();
  app.get('/console/:file', (asked) => assetAt(asked.req.path) ?? asked.notFound());
  app.get('/', (asked) => front(console, asked));
  app.post('/sign-in', (asked) => enter(console, asked));
  // What a page fetches by itself keeps no session alive, and is told shortly when there is none.
  app.get('/projects/:project/live', (asked) => {
    const visit = visitOf(console, asked, false);
    return visit === undefined ? plain('sign in', 401) : guarded(visit, () => showProjectLive(visit));
  });
  for (const [path, show] of PAGES) app.get(path, (asked) => visited(console, asked, show));
  for (const [path, act] of ACTIONS) app.post(path, (asked) => acted(console, asked, act));
  for (const act of ACTS) {
    const path = `/projects/:project/computes/:compute/${act}`;
    app.get(path, (asked) => visited(console, asked, (visit) => askCompute(visit, act)));
    app.post(path, (asked) => acted(console, asked, (visit) => doCompute(visit, act)));
  }
  app.onError(() =>
    page(errorPage({ title: 'Something went wrong' }, 'The control plane could not answer this.'), 500),
  );
  return app;
}

/** For people who follow a wrong address; programs get an answer of their own. */
export function missingPage(): Response {
  return page(errorPage({ title: 'Not found' }, 'There is no page at this address.'), 404);
}

interface Console extends Pick<Visit, 'controlPlane' | 'gateway' | 'sessions'> {}

function front(console: Console, asked: Asked): Response {
  const visit = visitOf(console, asked, true);
  return visit === undefined ? showSignIn(new URL(asked.req.url)) : guarded(visit, () => showProjects(visit));
}

async function enter({ controlPlane, sessions }: Console, asked: Asked): Promise<Response> {
  const request = asked.req.raw;
  if (!isFromHere(request)) return foreign();
  const form = await readForm(request);
  return form === undefined ? foreign() : signIn({ controlPlane, sessions, request, form, address: addressOf(asked) });
}

function visited(console: Console, asked: Asked, show: (visit: Visit) => Response): Response {
  const visit = visitOf(console, asked, true);
  return visit === undefined ? sendToSignIn(asked.req.raw) : guarded(visit, () => show(visit));
}

async function acted(console: Console, asked: Asked, act: (visit: FormVisit) => Response): Promise<Response> {
  if (!isFromHere(asked.req.raw)) return foreign();
  const form = await readForm(asked.req.raw);
  // Read before the session: it may have ended meanwhile.
  const visit = visitOf(console, asked, true);
  if (visit === undefined) return sendToSignIn(asked.req.raw);
  if (form === undefined || !carriesToken(form, visit.session.token)) return foreign(visit.session);
  return guarded(visit, () => act({ ...visit, form }));
}

/** The visit of someone signed in; counts as a use of the key. */
function visitOf(console: Console, asked: Asked, isVisit: boolean): Visit | undefined {
  const { engine } = console.controlPlane;
  const atMs = engine.settle();
  const request = asked.req.raw;
  const session = console.sessions.find(sessionIdOf(request), isVisit);
  if (session === undefined) return undefined;
  const { keyId } = session;
  engine.keyUses.note(keyId, atMs, addressOf(asked));
  const param = (name: string): string => asked.req.param(name) ?? '';
  return { ...console, keyId, request, url: new URL(request.url), param, session };
}

/** A refusal of the API becomes a page that says so. */
function guarded(visit: Visit, work: () => Response): Response {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const title = error.status === 404 ? 'Not found' : 'This was refused';
    const frame = { title, session: visit.session, account: accountOf(visit) };
    return page(errorPage(frame, `The control plane says: ${error.message}.`), error.status);
  }
}

/** The answer to a form that no page of this session sent. */
function foreign(session?: Session): Response {
  const frame = { title: 'This form was refused', ...(session === undefined ? {} : { session }) };
  return page(errorPage(frame, 'It did not come from a current page of this console. Nothing was done.'), 403);
}

/** The address that a request came from; this machine's own for a request made in process. */
function addressOf(asked: Asked): string {
  const { incoming } = (asked.env ?? {}) as Partial<HttpBindings>;
  return (incoming?.socket.remoteAddress ?? '127.0.0.1').replace(/^::ffff:/, '');
}

/** The largest form, bytes. */
const MAX_FORM_BYTES = 16_384;

/** True when a browser says that the request was made by a page of this very origin. */
function isFromHere(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin') return false;
  return hostOf(request.headers.get('origin') ?? '') === new URL(request.url).host;
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

/** True when the form carries the session's token. */
function carriesToken(form: URLSearchParams, token: string): boolean {
  const sent = hashOfKey(form.get('token') ?? '');
  return timingSafeEqual(Buffer.from(sent), Buffer.from(hashOfKey(token)));
}

/** The fields of a form, or undefined for any other body: nothing else can be made to pass for one. */
async function readForm(request: Request): Promise<URLSearchParams | undefined> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') return undefined;
  const text = await readBounded(request, MAX_FORM_BYTES);
  return text === undefined ? undefined : new URLSearchParams(text);
}
