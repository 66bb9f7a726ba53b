// Reads and checks the parts of a request: key, query parameters, JSON body, and changes of the clock.
import { isUtf8 } from 'node:buffer';
import { checkBody, type BodyName } from '../../api/bodies.ts';
import type { Parameter, Route } from '../../api/index.ts';
import { parseJson, isJsonObject, type Json } from '../../base/json.ts';
import { Refusal, badRequest } from '../core/refusal.ts';
import { parseDurationMs } from '../../base/time/duration.ts';
import { parseInstantMs } from '../../base/time/instant.ts';
import type { OwnClock } from '../../base/time/own-clock.ts';
import type { Engine } from '../resources/engine/engine.ts';
import { authenticate } from '../resources/key/handlers.ts';
import type { KeyRecord } from '../resources/key/record.ts';

export function bearerOf(header: string | null | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
}

/** The valid key that a request carries; undefined if there is none (api-rules 12.1, 12.2). */
export function keyIn(engine: Engine, headers: Headers): KeyRecord | undefined {
  const value = bearerOf(headers.get('authorization'));
  return value === undefined ? undefined : authenticate(engine, value);
}

/** The maximum size of a body in bytes; a larger body is refused with 413. */
export const MAX_BODY_BYTES = 1_048_576;

/** Limit in bytes on all unfinished bodies together: 32 bodies of the maximum size, more than honest clients need. */
const MOST_HELD_BYTES = 32 * 1_048_576;

export class Bodies {
  #heldBytes = 0;

  /** Returns the body as text, or a Refusal once this body, or all unfinished bodies together, exceed their limit. */
  async read(request: Request, maxBytes: number): Promise<string | Refusal> {
    if (request.method === 'GET' || request.method === 'HEAD' || request.body === null) return '';
    const tooLarge = new Refusal(413, `the body exceeds ${maxBytes} bytes`);
    const tooMany = new Refusal(503, 'too many requests are unfinished', { headers: { 'Retry-After': '1' } });
    if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return tooLarge;
    const reader = (request.body as ReadableStream<Uint8Array>).getReader();
    const chunks: Uint8Array[] = [];
    let size = 0;
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        size += value.length;
        this.#heldBytes += value.length;
        const refusal = size > maxBytes ? tooLarge : this.#heldBytes > MOST_HELD_BYTES ? tooMany : undefined;
        if (refusal !== undefined) {
          await reader.cancel();
          return refusal;
        }
        chunks.push(value);
      }
      const bytes = Buffer.concat(chunks);
      return isUtf8(bytes) ? new TextDecoder().decode(bytes) : badRequest('the body is not UTF-8');
    } finally {
      this.#heldBytes -= size;
    }
  }
}

export function readQuery(route: Route, search: URLSearchParams): Record<string, string | number | boolean> {
  const query: Record<string, string | number | boolean> = {};
  for (const parameter of route.parameters) {
    if (parameter.in === 'path') continue;
    const text = search.get(parameter.name);
    if (text === null && parameter.required === true) throw invalid(route, parameter, 'required');
    if (text === null || (text === '' && parameter.type !== 'string')) continue;
    query[parameter.name] = readParameter(route, parameter, text);
  }
  return query;
}

function invalid(route: Route, { name }: Parameter, rule: string): Refusal {
  return badRequest(`${route.id}: decode params: query: "${name}": ${rule}`);
}

function readParameter(route: Route, parameter: Parameter, text: string): string | number | boolean {
  const refuse = (rule: string): Refusal => invalid(route, parameter, rule);
  switch (parameter.type) {
    case 'string':
      if (text.length > 1024) throw refuse('too long');
      if (parameter.enum !== undefined && !parameter.enum.includes(text))
        throw refuse(`expected ${parameter.enum.join(', ')}`);
      return text;
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw refuse('expected true or false');
      return text === 'true';
    case 'integer': {
      const value = /^-?\d{1,15}$/.test(text) ? Number(text) : NaN;
      const { minimum = -Infinity, maximum = Infinity } = parameter;
      if (!(value >= minimum && value <= maximum)) throw refuse(`expected an integer from ${minimum} to ${maximum}`);
      return value;
    }
    default:
      return parameter.type satisfies never;
  }
}

export function readBody(route: Route, contentType: string | null, text: string): unknown {
  if (route.body === undefined) return undefined;
  if (text.trim() === '') {
    if (route.bodyOptional === true) return {};
    throw badRequest(`${route.id}: decode request: body required`);
  }
  if (contentType !== null && !/^application\/([a-z.+-]+\+)?json\b/i.test(contentType))
    throw new Refusal(415, `${route.id}: decode request: unexpected Content-Type; expected application/json`);
  const checked = checkBody<unknown>(route.body as BodyName, parse(route, text));
  if (checked.ok) return published(checked.value, publishedIn(route));
  throw badRequest(`${route.id}: decode request: ${checked.problems.join('; ')}`);
}

type Tree = Map<string, Tree>;

/** The tree of documented body members. `0` stands for list items; a node without children allows any value. */
function publishedIn({ fields }: Route): Tree {
  const tree: Tree = new Map();
  for (const { name, ofBody } of fields) {
    let at = tree;
    for (const step of ofBody === true ? name.split('.') : []) {
      const next: Tree = at.get(step) ?? new Map();
      at.set(step, next);
      at = next;
    }
  }
  return tree;
}

/** Drops members that the OpenAPI document does not list, so that no handler sees them. */
function published(value: unknown, tree: Tree): unknown {
  const items = tree.get('0');
  if (Array.isArray(value)) return items === undefined ? value : value.map((item: unknown) => published(item, items));
  if (tree.size === 0 || typeof value !== 'object' || value === null) return value;
  const own = Object.entries(value).filter(([name]) => tree.has(name));
  return Object.fromEntries(own.map(([name, member]) => [name, published(member, tree.get(name) ?? new Map())]));
}

/** Matches JSON of text with a lone surrogate, which no URL can name: only this character is still an escape `\u`. */
const LONE_SURROGATE = /(?<!\\)(?:\\\\)*\\ud/;

function parse(route: Route, text: string): unknown {
  try {
    const value = parseJson(text);
    if (!LONE_SURROGATE.test(JSON.stringify(value))) return value;
  } catch {
    // Refused like text that is not Unicode.
  }
  throw badRequest(`${route.id}: decode request: the body is not valid JSON in Unicode`);
}

/** Sets the clock forward, freezes it or lets it run, as `body` says. Throws RangeError. */
export function setClock(clock: OwnClock, body: Json): void {
  if (!isJsonObject(body)) throw new RangeError('the clock is an object with advance or now, and frozen');
  const { advance, now, frozen, ...rest } = body;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw new RangeError(`the clock has no member ${JSON.stringify(unknown)}`);
  if (advance !== undefined && now !== undefined) throw new RangeError('the clock is set by advance or to now');
  if (frozen !== undefined && typeof frozen !== 'boolean') throw new RangeError('frozen is true or false');
  if (advance !== undefined) clock.setForward(clock.nowMs() + advanceMs(advance));
  if (now !== undefined) clock.setForward(instantMs(now));
  if (frozen !== undefined) clock.freeze(frozen);
}

function instantMs(text: Json): number {
  const ms = typeof text === 'string' ? parseInstantMs(text) : undefined;
  if (ms === undefined) throw new RangeError('now is a time such as 2027-01-01T00:00:00Z');
  return ms;
}

function advanceMs(text: Json): number {
  const ms = parseDurationMs(text);
  if (ms === undefined) throw new RangeError('advance is a duration such as 90s, 5m, 24h or 7d');
  return ms;
}
