// The frame and style sheet of every HTML report, and the template `html`, which escapes every part.
import { createHash } from 'node:crypto';
import { escapeMarkup } from '../../base/text/inert.ts';
import { shown } from '../text/escape.ts';

export function htmlPage(title: string, lead: readonly string[], sections: readonly Markup[]): string {
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
          <title>${title}</title>
          ${style}
        </head>
        <body>
          <header>
            <h1>${title}</h1>
            ${lead.map((line) => html`<p class="faint">${line}</p> `)}
          </header>
          <main>${sections.map((section) => html`${section} `)}</main>
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

/** Markup that is safe to insert, because only this module makes it. */
export interface Markup {
  readonly markup: string;
}

type Part = string | number | Markup | readonly Markup[] | null;

/** Escapes text, including control characters. Inserts `Markup` unchanged, and nothing for `null`. */
export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let markup = literals[0] ?? '';
  parts.forEach((part, at) => {
    markup += partMarkup(part) + (literals[at + 1] ?? '');
  });
  return { markup };
}

function partMarkup(part: Part): string {
  if (typeof part !== 'object') return escapeMarkup(shown(String(part), 1000));
  return [part ?? []]
    .flat()
    .map(({ markup }) => markup)
    .join('');
}

const STYLE_SHEET: string = `
:root { color-scheme: light dark; --page: #fff; --text: #1c2128; --faint: #59636e; --line: #d1d9e0; --panel: #f6f8fa;
  --add: #116329; --change: #7d4e00; --destroy: #b3202c; --restart: #8250df; --bar: #0969da; }
@media screen and (prefers-color-scheme: dark) { :root { --page: #0d1117; --text: #e6edf3; --faint: #9198a1; --line: #3d444d;
  --panel: #151b23; --add: #3fb950; --change: #d29922; --destroy: #ff7b72; --restart: #bc8cff; --bar: #58a6ff; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem 1rem 4rem; background: var(--page); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.35rem; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; border-bottom: 1px solid var(--line); padding-bottom: .25rem; }
h3 { font-size: 1rem; margin: 0; font-weight: 600; overflow-wrap: anywhere; }
p { margin: .25rem 0; overflow-wrap: anywhere; }
code, .mono { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .87em; overflow-wrap: anywhere; }
.faint { color: var(--faint); }
.figures { display: flex; flex-wrap: wrap; gap: .5rem; margin: 1rem 0; padding: 0; list-style: none; }
.figures li { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .35rem .75rem; min-width: 5.5rem; }
.figures b { display: block; font-size: 1.25rem; }
.change { border: 1px solid var(--line); border-left-width: 4px; border-radius: 6px; margin: .6rem 0; padding: .5rem .75rem; break-inside: avoid; }
.change p { font-size: .92rem; }
.create, .rotate { border-left-color: var(--add); }
.update, .move { border-left-color: var(--change); }
.delete, .revoke, .replace { border-left-color: var(--destroy); }
.restart { border-left-color: var(--restart); }
.badge { display: inline-block; border: 1px solid currentColor; border-radius: 1rem; font-size: .78rem; padding: 0 .55rem; margin-left: .35rem; white-space: nowrap; }
.good { color: var(--add); } .warn { color: var(--change); } .bad { color: var(--destroy); } .turn { color: var(--restart); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: .4rem 0; width: 100%; }
th, td { text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); padding: .25rem .75rem .25rem 0; font-size: .92rem; overflow-wrap: break-word; max-width: 32rem; min-width: 3.5rem; }
td p { margin: 0; } td > .badge:first-child { margin-left: 0; }
.members { margin: .25rem 0; padding-left: 1.1rem; columns: 22rem auto; font-size: .92rem; }
th { white-space: nowrap; color: var(--faint); font-weight: 600; }
del { color: var(--destroy); text-decoration: none; } ins { color: var(--add); text-decoration: none; }
svg { display: block; width: 100%; height: .5rem; } .done { fill: var(--bar); } .undone { fill: var(--destroy); }
@media print { :root { color-scheme: light; } body { max-width: none; padding: 0; } .scroll { overflow: visible; } }
`;
