// The types of the control API, generated from schemas/api, and checks whether a reply has the shape of such a type.
import * as validators from './generated/replies.js';
import type { ValidationError } from './generated/replies.js';
import { shapeResult, type ShapeResult } from './shape.ts';

export type * from './generated/types.ts';
export { absentThings, routes, unmodelledRoutes } from './generated/operations.ts';
export type { Field, Operations, Parameter, Replies, Route } from './generated/operations.ts';

/** The name of a reply's shape (a definition in schemas/api). */
export type ShapeName = keyof typeof validators;

/** Checks `body` against the schema `name`. Null members that the schema does not allow are removed from `body` and count as missing. */
export function checkReply<T>(name: ShapeName, body: unknown): ShapeResult<T> {
  const validate = validators[name];
  const result = shapeResult<T>(validate, body);
  return result.ok || !dropNulls(body, validate.errors ?? []) ? result : shapeResult(validate, body);
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
