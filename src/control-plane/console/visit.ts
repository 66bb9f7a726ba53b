// Handles a request to the console: checks session, origin, token and size, then makes the page.
import type { RequestLine } from '../api/request-log.ts';
import { layout, type Frame, errorPage } from './page/layout.ts';
import { page, redirect } from './page/respond.ts';
import { sessionCookie, sessionIdOf, type Session, type Sessions } from './sessions.ts';
import type { Viewer } from './view.ts';
import type { ControlPlane } from '../control-plane.ts';
import { isSameSecret } from '../resources/engine/naming.ts';
import { Refusal } from '../core/refusal.ts';
import { plainAddress } from '../api/hosts.ts';
import type { Context, HttpBindings } from '../api/web.ts';

export interface ConsoleParts {
  readonly controlPlane: ControlPlane;
  readonly sessions: Sessions;
  readonly adminToken?: string | undefined;
  /** The newest requests to the API, oldest first: the list changes as requests arrive. */
  readonly requests: readonly RequestLine[];
}

export interface Visit extends Viewer, ConsoleParts {
  readonly request: Request;
  readonly url: URL;
  readonly address: string;
  readonly param: (name: string) => string;
  readonly session: Session;
}

export interface FormVisit extends Visit {
  readonly form: URLSearchParams;
}

/** A page for a signed-in person. The script of the page keeps the part `live` up to date. */
export type Page = Pick<Frame, 'title' | 'current' | 'main' | 'live'>;

function show(visit: Visit, shown: Page, status?: number): Response {
  const { request, session, url } = visit;
  const { notice } = session;
  delete session.notice;
  const told = isSeen(request) ? takeTold(session, url.searchParams.get('told')) : undefined;
  const livePath = request.method === 'GET' ? `${url.pathname}${url.search}` : '';
  return page(layout({ ...shown, session, account: accountOf(visit), livePath, notice, told }), status);
}

/** Shows the page of a refused form again, with the reason. */
export function showRefused(visit: FormVisit, shown: Page, { message, status }: Refusal): Response {
  visit.session.notice = { tone: 'bad', text: `Nothing was done: ${message}.` };
  return show(visit, shown, status);
}

function accountOf({ controlPlane }: Viewer): string {
  return controlPlane.engine.meta.account.name;
}

/** True for a GET whose reply a person sees as a page: no prefetch, and no part of another page. */
function isSeen({ method, headers }: Request): boolean {
  return (
    method === 'GET' && (headers.get('sec-fetch-mode') ?? 'navigate') === 'navigate' && !headers.has('sec-purpose')
  );
}

/** Returns the secret only for the first page that shows it; later pages say 'shown before'. */
function takeTold(session: Session, id: string | null): Frame['told'] {
  const { told } = session;
  if (id === null) return undefined;
  if (told?.id !== id || told.value === undefined) return 'shown before';
  session.told = { id };
  return told.value;
}

export type Bindings = { Bindings: HttpBindings };
export type HttpContext = Context<Bindings>;

const MAX_FORM_BYTES = 16_384;

/** Each console page counts once against the rate limit, however many API requests the page makes. */
const AS_ROUTE = { id: 'console' };

/** Header with the version of a live part: in a request, the version that the page shows; in a reply, the current one. */
const STATE = 'X-State';

/** Sends the whole page to a person, or only a changed live part to the script of an open page. */
export async function handlePage(
  shared: ConsoleParts,
  context: HttpContext,
  pageOf: (visit: Visit) => Page,
  otherwise: (context: HttpContext) => Response = sendToSignIn,
): Promise<Response> {
  const visit = visitOf(shared, context);
  const known = context.req.header(STATE);
  if (visit === undefined) return known === undefined ? otherwise(context) : new Response(null, { status: 401 });
  if (known === undefined) return orErrorPage(visit, () => show(visit, pageOf(visit)));
  const state = stateOf(visit);
  if (known === state) return new Response(null, { status: 204 });
  return orErrorPage(visit, () => {
    const { live } = pageOf(visit);
    if (live === undefined) throw new Refusal(404, 'this page has no live part');
    const reply = page(live);
    reply.headers.set(STATE, state);
    return reply;
  });
}

