// The one form of the console, for any operation: a field for each parameter and each body member, from the OpenAPI document.
import { isoTime } from '../../base/time/clock.ts';
import { parseJson } from '../../base/json.ts';
import { parseDurationMs } from '../../base/time/duration.ts';
import { openApiDocument } from '../api/routes.ts';
import { badRequest } from '../core/refusal.ts';
import type { Route } from '../resources/engine/call.ts';
import { html, type Markup } from './page/parts.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

/** A parameter, or a member of the body under its dotted path; `0` is the first item of a list. */
export interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  readonly types: readonly string[];
  readonly words: readonly string[];
  readonly description: string;
  readonly group: string;
}

export type Choice = readonly [value: string, name: string];

export function parameterFields({ parameters }: Route): Field[] {
  return parameters.map((one) => fieldOf(one.name, one, one.in === 'path' || one.required === true));
}

export function bodyFields({ body }: Route): Field[] {
  return body === undefined ? [] : leavesOf(shapeOf(body), [], true);
}

function shapeOf(name: string): Schema {
  return flat({ $ref: `#/components/schemas/${name}` });
}

function flat(schema: Schema): Schema {
  const shapes = openApiDocument().components['schemas'] as Readonly<Record<string, Schema>>;
  const own = schema.$ref === undefined ? schema : (shapes[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  const parts = [...(own.allOf ?? []), ...(own.anyOf ?? [])].map(flat);
  if (parts.length === 0) return own;
  const properties = Object.assign({}, ...parts.map((part) => part.properties), own.properties) as object;
  const types = [...parts.flatMap(({ type = [] }) => type), ...[own.type ?? []].flat()];
  const joined: Schema = { ...(Object.assign({}, ...parts, own) as Schema), type: [...new Set(types)] };
  return Object.keys(properties).length === 0
    ? joined
    : { ...joined, properties: properties as Required<Schema>['properties'] };
}

function leavesOf(schema: Schema, path: readonly string[], isNeeded: boolean): Field[] {
  const { properties, items, required = [] } = schema;
  if (properties !== undefined)
    return Object.entries(properties).flatMap(([name, member]) =>
      leavesOf(flat(member), [...path, name], isNeeded && required.includes(name)),
    );
  const item = items === undefined ? undefined : flat(items);
  if (item?.properties !== undefined) return leavesOf(item, [...path, '0'], false);
  return [fieldOf(path.join('.'), schema, isNeeded)];
}

function fieldOf(
  name: string,
  { type = 'object', enum: words, description = '' }: Pick<Schema, 'type' | 'enum' | 'description'>,
  isRequired: boolean,
): Field {
  const types = [type].flat();
  const path = name.split('.');
  return {
    name,
    isRequired,
    types,
    words: words ?? (types.includes('boolean') ? ['true', 'false'] : []),
    description,
    group: path.length > 2 ? path.slice(0, 2).join('.') : '',
  };
}

/** The fields with their values. Known choices are offered; other values can be typed. */
export function fieldsMarkup(
  fields: readonly Field[],
  valueOf: (name: string) => string,
  choicesOf: (name: string) => readonly Choice[] = () => [],
): Markup[] {
  const show = (field: Field): Markup => control(field, valueOf(field.name), choicesOf(field.name));
  const groups = new Set(fields.map(({ group }) => group).filter((group) => group !== ''));
  return [
    ...fields.filter(({ group }) => group === '').map(show),
    ...[...groups].map(
      (group) =>
        html`<details class="more">
          <summary>${group}</summary>
          ${fields.filter((field) => field.group === group).map(show)}
        </details>`,
    ),
  ];
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

/** The JSON body that the form describes. Omits members that are empty or unchanged. Refuses text that is not valid JSON. */
export function bodyOf(route: Route, form: URLSearchParams, present: unknown, atMs: number): unknown {
  if (route.body === undefined) return undefined;
  const { required = [], properties = {} } = shapeOf(route.body);
  const isObject = (name: string): boolean => flat(properties[name] ?? {}).properties !== undefined;
  const body: Record<string, unknown> = Object.fromEntries(required.filter(isObject).map((name) => [name, {}]));
  for (const field of bodyFields(route)) {
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
