// The frame of every HTML report, and HTML as a value: a template that escapes every part.
import { createHash } from 'node:crypto';
import { STYLE_SHEET } from './style-sheet.ts';
import { escapeMarkup } from '../../base/text/inert.ts';
import { shown } from '../text/escape.ts';

export interface Page {
  readonly title: string;
  readonly lead: readonly string[];
  readonly sections: readonly Markup[];
}

export function htmlPage(page: Page): string {
  const hash = createHash('sha256').update(STYLE_SHEET).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const style: Markup = { markup: `<style>${STYLE_SHEET}</style>` };
  return `${
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta http-equiv="Content-Security-Policy" content="${{ markup: policy }}" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="referrer" content="no-referrer" />
          <title>${page.title}</title>
          ${style}
        </head>
        <body>
          <header>
            <h1>${page.title}</h1>
            ${page.lead.map((line) => html`<p class="faint">${line}</p> `)}
          </header>
          <main>${page.sections.map((section) => html`${section} `)}</main>
        </body>
      </html>`.markup
  }\n`;
}

export function htmlSection(title: string, content: readonly Markup[]): Markup {
  return content.length === 0
    ? html``
    : html`<section>
        <h2>${title}</h2>
        ${content}
      </section>`;
}

export function figures(values: readonly (readonly [label: string, value: string | number])[]): Markup {
  if (values.length === 0) return html``;
  return html`<ul class="figures">
    ${values.map(([label, value]) => html`<li><b>${value}</b> ${label}</li>`)}
  </ul>`;
}

export function htmlTable(caption: string, heading: readonly string[], rows: readonly (readonly Markup[])[]): Markup {
  if (rows.length === 0) return html``;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}">
    <table>
      <thead>
        <tr>
          ${heading.map((title) => html`<th scope="col">${title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell) => html`<td>${cell}</td>`)}
            </tr> `,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Markup that is known to be safe; only this module makes it. */
export interface Markup {
  readonly markup: string;
}

type Part = string | number | Markup | readonly Markup[] | null;

/** Escapes text, control characters included, and numbers; inserts `Markup` unchanged, and nothing for `null`. */
export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let markup = literals[0] ?? '';
  parts.forEach((part, at) => {
    markup += partMarkup(part) + (literals[at + 1] ?? '');
  });
  return { markup };
}

function partMarkup(part: Part): string {
  if (part === null) return '';
  if (typeof part === 'object')
    return Array.isArray(part) ? joined(part as readonly Markup[]) : (part as Markup).markup;
  return escapeMarkup(shown(String(part), 1000));
}

function joined(parts: readonly Markup[]): string {
  return parts.map(({ markup }) => markup).join('');
}