/** The version of a page's live part: unequal versions mean that the part may have changed. */
function stateOf({ controlPlane: { engine }, requests, url: { pathname } }: Visit): string {
  // The clock and the durations of open operations change on the page even when no record changes.
  const isMoving = engine.live.operations.size > 0 || pathname === '/testing';
  const newest = pathname === '/log' ? encodeURIComponent(JSON.stringify(requests.at(-1) ?? '')) : '';
  return [engine.version, isMoving ? engine.atMs : '', newest].join();
}

/** Performs what a form asks. Checks origin and token, and refuses a form that no page of this session sent. */
export async function handleForm(
  shared: ConsoleParts,
  context: HttpContext,
  act: (visit: FormVisit) => Response,
): Promise<Response> {
  const request = context.req.raw;
  if (!isFromHere(request)) return rejectForm();
  const sender = visitOf(shared, context);
  if (sender === undefined) return sendToSignIn(context);
  return orErrorPage(sender, async () => {
    const form = await readForm(shared.controlPlane, request);
    // The session may have ended while the form was received.
    const visit = visitOf(shared, context);
    if (visit === undefined) return sendToSignIn(context);
    if (form === undefined || !isSameSecret(form.get('token') ?? '', visit.session.token))
      return rejectForm(visit.session);
    return act({ ...visit, form });
  });
}

/** The visit of a signed-in person. Counts as a use of the key, unless the script of an open page sent the request. */
function visitOf(shared: ConsoleParts, context: HttpContext): Visit | undefined {
  const { engine } = shared.controlPlane;
  const atMs = engine.settle();
  const request = context.req.raw;
  const isVisit = !request.headers.has(STATE);
  const session = shared.sessions.find(sessionIdOf(context), isVisit);
  if (session === undefined) return undefined;
  const { id: keyId } = session.key;
  const address = addressOf(context);
  if (isVisit) engine.keyUses.note(keyId, atMs, address);
  const param = (name: string): string => context.req.param(name) ?? '';
  return { ...shared, keyId, request, address, url: new URL(request.url), param, session };
}

async function orErrorPage(visit: Visit, work: () => Response | Promise<Response>): Promise<Response> {
  try {
    visit.controlPlane.dispatcher.countRequest(AS_ROUTE);
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const title = error.status === 404 ? 'Not found' : 'This was refused';
    const frame = { title, session: visit.session, account: accountOf(visit) };
    return page(errorPage(frame, `The control plane says: ${error.message}.`), error.status);
  }
}

export function rejectForm(session?: Session): Response {
  const frame = { title: 'This form was refused', session };
  return page(errorPage(frame, 'It did not come from a current page of this console. Nothing was done.'), 403);
}

export function addressOf(context: HttpContext): string {
  const { incoming } = (context.env ?? {}) as Partial<HttpBindings>;
  return plainAddress(incoming?.socket.remoteAddress ?? '127.0.0.1');
}

/** True when the browser says that a page of this host made the request. The site has checked that the target matches the Host header. */
function isFromHere(request: Request): boolean {
  const { headers, url } = request;
  const origin = headers.get('origin') ?? '';
  if ((headers.get('sec-fetch-site') ?? 'same-origin') !== 'same-origin' || !URL.canParse(origin)) return false;
  return new URL(origin).host === new URL(url).host;
}

/** The fields of a form from a page of this host. Undefined for another origin or content type, or a body too large. */
export async function readForm({ dispatcher }: ControlPlane, request: Request): Promise<URLSearchParams | undefined> {
  if (!isFromHere(request)) return undefined;
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') return undefined;
  const text = await dispatcher.bodies.read(request, MAX_FORM_BYTES);
  return text instanceof Refusal ? undefined : new URLSearchParams(text);
}

function sendToSignIn(context: Context): Response {
  const { url, path } = context.req;
  const ended = sessionIdOf(context) === undefined ? '' : '&ended=session';
  const next = encodeURIComponent(safeNext(path));
  return redirect(`/?next=${next}${ended}`, { 'Set-Cookie': sessionCookie(url, undefined) });
}

/** The path to open after sign-in. Anything but a path of the console becomes `/`, so that no link leads to another site. */
export function safeNext(path: string | null | undefined): string {
  const to = path ?? '/';
  return /^\/(projects|keys|log|reference|requests|testing)(\/[\w-]{1,64}){0,7}$/.test(to) ? to : '/';
}
