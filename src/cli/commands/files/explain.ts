// `trueup explain`: shows the meaning and values of a key of the file, and the effect of a change.
import { arrayOf, stringifyJson, type JsonObject, isJsonObject, objectOf } from '../../../base/json.ts';
import { jsonPage } from '../../../render/machine/diagnostics-json.ts';
import { impactWords } from '../../../render/messages/impacts.ts';
import { shown } from '../../../render/text/escape.ts';
import { wrap } from '../../../render/text/width.ts';
import { exitCodes, UsageError } from '../../process/exit-code.ts';
import type { Run } from '../../command.ts';
import { closestKeys, explain, isChosen, refusalOf, type Explanation } from '../../authoring/explanation.ts';
import { deliver } from '../../output/output.ts';
import { filePlaces, type Place } from '../../authoring/shipped-schema.ts';
import { humanOptions } from '../../session/session.ts';
import type { Attribute } from '../../../model/attributes.ts';

export const run: Run = async (invocation) => {
  const places = filePlaces();
  const [word] = invocation.words;
  const keys = keysOf(places);
  const found = word === undefined ? [] : explain(places, word);
  if (word !== undefined && found.length === 0) throw unknown(places, word);
  const { width } = humanOptions(invocation, 'stdout');
  await deliver(invocation, {
    human: () =>
      word === undefined
        ? keys.map((key) => `${[key.path, ...wrap(key.description, { width, indent: '  ' })].join('\n')}\n`).join('')
        : found.map((one) => textOf(one, word, width)).join('\n'),
    json: () => jsonPage(word === undefined ? keys : found.map(jsonOf)),
  });
  return exitCodes.done;
};

function unknown(places: readonly Place[], word: string): UsageError {
  const refused = refusalOf(places, word);
  if (refused !== null) return new UsageError(`${word} is not written in the file`, `${refused}.`);
  if (word.includes('/'))
    return new UsageError(
      `${word} is an address`,
      `\`trueup list ${word}\` shows it; explain takes a key of the file.`,
    );
  const close = closestKeys(places, word);
  if (close.length === 0) return new UsageError('the file has no such key', '`trueup explain` lists all keys.');
  const rows = close.map(({ key, description }) => `\n    ${key}: ${description.split(/(?<=\.) /)[0] ?? ''}`);
  return new UsageError('the file has no such key', `Did you mean one of these?${rows.join('')}`);
}

function keysOf(places: readonly Place[]): readonly { readonly path: string; readonly description: string }[] {
  const keys = places.filter(({ path }) => !isChosen(path.at(-1)));
  return keys.map(({ path, schema: { description } }) => ({ path: path.join('.'), description: String(description) }));
}

const INDENT = 14;

function textOf({ paths, description, schema, change }: Explanation, word: string, width: number): string {
  const key = shown(word.split('.').at(-1) ?? '');
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['written at', paths],
    ['type', wrap(typeWords(schema), { width: width - INDENT })],
    ['default', schema['default'] === undefined ? [] : [stringifyJson(schema['default'])]],
    ['example', arrayOf(schema['examples']).map((example) => `${key}: ${stringifyJson(example)}`)],
    ['a change', change === null ? [] : [changeWords(change)]],
    ['at worst', change === null ? [] : impactWords({ impact: change.impact, impactDetails: {} })],
  ];
  const lines = rows.flatMap(([name, values]) =>
    values.map((value, at) => `  ${at === 0 ? name : ''}`.padEnd(INDENT) + value),
  );
  return [shown(word), ...wrap(description, { width, indent: '  ' }), ...lines, ''].join('\n');
}

function jsonOf({ paths, description, schema, change }: Explanation): JsonObject {
  return {
    paths,
    description,
    may_hold: typeWords(schema),
    default: schema['default'] ?? null,
    examples: arrayOf(schema['examples']),
    change: change === null ? null : { on_change: change.change, restarts: change.restarts, impact: change.impact },
  };
}

export function typeWords(schema: JsonObject): string {
  const { expected } = objectOf(schema['x-trueup']);
  if (typeof expected === 'string')
    return schema['maximum'] === undefined ? expected : `${expected} (${rangeOf(schema).join()})`;
  const values = schema['const'] === undefined ? arrayOf(schema['enum']) : [schema['const']];
  const named = values.filter((value) => value !== null).map((value) => stringifyJson(value));
  const { items } = schema;
  return [
    (named.length > 0 ? named : typesOf(schema)).join(' or '),
    ...rangeOf(schema),
    ...mostOf(schema),
    ...(isJsonObject(items) ? [`each ${typeWords(items)}`] : []),
  ].join(', ');
}

const TYPES: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  string: 'text',
  array: 'a list',
  object: 'a mapping',
};

function typesOf({ type }: JsonObject): readonly string[] {
  const types = (Array.isArray(type) ? type : [type ?? null]).filter((one) => one !== 'null');
  return types.length > 3 ? ['any value'] : types.map((one) => TYPES[String(one)] ?? 'any value');
}

function rangeOf({ minimum, maximum }: JsonObject): readonly string[] {
  if (minimum === undefined) return [];
  return [maximum === undefined ? `at least ${String(minimum)}` : `${String(minimum)} to ${String(maximum)}`];
}

function mostOf({ maxLength, maxItems, maxProperties }: JsonObject): readonly string[] {
  const entries = maxItems ?? maxProperties;
  return [
    ...(entries === undefined ? [] : [`at most ${String(entries)} entries`]),
    ...(maxLength === undefined ? [] : [`at most ${String(maxLength)} characters`]),
  ];
}

const CHANGES: Readonly<Record<Attribute['change'], string>> = {
  update: 'in place',
  move: 'moves the resource',
  replace: 'replaces the resource',
  immutable: 'blocked',
  never: 'refused',
};

/** How a change is made: `in place`, `with a restart`. */
export function changeWords({ change, restarts }: Pick<Attribute, 'change' | 'restarts'>): string {
  return restarts ? 'with a restart' : CHANGES[change];
}
