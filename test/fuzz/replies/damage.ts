// Damage to an answer: in its form, its types and its size; never merely another value that the service may mean.
import { parseJson, stringifyJson, type Json } from '../../../src/base/json.ts';
import type { Draw } from '../draw.ts';

type Place = readonly (string | number)[];

/** Values of each type; what stands in a place is replaced by one of another type. */
const NUMBERS = [0, -1, 1.5, 1e308];
const TEXTS = [
  '9007199254740993',
  '',
  'x',
  '..',
  'a/b',
  '2026-02-30T00:00:00Z',
  '\u001b[2J',
  '\u202e',
  'M'.repeat(100_000),
];
const LISTS: readonly Json[] = [[], [[]], [null], [{}]];
const VALUES: readonly Json[] = [null, true, ...NUMBERS, ...TEXTS, ...LISTS, {}, { a: { b: null } }];

/** The answer, spoilt. */
export function spoilt(text: string, draw: Draw): string {
  if (draw.chance(0.15)) return spoiltText(text, draw);
  const json = parseJson(text);
  const places = placesIn(json);
  return stringifyJson(changed(json, draw.pick(places), draw));
}

function spoiltText(text: string, draw: Draw): string {
  const ways = [
    () => text.slice(0, draw.below(text.length)),
    () => `\ufeff${text}`,
    () => `${text}${text}`,
    () => `<html>${text}</html>`,
    () => '['.repeat(50_000),
    () => text.replace('{', '{"__proto__":{"x":1},'),
    () => text.replaceAll('"id"', '"constructor"'),
    () => draw.pick(['', ' ', 'null', '0', '""', '[[]]', '{}', 'NaN', '{"a":}', "{'a':1}", '\u0000']),
  ];
  return draw.pick(ways)();
}

/** Every place in the value, its root first. */
function placesIn(json: Json, at: Place = []): Place[] {
  const inner = typeof json === 'object' && json !== null ? Object.entries(json) : [];
  const keyOf = (key: string): string | number => (Array.isArray(json) ? Number(key) : key);
  return [at, ...inner.flatMap(([key, value]) => placesIn(value, [...at, keyOf(key)]))];
}

function changed(json: Json, place: Place, draw: Draw): Json {
  const [step, ...rest] = place;
  if (step === undefined) return another(json, draw);
  if (Array.isArray(json)) {
    const list = json as readonly Json[];
    const at = Number(step);
    const item = list[at] ?? null;
    if (rest.length === 0 && draw.chance(0.3))
      return list.toSpliced(at, 0, ...Array<Json>(draw.pick([1, 300])).fill(item));
    return list.toSpliced(at, 1, changed(item, rest, draw));
  }
  const { [step]: member = null, ...others } = json as { readonly [key: string]: Json };
  if (rest.length === 0 && draw.chance(0.2)) return others;
  if (rest.length === 0 && draw.chance(0.1)) return { ...others, [`${step} `]: member };
  return { ...others, [step]: changed(member, rest, draw) };
}

function another(value: Json, draw: Draw): Json {
  if (draw.chance(0.2)) return draw.pick([[value], { value }, { '0': value }]);
  const kind = kindOf(value);
  return draw.pick(VALUES.filter((other) => kindOf(other) !== kind));
}

function kindOf(value: Json): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}
