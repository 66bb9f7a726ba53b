// The sign-in page: one field for an API key.
import { html, noticeBox } from './parts.ts';
import type { Markup } from './parts.ts';
import { layout } from './layout.ts';
import type { Notice } from './sessions.ts';

export interface SignInView {
  /** Where to go afterwards; a path of the console. */
  readonly next: string;
  readonly problem?: string;
  readonly notice?: Notice;
}

export function signInPage({ next, problem, notice }: SignInView): Markup {
  const wrong = problem === undefined ? null : html` aria-invalid="true"`;
  return layout({
    title: 'Sign in',
    ...(notice === undefined ? {} : { notice }),
    main: html`<div class="narrow panel">
      <h1>Sign in</h1>
      <p class="faint" id="key-help">
        Use an API key of this account. The first key of a new store is in the file that <code>trueup serve</code> names
        when it starts.
      </p>
      ${problem === undefined ? null : noticeBox({ tone: 'bad', text: problem })}
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
          ${wrong}
        />
        <button class="primary wide" id="sign-in">Sign in</button>
      </form>
    </div>`,
  });
}

/** A path of the console that a sign-in may lead to; the front page for anything else. */
export function safeNext(path: string | null | undefined): string {
  return path !== null && path !== undefined && /^\/(projects|keys)(\/[\w-]{1,64}){0,4}$/.test(path) ? path : '/';
}
