// The front page and the ways in and out: sign in with a key, sign out, the list of projects.
import type { ControlPlane } from '../control-plane.ts';
import { authenticate } from '../resources/key/key.ts';
import { sessionCookie, sessionIdOf } from './cookie.ts';
import { projectsMain } from './projects-page.ts';
import { page, redirect } from './respond.ts';
import { safeNext, signInPage } from './sign-in-page.ts';
import type { Notice, Sessions } from './sessions.ts';
import { projectRows } from './view.ts';
import { show } from './visit.ts';
import type { FormVisit, Visit } from './visit.ts';

/** Why a session is over, by the word in the address. */
const ENDINGS: ReadonlyMap<string, Notice> = new Map<string, Notice>([
  ['out', { tone: 'good', text: 'You are signed out.' }],
  ['session', { tone: 'bad', text: 'Your session has ended. Sign in to go on.' }],
  ['key', { tone: 'good', text: 'The key that you were signed in with is revoked, and you are signed out.' }],
]);

export function showSignIn(url: URL): Response {
  const notice = ENDINGS.get(url.searchParams.get('ended') ?? '');
  return page(
    signInPage({ next: safeNext(url.searchParams.get('next')), ...(notice === undefined ? {} : { notice }) }),
  );
}

/** To the sign-in page, and from there back to where the visit was going. */
export function sendToSignIn(request: Request): Response {
  const next = safeNext(new URL(request.url).pathname);
  const ended = sessionIdOf(request) === undefined ? '' : '&ended=session';
  return redirect(`/?next=${encodeURIComponent(next)}${ended}`, { 'Set-Cookie': sessionCookie(request, undefined) });
}

export interface SignIn {
  readonly controlPlane: ControlPlane;
  readonly sessions: Sessions;
  readonly request: Request;
  readonly form: URLSearchParams;
  readonly address: string;
}

/** Opens a session for a valid key; one that the browser had before is over. */
export function signIn({ controlPlane, sessions, request, form, address }: SignIn): Response {
  const { engine } = controlPlane;
  const next = safeNext(form.get('next'));
  const atMs = engine.settle();
  const key = authenticate(engine, (form.get('api_key') ?? '').trim());
  if (key === undefined)
    return page(signInPage({ next, problem: 'This is not a valid key of this account, or it has been revoked.' }), 401);
  engine.keyUses.note(key.id, atMs, address);
  const former = sessions.find(sessionIdOf(request), false);
  if (former !== undefined) sessions.end(former);
  return redirect(next, { 'Set-Cookie': sessionCookie(request, sessions.open(key.id).id) });
}

export function signOut({ request, session, sessions }: FormVisit): Response {
  sessions.end(session);
  return redirect('/?ended=out', { 'Set-Cookie': sessionCookie(request, undefined) });
}

export function showProjects(visit: Visit): Response {
  const { searchParams } = visit.url;
  const search = (searchParams.get('search') ?? '').slice(0, 100).trim();
  const query = { search, cursor: searchParams.get('cursor') ?? undefined };
  return show(visit, { title: 'Projects', current: 'projects', main: projectsMain(projectRows(visit, query), query) });
}
