// The checks that each request to the console passes before a page or an action sees it: session, origin, token, size.
import type { ControlPlane } from '../control-plane.ts';
import { isSameSecret } from '../resources/engine/naming.ts';
import { Refusal } from '../core/refusal.ts';
import { plainAddress } from '../api/hosts.ts';
import type { RequestLine } from '../api/request-log.ts';
import type { Context, HttpBindings } from '../api/web.ts';
import { errorPage } from './page/layout.ts';
import { page } from './page/respond.ts';
import { sendToSignIn } from './pages/sign-in.ts';
import { sessionIdOf, type Session, type Sessions } from './sessions.ts';
import { accountOf, type FormVisit, type Visit } from './visit.ts';

export type Bindings = { Bindings: HttpBindings };
export type HttpContext = Context<Bindings>;

/** State that all visits to one console share. */
export interface ConsoleParts {
  readonly controlPlane: ControlPlane;
  readonly sessions: Sessions;
  readonly adminToken: string | undefined;
  readonly requests: () => readonly RequestLine[];
}

/** The largest form, bytes. */
const MAX_FORM_BYTES = 16_384;

/** The limits know the console as one route: what a page asks of the API is part of one request. */
const AS_ROUTE = { id: 'console' };

/** Shows a page to someone signed in; leads everybody else to the sign-in. */
export async function visited(
  shared: ConsoleParts,
  context: HttpContext,
  work: (visit: Visit) => Response,
): Promise<Response> {
  const visit = visitOf(shared, context, true);
  return visit === undefined ? sendToSignIn(context) : guarded(visit, () => work(visit));
}

/** Does what a form says, if a page of this session sent it. Nobody else's form is read. */
export async function acted(
  shared: ConsoleParts,
  context: HttpContext,
  act: (visit: FormVisit) => Response,
): Promise<Response> {
  const request = context.req.raw;
  if (!isFromHere(request)) return foreign();
  const sender = visitOf(shared, context, true);
  if (sender === undefined) return sendToSignIn(context);
  return guarded(sender, async () => {
    const form = await readForm(shared.controlPlane, request);
    // The session may have ended while the form came in.
    const visit = visitOf(shared, context, true);
    if (visit === undefined) return sendToSignIn(context);
    if (form === undefined || !isSameSecret(form.get('token') ?? '', visit.session.token))
      return foreign(visit.session);
    return act({ ...visit, form });
  });
}

/** A form of someone who is not signed in yet; undefined where no page of ours sent it. */
export async function readSignIn(plane: ControlPlane, request: Request): Promise<URLSearchParams | undefined> {
  return isFromHere(request) ? readForm(plane, request) : undefined;
}

/** The visit of someone signed in; counts as a use of the key. `isVisit` is false for what a page asks for by itself. */
export function visitOf(shared: ConsoleParts, context: HttpContext, isVisit: boolean): Visit | undefined {
  const { engine } = shared.controlPlane;
  const atMs = engine.settle();
  const request = context.req.raw;
  const session = shared.sessions.find(sessionIdOf(context), isVisit);
  if (session === undefined) return undefined;
  const { id: keyId } = session.key;
  const address = addressOf(context);
  engine.keyUses.note(keyId, atMs, address);
  const param = (name: string): string => context.req.param(name) ?? '';
  return { ...shared, keyId, request, address, url: new URL(request.url), param, session };
}

/** Counts a request, and does it. A refusal of the API becomes a page that says so. */
export async function guarded(visit: Visit, work: () => Response | Promise<Response>): Promise<Response> {
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

/** The answer to a form that no page of this session sent. */
export function foreign(session?: Session): Response {
  const frame = { title: 'This form was refused', ...(session === undefined ? {} : { session }) };
  return page(errorPage(frame, 'It did not come from a current page of this console. Nothing was done.'), 403);
}

/** The address that a request came from; this machine's own for a request made in process. */
export function addressOf(context: HttpContext): string {
  const { incoming } = (context.env ?? {}) as Partial<HttpBindings>;
  return plainAddress(incoming?.socket.remoteAddress ?? '127.0.0.1');
}

/** True unless a browser says that another site or origin asks. */
export function isOwnFetch(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site');
  return site === null || site === 'same-origin';
}

/** True when a browser says that a page of this very host made the request: the site lets no target name another one than the Host. */
function isFromHere(request: Request): boolean {
  return isOwnFetch(request) && hostOf(request.headers.get('origin') ?? '') === new URL(request.url).host;
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

/** The fields of a form, or undefined for any other body: nothing else can be made to pass for one. */
async function readForm({ dispatcher }: ControlPlane, request: Request): Promise<URLSearchParams | undefined> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') return undefined;
  const text = await dispatcher.bodies.read(request, MAX_FORM_BYTES);
  return text instanceof Refusal ? undefined : new URLSearchParams(text);
}
