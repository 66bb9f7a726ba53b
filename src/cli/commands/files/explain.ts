// `trueup explain`: what an attribute of the file means, what it may hold, and what changing it does.
import { arrayOf, isJsonObject, stringifyJson, type JsonObject } from '../../../base/json.ts';
import { jsonText } from '../../../render/machine/json-text.ts';
import { didYouMean } from '../../../base/text/words.ts';
import { impactWords } from '../../../render/messages/impacts.ts';
import { shown } from '../../../render/text/escape.ts';
import { wrap } from '../../../render/text/width.ts';
import { exitCodes } from '../../process/exit-code.ts';
import type { Run } from '../../command.ts';
import {
  explain as explanations,
  isChosen,
  refusalOf,
  type ChangeRule,
  type Explanation,
} from '../../authoring/explanation.ts';
import { checkOutputs, deliver, inputsOf } from '../../output/output.ts';
import { filePlaces, type Place } from '../../authoring/schema-places.ts';
import { humanOptions } from '../../session/session.ts';
import { UsageError } from '../../program/usage-error.ts';

export const explain: Run = async ({ io, settings, words }) => {
  checkOutputs(settings, inputsOf(settings));
  const places = filePlaces();
  const word = words[0];
  const found = word === undefined ? [] : explanations(places, word);
  if (word !== undefined && found.length === 0) throw unknown(places, word);
  const { width } = humanOptions(io, settings, 'stdout');
  await deliver(io, settings, {
    human: () => (word === undefined ? index(places, width) : found.map((one) => textOf(one, word, width)).join('\n')),
    json: () => `${jsonText(word === undefined ? indexJson(places) : found.map(jsonOf), 2)}\n`,
  });
  return exitCodes.done;
};

function unknown(places: readonly Place[], word: string): UsageError {
  const refused = refusalOf(places, word);
  if (refused !== null) return new UsageError(`${word} is not written in the file`, `${refused}.`);
  if (word.includes('/'))
    return new UsageError(`${word} is an address`, `\`trueup list ${word}\` shows it; explain takes an attribute.`);
  const meant = didYouMean(word, new Set(fixed(places).map(({ path }) => path.at(-1) ?? '')));
  return new UsageError(
    'the file has no such attribute',
    meant === undefined ? '`trueup explain` lists them all.' : `Did you mean ${meant}?`,
  );
}

/** The places without those whose name the user chooses. */
function fixed(places: readonly Place[]): readonly Place[] {
  return places.filter(({ path }) => !isChosen(path.at(-1)));
}

function index(places: readonly Place[], width: number): string {
  return fixed(places)
    .map(({ path, schema }) => `${path.join('.')}\n${wrap(sentenceOf(schema), { width, indent: '  ' }).join('\n')}\n`)
    .join('');
}

function indexJson(places: readonly Place[]): readonly JsonObject[] {
  return fixed(places).map(({ path, schema }) => ({ path: path.join('.'), description: sentenceOf(schema) }));
}

function sentenceOf(schema: JsonObject): string {
  return typeof schema['description'] === 'string' ? schema['description'] : '';
}

function textOf({ paths, description, schema, change }: Explanation, word: string, width: number): string {
  const key = shown(word.split('.').at(-1) ?? '');
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['written at', paths],
    ['may hold', [holds(schema)]],
    ['default', schema['default'] === undefined ? [] : [stringifyJson(schema['default'])]],
    ['example', arrayOf(schema['examples']).map((example) => `${key}: ${stringifyJson(example)}`)],
    ['a change', change === null ? [] : [changeWords(change)]],
    ['at worst', change === null ? [] : impactWords({ impact: change.impact, impactDetails: {} })],
  ];
  const lines = rows.flatMap(([name, values]) =>
    values.map((value, at) => `  ${(at === 0 ? name : '').padEnd(10)}  ${value}`),
  );
  return [shown(word), ...wrap(description, { width, indent: '  ' }), ...lines, ''].join('\n');
}

function holds(schema: JsonObject): string {
  const { minimum, maximum } = schema;
  const expected = isJsonObject(schema['x-trueup']) ? schema['x-trueup']['expected'] : undefined;
  if (typeof expected === 'string') return expected;
  const values = schema['const'] === undefined ? arrayOf(schema['enum']) : [schema['const']];
  if (values.length > 0) return values.map((value) => stringifyJson(value)).join(' or ');
  const type = schema['type'];
  const types = (Array.isArray(type) ? arrayOf(type) : [type ?? 'any value'])
    .map(String)
    .filter((one) => one !== 'null');
  const range =
    minimum === undefined ? '' : ` from ${String(minimum)}${maximum === undefined ? '' : ` to ${String(maximum)}`}`;
  return `${types.join(' or ')}${range}`;
}

const CHANGES: Readonly<Record<ChangeRule['onChange'], string>> = {
  update: 'is made in place',
  move: 'moves the resource to another place; its id and host stay',
  replace: 'deletes the resource and makes a new one',
  immutable: 'is not possible: a difference is held back',
  never: 'is not possible: a difference is an error',
};

function changeWords({ onChange, restarts }: ChangeRule): string {
  return `${CHANGES[onChange]}${restarts ? ' and restarts it' : ''}`;
}

function jsonOf({ paths, description, schema, change }: Explanation): JsonObject {
  return {
    paths,
    description,
    may_hold: holds(schema),
    default: schema['default'] ?? null,
    examples: arrayOf(schema['examples']),
    change: change === null ? null : { on_change: change.onChange, restarts: change.restarts, impact: change.impact },
  };
}
