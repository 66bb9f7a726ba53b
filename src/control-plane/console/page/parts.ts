// Parts that pages share: template tag, status pills, tables, notices, dates.
import { inert } from '../../../base/text/inert.ts';
import { html as template, type HtmlEscapedString } from '../../api/web.ts';
import type { Notice } from '../sessions.ts';
import type { Values } from '../view.ts';
import { dateWords, type Status } from '../words.ts';

/** Markup that is safe to send, because only `html` makes it. */
export type Markup = HtmlEscapedString;

const MAX_TEXT = 500;

/** Escapes all text, including control characters, so that a hostile name cannot become markup; `null` adds nothing. */
export function html(
  literals: TemplateStringsArray,
  ...parts: readonly (string | number | readonly Markup[] | null)[]
): Markup {
  const harmless = parts.map((part) => (typeof part === 'string' ? inert(part, MAX_TEXT) : part));
  return template(literals, ...harmless) as Markup;
}

export function pill({ label, tone }: Status): Markup {
  return html`<span class="pill ${tone}">${label}</span>`;
}

export function time(timestamp: unknown): Markup {
  if (typeof timestamp !== 'string' || timestamp === '') return html`<span class="faint">–</span>`;
  const [date = '', clock = ''] = dateWords(timestamp).split(/ (.*)/);
  return html`<time datetime="${timestamp}">${date} <span class="whole">${clock}</span></time>`;
}

export function noticeBox({ tone, text }: Notice): Markup {
  return html`<p class="notice ${tone}" role="${tone === 'bad' ? 'alert' : 'status'}">${text}</p>`;
}

export function copyBox(id: string, label: string, text: string): Markup {
  return html`<div class="value">
      <code id="${id}-value" tabindex="0" role="group" aria-label="${label}">${linesOf(text)}</code>
      <button type="button" id="copy-${id}" data-copy="${id}" hidden>Copy<span class="unseen"> ${label}</span></button>
    </div>
    <p class="faint" role="status" id="${id}-copied"></p>`;
}

/** Passes each line to `html` separately, because `html` cuts text after MAX_TEXT characters. */
function linesOf(text: string): Markup[] {
  return text.split('\n').map((line, at) => html`${at === 0 ? '' : html`<br />`}${line}`);
}

/** A list of facts by name; a fact that is null has no entry. */
export function factsList(facts: Readonly<Record<string, Markup | null>>): Markup {
  const known = Object.entries(facts).filter(([, value]) => value !== null);
  return html`<dl class="facts-list">
    ${known.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

/** The title of a page, with what is said about it below, and its actions beside. */
export function head(title: string, about: Markup | null = null, actions: readonly Markup[] = []): Markup {
  return html`<div class="head">
    <div>
      <h1>${title}</h1>
      ${about}
    </div>
    ${actions}
  </div>`;
}

export function section(id: string, title: string, body: Markup, actions: Markup | null = null): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title">
    <div class="section-head">
      <h2 id="${id}-title">${title}</h2>
      ${actions}
    </div>
    ${body}
  </section>`;
}

export interface Row {
  readonly id: string;
  /** The cells of the row by the headings of their columns. */
  readonly cells: Readonly<Record<string, Markup>>;
  readonly say?: string;
}

/** A table in a panel. Narrow screens show rows as cards, so explicit ARIA roles keep the table for screen readers. */
export function table(caption: string, rows: readonly Row[], empty: string = 'There are none.'): Markup {
  const [first] = rows;
  if (first === undefined) return html`<div class="panel"><p class="empty">${empty}</p></div>`;
  return html`<div class="panel">
    <table role="table">
      <caption class="unseen">
        ${caption}
      </caption>
      <thead role="rowgroup">
        <tr role="row">
          ${Object.keys(first.cells).map((heading) => html`<th role="columnheader" scope="col">${heading}</th>`)}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${rows.map(tableRow)}
      </tbody>
    </table>
  </div>`;
}

function tableRow({ id, cells, say }: Row): Markup {
  return html`<tr role="row" id="${id}" ${say === undefined ? null : html` data-say="${say}"`}>
    ${Object.entries(cells).map(([heading, cell], at) =>
      at === 0
        ? html`<th role="rowheader" scope="row" data-label="${heading}">${cell}</th>`
        : html`<td role="cell" data-label="${heading}"><div>${cell}</div></td>`,
    )}
  </tr> `;
}

/** Links from a page of the list with this id to the first page and to the next, which begins at the cursor `next`. */
export function pager(id: string, { pathname, searchParams }: URL, next: string | undefined): Markup {
  const search = searchParams.get('search') ?? '';
  const link = (words: string, cursor: string): Markup =>
    html`<a class="button" href="${withQuery(pathname, { search, cursor })}#${id}">${words}</a>`;
  const first = searchParams.has('cursor') ? link('First page', '') : null;
  if (first === null && next === undefined) return html``;
  return html`<nav class="pager" aria-label="Pages of ${id}">
    ${first} ${next === undefined ? null : link('Next page', next)}
  </nav>`;
}

/** The address of a page with these values in its query; empty values are left out. */
export function withQuery(path: string, values: Values): string {
  const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== '')).toString();
  return query === '' ? path : `${path}?${query}`;
}

export function trail(steps: readonly (readonly [path: string, name: string])[]): Markup {
  return html`<nav class="trail" aria-label="Breadcrumb">
    <ol>
      ${steps.map(([path, name]) => html`<li><a href="${path}">${name}</a></li>`)}
    </ol>
  </nav>`;
}
