// Converts values to JSON and back: the schema names the members, and a form states each exception.
import { jsonEqual, type Json, type JsonObject } from '../../base/json.ts';
import { shapes } from '../../model/generated/shapes.ts';

export interface Form {
  /** Names in the program, by JSON name, where they differ by more than camel case. */
  readonly names?: Readonly<Record<string, string>>;
  /** Values that the JSON leaves out, by JSON name. */
  readonly unset?: JsonObject;
  readonly write?: (value: never) => unknown;
  readonly read?: (value: never) => unknown;
}

export type Forms = Readonly<Record<string, Form>>;

export interface Codec {
  readonly write: (value: object, shape: string) => JsonObject;
  /** Reads validated JSON, and drops members that the schema does not name. */
  readonly read: (json: unknown, shape: string) => unknown;
}

interface Member {
  readonly name: string;
  readonly own: string;
  readonly shape: string;
  readonly unset: Json | undefined;
}

type Members = Readonly<Record<string, unknown>>;

export function codecOf(forms: Forms): Codec {
  const known = new Map<string, readonly Member[]>();
  const membersOf = (shape: string): readonly Member[] | undefined => {
    if (!Object.hasOwn(shapes, shape)) return undefined;
    const found = known.get(shape) ?? Object.entries(shapes[shape] ?? {}).map((one) => memberOf(one, forms[shape]));
    known.set(shape, found);
    return found;
  };
  const written = (value: unknown, shape: string): Json => {
    if (value === null || shape === '') return value as Json;
    if (Array.isArray(value)) return value.map((one) => written(one, shape));
    if (shape.endsWith('*')) return eachOf(value as object, (one) => written(one, shape.slice(0, -1)));
    const { write } = forms[shape] ?? {};
    const whole = write === undefined ? value : write(value as never);
    const members = membersOf(shape);
    if (members === undefined) return whole as Json;
    const json: Record<string, Json> = {};
    for (const { name, own, shape: inner, unset } of members) {
      const member = (whole as Members)[own];
      if (member === undefined) continue;
      const one = written(member, inner);
      if (unset === undefined || !jsonEqual(one, unset)) json[name] = one;
    }
    return json;
  };
  const read = (json: unknown, shape: string): unknown => {
    if (json === null || shape === '') return json;
    if (Array.isArray(json)) return json.map((one) => read(one, shape));
    if (shape.endsWith('*')) return eachOf(json as object, (one) => read(one, shape.slice(0, -1)));
    let value = json;
    const members = membersOf(shape);
    if (members !== undefined) {
      const found: Record<string, unknown> = {};
      for (const { name, own, shape: inner, unset } of members) {
        const member = Object.hasOwn(json as Members, name) ? (json as Members)[name] : unset;
        if (member !== undefined) found[own] = read(member, inner);
      }
      value = found;
    }
    return forms[shape]?.read?.(value as never) ?? value;
  };
  return { write: (value, shape) => written(value, shape) as JsonObject, read };
}

function memberOf([name, shape]: readonly [string, string], { names = {}, unset = {} }: Form = {}): Member {
  // Times are milliseconds in the program, so their names there end in `Ms`.
  const camel = `${name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())}${shape === 'PlanTime' ? 'Ms' : ''}`;
  return { name, own: names[name] ?? camel, shape, unset: unset[name] };
}

function eachOf<T>(values: object, act: (value: unknown) => T): Readonly<Record<string, T>> {
  const entries: Iterable<[string, unknown]> = values instanceof Map ? values : Object.entries(values);
  return Object.fromEntries([...entries].map(([name, one]) => [name, act(one)]));
}
