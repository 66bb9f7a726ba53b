// The outcome of a check of a body against a schema.
import type { ValidationError, Validator } from './generated/replies.js';

/** The typed body, or the positions where the body differs from its schema. */
export type ShapeResult<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problems: readonly string[] };

/** Problems name the position and the rule, never the value. */
export function shapeResult<T>(validate: Validator, body: unknown): ShapeResult<T> {
  if (validate(body)) return { ok: true, value: body as T };
  return { ok: false, problems: (validate.errors ?? []).slice(0, 5).map(describe) };
}

function describe({ instancePath, keyword, message = keyword, params }: ValidationError): string {
  const unknown = params['additionalProperty'];
  const named = typeof unknown === 'string' ? `: ${JSON.stringify(unknown)}` : '';
  return `${instancePath === '' ? 'body' : instancePath} ${message}${named}`;
}
