// The frame of every page: head, header with the way around, notices, main.
import { SCRIPT_PATH, STYLE_PATH, ICON_PATH } from './assets.ts';
import { html, noticeBox } from './parts.ts';
import type { Markup } from './parts.ts';
import type { Notice, Session } from './sessions.ts';

export interface Frame {
  readonly title: string;
  /** Absent on pages for people who are not signed in. */
  readonly session?: Session;
  readonly account?: string;
  readonly current?: 'projects' | 'keys';
  readonly notice?: Notice;
  readonly main: Markup;
}

export function layout(frame: Frame): Markup {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${frame.title} · trueup console</title>
        <link rel="icon" href="${ICON_PATH}" type="image/svg+xml" />
        <link rel="stylesheet" href="${STYLE_PATH}" />
        <script src="${SCRIPT_PATH}" defer></script>
      </head>
      <body>
        <a class="skip" href="#main">Skip to content</a>
        ${header(frame)}
        <main id="main" tabindex="-1">
          ${frame.notice === undefined ? null : noticeBox(frame.notice)} ${frame.main}
        </main>
      </body>
    </html> `;
}

function header({ session, account, current }: Frame): Markup {
  const link = (path: string, name: string, isCurrent: boolean): Markup =>
    html`<li><a href="${path}" ${isCurrent ? html` aria-current="page"` : null}>${name}</a></li>`;
  const inside =
    session === undefined
      ? null
      : html`<nav aria-label="Console">
            <ul>
              ${link('/', 'Projects', current === 'projects')} ${link('/keys', 'API keys', current === 'keys')}
            </ul>
          </nav>
          <form class="who" method="post" action="/sign-out">
            ${tokenField(session)}
            <span class="faint account">${account ?? ''}</span>
            <button class="plain" id="sign-out">Sign out</button>
          </form>`;
  return html`<header class="bar">
    <div class="bar-in">
      <a class="brand" href="/"
        ><span class="mark" aria-hidden="true"></span>trueup <span class="faint">console</span></a
      >
      ${inside}
    </div>
  </header>`;
}

/** The hidden field without which a form is refused. */
export function tokenField(session: Session): Markup {
  return html`<input type="hidden" name="token" value="${session.token}" />`;
}

/** A page for something that went wrong. */
export function errorPage(frame: Omit<Frame, 'main'>, text: string): Markup {
  return layout({
    ...frame,
    main: html`<h1>${frame.title}</h1>
      <p>${text}</p>
      <p><a class="button" href="/">Back to the projects</a></p>`,
  });
}
