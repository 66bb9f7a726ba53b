// The API reference: every operation of the OpenAPI document, each with its form.
import { routes } from '../../api/routes.ts';
import { html, section, table } from '../page/parts.ts';
import { formPath } from '../request.ts';
import type { Page } from '../visit.ts';

export function referencePage(): Page {
  const tags = [...new Set(routes.map(({ tag }) => tag))];
  return {
    title: 'API',
    current: 'reference',
    main: html`<div class="head">
        <div>
          <h1>API</h1>
          <p class="faint">Each operation has a form. <a href="/openapi.json">The OpenAPI document</a> has the same.</p>
        </div>
      </div>
      ${tags.map((tag) =>
        section(
          `tag-${tag.toLowerCase().replaceAll(' ', '-')}`,
          tag,
          html`<div class="panel">
            ${table(
              tag,
              ['Operation', 'Request', 'Keys'],
              routes
                .filter((route) => route.tag === tag)
                .map(({ id, summary, method, path, scope }) => ({
                  id,
                  cells: [
                    html`<a class="name" href="${formPath(id)}">${summary}</a>`,
                    html`<code>${method} ${path}</code>`,
                    html`${scope === 'key' ? 'every key' : scope}`,
                  ],
                })),
            )}
          </div>`,
        ),
      )}`,
  };
}
