// Signs a person in with an API key, and signs the person out.
import { authenticate } from '../../resources/key/handlers.ts';
import { layout } from '../page/layout.ts';
import { html, type Markup } from '../page/parts.ts';
import { page, redirect } from '../page/respond.ts';
import { sessionCookie, sessionIdOf, type Notice } from '../sessions.ts';
import {
  addressOf,
  rejectForm,
  readForm,
  safeNext,
  type ConsoleParts,
  type FormVisit,
  type HttpContext,
} from '../visit.ts';

const ENDINGS: ReadonlyMap<string, Notice> = new Map<string, Notice>([
  ['out', { tone: 'good', text: 'You are signed out.' }],
  ['session', { tone: 'bad', text: 'Your session has ended. Sign in to go on.' }],
]);

const WRONG_KEY: Notice = { tone: 'bad', text: 'This is not a valid key of this account, or it has been revoked.' };

export function showSignIn({ req }: HttpContext): Response {
  const notice = ENDINGS.get(req.query('ended') ?? '');
  return page(signInPage(safeNext(req.query('next')), notice));
}

/** Opens a session for a valid key, and ends the former session of the browser. */
export async function signIn({ controlPlane, sessions }: ConsoleParts, context: HttpContext): Promise<Response> {
  const form = await readForm(controlPlane, context.req.raw);
  if (form === undefined) return rejectForm();
  const { engine } = controlPlane;
  const next = safeNext(form.get('next'));
  const atMs = engine.settle();
  const key = authenticate(engine, (form.get('api_key') ?? '').trim());
  if (key === undefined) return page(signInPage(next, WRONG_KEY), 401);
  engine.keyUses.note(key.id, atMs, addressOf(context));
  const former = sessions.find(sessionIdOf(context), false);
  if (former !== undefined) sessions.end(former);
  return redirect(next, { 'Set-Cookie': sessionCookie(context.req.url, sessions.open(key).id) });
}

export function signOut({ request, session, sessions }: FormVisit): Response {
  sessions.end(session);
  return redirect('/?ended=out', { 'Set-Cookie': sessionCookie(request.url, undefined) });
}

function signInPage(next: string, notice?: Notice): Markup {
  return layout({
    title: 'Sign in',
    notice,
    main: html`<div class="narrow panel">
      <h1>Sign in</h1>
      <p class="faint" id="key-help">
        Use an API key of this account. The first key of a new store is in the file that <code>trueup serve</code> names
        when it starts.
      </p>
      <form method="post" action="/sign-in">
        <input type="hidden" name="next" value="${next}" />
        <label for="api-key">API key</label>
        <input
          id="api-key"
          name="api_key"
          type="password"
          required
          autofocus
          autocomplete="off"
          autocapitalize="none"
          spellcheck="false"
          maxlength="200"
          aria-describedby="key-help"
          ${notice === WRONG_KEY ? html` aria-invalid="true"` : null}
        />
        <button class="primary wide" id="sign-in">Sign in</button>
      </form>
    </div>`,
  });
}
