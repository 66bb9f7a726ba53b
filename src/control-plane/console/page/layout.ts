// The frame of every page: head, header with navigation, notices, main.
import { SCRIPT_PATH, STYLE_PATH, ICON_PATH } from './respond.ts';
import { copyBox, html, noticeBox, type Markup } from './parts.ts';
import type { Secret } from '../../../base/secret.ts';
import type { Notice, Session } from '../sessions.ts';

export interface Frame {
  readonly title: string;
  readonly session?: Session | undefined;
  readonly account?: string;
  readonly current?: 'projects' | 'keys' | 'log' | 'reference' | 'testing';
  readonly notice?: Notice | undefined;
  /** A reply that this page shows once because it may hold a secret, or 'shown before' once a page has shown it. */
  readonly told?: Secret | 'shown before' | undefined;
  readonly main: Markup;
  readonly live?: Markup | undefined;
  /** The URL from which the script updates the live part; empty for a page that is not updated. */
  readonly livePath?: string;
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
          ${frame.notice === undefined ? null : noticeBox(frame.notice)}
          ${frame.told === undefined ? null : toldBox(frame.told)} ${frame.main}
          ${frame.live === undefined ? null : livePart(frame.live, frame.livePath ?? '')}
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
              ${link('/log', 'Log', current === 'log')} ${link('/reference', 'API', current === 'reference')}
              ${link('/testing', 'Testing', current === 'testing')}
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

export function tokenField(session: Session): Markup {
  return html`<input type="hidden" name="token" value="${session.token}" />`;
}

function livePart(live: Markup, livePath: string): Markup {
  return html`<p class="unseen" role="status" id="said"></p>
    <p class="notice bad" id="lost" hidden>The server does not answer; what you see may be old. Trying again.</p>
    <div class="live-control">
      <noscript><a class="button small" href="">Refresh</a></noscript>
      <button type="button" class="small" id="live-toggle" aria-pressed="true" hidden>
        <span class="dot" aria-hidden="true"></span>Live updates
      </button>
    </div>
    <div id="live" data-url="${livePath}">${live}</div>`;
}

const SHOWN_BEFORE =
  'This page showed a secret once; it cannot be viewed again. A key that is lost is revoked and replaced; a password can be reset.';

function toldBox(told: NonNullable<Frame['told']>): Markup {
  if (told === 'shown before') return noticeBox({ tone: 'good', text: SHOWN_BEFORE });
  return html`<section class="panel padded fresh" aria-labelledby="told-title">
    <h2 id="told-title">Reply</h2>
    <p>This page shows it once. Keep it where secrets are kept.</p>
    ${copyBox('told', 'Reply', told.reveal())}
  </section>`;
}

export function errorPage(frame: Omit<Frame, 'main'>, text: string): Markup {
  return layout({
    ...frame,
    main: html`<h1>${frame.title}</h1>
      <p>${text}</p>
      <p><a class="button" href="/">Back to the projects</a></p>`,
  });
}
