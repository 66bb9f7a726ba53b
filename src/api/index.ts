// The types of the control API, generated from schemas/api, and checks whether a body has the shape of such a type.
import * as validators from './generated/validators.js';
import type { ValidationError } from './generated/validators.js';

export type * from './generated/types.ts';
export { absentThings, routes, unmodelledRoutes } from './generated/operations.ts';
export type { Field, Method, Operations, Parameter, Replies, Route } from './generated/operations.ts';

/** The name of a shape in the API (a definition in schemas/api). */
export type ShapeName = keyof typeof validators;

/** The outcome of a check: the typed body, or the positions where the body differs from its schema. */
export type ShapeResult<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problems: readonly string[] };

/** Checks `body` against the schema `name`. Problems name the position and the rule, never the value. */
export function checkShape<T>(name: ShapeName, body: unknown): ShapeResult<T> {
  return check(name, body, false);
}

/** Checks a reply like `checkShape`; null members that the schema does not allow are removed from `body` and count as missing. */
export function checkReply<T>(name: ShapeName, body: unknown): ShapeResult<T> {
  return check(name, body, true);
}

function check<T>(name: ShapeName, body: unknown, mayDrop: boolean): ShapeResult<T> {
  const validate = validators[name];
  if (validate(body)) return { ok: true, value: body as T };
  if (mayDrop && dropNulls(body, validate.errors ?? [])) return check(name, body, false);
  return { ok: false, problems: (validate.errors ?? []).slice(0, 5).map(describe) };
}

function describe({ instancePath, keyword, message = keyword, params }: ValidationError): string {
  const unknown = params['additionalProperty'];
  const named = typeof unknown === 'string' ? `: ${JSON.stringify(unknown)}` : '';
  return `${instancePath === '' ? 'body' : instancePath} ${message}${named}`;
}

/** Removes the null members that `errors` name from `body`, in a list from every entry; false when there are none. */
function dropNulls(body: unknown, errors: readonly ValidationError[]): boolean {
  const places = new Set(errors.map(({ instancePath }) => instancePath.replaceAll(/\/\d+(?=\/|$)/g, '/*')));
  return [...places].map((place) => dropAt(body, place.split('/').slice(1))).includes(true);
}

function dropAt(body: unknown, [name, ...rest]: readonly string[]): boolean {
  if (typeof body !== 'object' || body === null || name === undefined) return false;
  if (Array.isArray(body)) return body.map((entry) => dropAt(entry, name === '*' ? rest : [])).includes(true);
  const member: unknown = Object.getOwnPropertyDescriptor(body, name)?.value;
  if (rest.length > 0) return dropAt(member, rest);
  return member === null && Reflect.deleteProperty(body, name);
}
