// Builds the form of any API operation from the OpenAPI document: a field for each parameter and each body member.
import { groupBy } from '../../base/group-by.ts';
import { isoTime } from '../../base/time/clock.ts';
import { parseJson } from '../../base/json.ts';
import { parseDurationMs } from '../../base/time/duration.ts';
import { badRequest } from '../core/refusal.ts';
import type { Field, Route } from '../../api/index.ts';
import { html, type Markup } from './page/parts.ts';

export type Choice = readonly [value: string, name: string];

export function fieldsMarkup(
  fields: readonly Field[],
  valueOf: (name: string) => string,
  choicesOf: (name: string) => readonly Choice[] = () => [],
): Markup[] {
  const show = (field: Field): Markup => control(field, valueOf(field.name), choicesOf(field.name));
  return [...groupBy(fields, groupOf)].flatMap(([group, within]) =>
    group === ''
      ? within.map(show)
      : html`<details class="more">
          <summary>${group}</summary>
          ${within.map(show)}
        </details>`,
  );
}

function groupOf({ name }: Field): string {
  const path = name.split('.');
  return path.length > 2 ? path.slice(0, 2).join('.') : '';
}

function control(
  { name, words, types, description, isRequired }: Field,
  value: string,
  choices: readonly Choice[],
): Markup {
  const notes = [
    description,
    types.some((type) => ['object', 'array'].includes(type)) ? 'As JSON.' : '',
    types.includes('null') ? 'The word null removes it.' : '',
    isExpiry(name) ? 'A time, or a duration from now such as 2h or 7d.' : '',
  ];
  const about = html`aria-describedby="${name}-help" ${isRequired ? html`required` : null}`;
  return html`<label for="${name}">${name}</label>
    ${
      words.length > 0
        ? html`<select id="${name}" name="${name}" ${about}>
            ${['', ...words].map(
              (word) =>
                html`<option value="${word}" ${word === value ? html`selected` : null}>
                  ${word === '' ? '–' : word}
                </option>`,
            )}
          </select>`
        : html`<input
            id="${name}"
            name="${name}"
            type="${name.endsWith('token') ? 'password' : 'text'}"
            value="${value}"
            maxlength="2000"
            autocomplete="off"
            autocapitalize="none"
            spellcheck="false"
            ${choices.length > 0 ? html`list="${name}-list"` : null}
            ${about}
          />`
    }
    ${
      choices.length > 0
        ? html`<datalist id="${name}-list">
            ${choices.map(([one, words]) => html`<option value="${one}">${words}</option>`)}
          </datalist>`
        : null
    }
    <p class="faint help" id="${name}-help">${notes.filter((note) => note !== '').join(' ')}</p>`;
}

function isExpiry(name: string): boolean {
  return name.endsWith('expires_at');
}

/** The JSON body that the form describes, without empty or unchanged members. Refuses a field with invalid JSON. */
export function bodyOf(route: Route, form: URLSearchParams, present: unknown, atMs: number): unknown {
  if (route.body === undefined) return undefined;
  const body: Record<string, unknown> = Object.fromEntries(route.needed.map((name) => [name, {}]));
  for (const field of route.fields) {
    if (field.ofBody !== true) continue;
    const text = (form.get(field.name) ?? '').trim();
    const value = text === '' ? undefined : valueOf(field, text, atMs);
    const path = field.name.split('.');
    if (value !== undefined && JSON.stringify(value) !== JSON.stringify(valueAt(present, path)))
      setAt(body, path, value);
  }
  return body;
}

function valueOf({ name, types }: Field, text: string, atMs: number): unknown {
  if (text === 'null' && types.includes('null')) return null;
  if (types.includes('boolean')) return text === 'true';
  if (types.includes('number') || types.includes('integer')) return Number.isFinite(Number(text)) ? Number(text) : text;
  const aheadMs = isExpiry(name) ? parseDurationMs(text) : undefined;
  if (aheadMs !== undefined) return isoTime(atMs + aheadMs);
  if (types.includes('string')) return text;
  try {
    return parseJson(text);
  } catch {
    throw badRequest(`${name} is not valid JSON`);
  }
}

export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, step) => (at as Record<string, unknown> | null | undefined)?.[step], value);
}

export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function setAt(body: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let at = body;
  for (const [place, step] of path.slice(0, -1).entries())
    at = (at[step] ??= path[place + 1] === '0' ? [] : {}) as Record<string, unknown>;
  at[path.at(-1) ?? ''] = value;
}
