// The explanation of one key of the file: the paths at which it occurs, its schema, and the effect of a change.
import { attributeAt, normaliseAt, writableOf, type Attribute } from '../../model/attributes.ts';
import { picked } from '../../base/picked.ts';
import { arrayOf, objectOf, stringifyJson, type Json, type JsonObject } from '../../base/json.ts';
import { groupBy } from '../../base/group-by.ts';
import { resourceAt } from '../../config/resolve/resolve-state.ts';
import { writtenFormOf } from '../../config/kind-section.ts';
import { kinds, type Kind } from '../../kinds/index.ts';
import type { DesiredProject } from '../../model/desired.ts';
import { PROJECT } from '../../model/kind.ts';
import type { Impact } from '../../model/outcome/impact.ts';
import type { Place } from './shipped-schema.ts';
import { didYouMean } from '../../base/text/words.ts';

export interface ChangeRule extends Pick<Attribute, 'change' | 'restarts'> {
  readonly impact: readonly Impact[];
}

export interface Explanation {
  /** Paths of the key in the file; capitals stand for names that the user chooses. */
  readonly paths: readonly string[];
  readonly description: string;
  readonly schema: JsonObject;
  /** Null for a key that sets no attribute of a live resource. */
  readonly change: ChangeRule | null;
}

export function explain(places: readonly Place[], words: string): readonly Explanation[] {
  const wanted = words.split('.').filter((word) => word !== '');
  const found = places.filter(({ path }) => endsWith(path, wanted));
  const meanings = groupBy(found, ({ schema }) => stringifyJson(schema));
  return [...meanings.values()].map((group) => explanationOf(group, wanted));
}

/** The reason why the schema refuses the key `word`; null if the schema does not refuse it. */
export function refusalOf(places: readonly Place[], word: string): string | null {
  for (const { schema } of places) {
    const reason = objectOf(objectOf(schema['x-trueup'])['refused'])[word];
    if (typeof reason === 'string') return reason;
  }
  return null;
}

/** True if the path ends with the wanted words. A part in capitals matches any wanted word except the first. */
function endsWith(path: readonly string[], wanted: readonly string[]): boolean {
  if (wanted.length === 0 || wanted.length > path.length) return false;
  const tail = path.slice(-wanted.length);
  return tail.every((word, at) => word === wanted[at] || (at > 0 && isChosen(word)));
}

export function isChosen(word: string | undefined): boolean {
  return word !== undefined && /^[A-Z]+$/.test(word);
}

function explanationOf(group: readonly [Place, ...Place[]], wanted: readonly string[]): Explanation {
  const [{ schema }] = group;
  const changes = group.map((place) => changeOf(place, wanted));
  return {
    paths: group.map(({ path }) => path.join('.')).sort(),
    description: typeof schema['description'] === 'string' ? schema['description'] : '',
    schema,
    change: changes.find((change) => change !== null) ?? null,
  };
}

function changeOf({ path, schema }: Place, wanted: readonly string[]): ChangeRule | null {
  const found = resourceAt(path, kinds);
  const kind = kinds.find((one) => one === found?.kind);
  const own = (found?.rest ?? []).map(String);
  const [first] = own;
  if (kind === undefined || first === undefined) return null;
  const live = liveName(kind, first, examplesOf(schema)[0] ?? null);
  // If the live attribute has another name, the inner keys are only for creation, so no change rule applies to them.
  if (live === null || (live !== first && own.length > 1)) return null;
  const inner = own.slice(1).map((word, place) => {
    const given = wanted[wanted.length - own.length + 1 + place];
    return isChosen(word) && given !== undefined ? given : word;
  });
  return ruleOf(kind, [live, ...inner].join('.'), examplesOf(schema));
}

const SAMPLE: DesiredProject = {
  label: 'sample',
  name: 'sample',
  id: null,
  labels: { main: 'br-sample-000001' },
  prune: false,
  unmanagedOk: [],
  source: { file: '', start: { line: 1, column: 1, offset: 0 }, end: { line: 1, column: 1, offset: 0 } },
};

function liveName(kind: Kind, key: string, example: Json): string | null {
  if (writableOf(kind).includes(key)) return key;
  const parent = kind.parent === null || kind.parent === PROJECT ? null : 'sample/sample';
  const { places = writtenFormOf(kind).places } = kind.meaning({
    name: 'sample',
    value: { [key]: example },
    project: SAMPLE,
    projects: [],
    parent,
  });
  return Object.entries(places).find(([, written]) => written === key)?.[0] ?? null;
}

function ruleOf(kind: Kind, path: string, examples: readonly Json[]): ChangeRule {
  const rule = picked(attributeAt(kind, path), ['change', 'restarts']);
  if (rule.change === 'never' || rule.change === 'immutable') return { ...rule, impact: [] };
  const values = examples.map((example) => {
    const normal = normaliseAt(kind, path, example);
    return 'value' in normal ? normal.value : example;
  });
  const sides = [null, ...values, true, false];
  const impact = new Set<Impact>();
  for (const before of sides)
    for (const after of sides) {
      const attributes = [{ path, before, after, restarts: rule.restarts }];
      const input = { action: rule.change, before: { [path]: before }, after: { [path]: after }, attributes };
      const effect = kind.effects[rule.change]?.({ ...input, live: null, project: SAMPLE, around: [] });
      for (const word of effect?.impact ?? []) if (word !== 'none') impact.add(word);
    }
  return { ...rule, impact: [...impact].sort() };
}

function examplesOf(schema: JsonObject): readonly Json[] {
  return arrayOf(schema['examples']);
}

export interface NamedKey {
  readonly key: string;
  readonly description: string;
}

const MOST = 6;
/** Shorter words do not count as the beginning of another word, because too many words would match. */
const SHORTEST = 3;

/** The keys most like `word`: first by spelling, then by part of the name, then by a word of the description. */
export function closestKeys(places: readonly Place[], word: string): readonly NamedKey[] {
  const wanted = (word.split('.').at(-1) ?? '').toLowerCase();
  const beginning = wanted.replace(/s$/, '');
  const keys = places.flatMap(({ path, schema: { description } }): readonly NamedKey[] => {
    const key = path.at(-1);
    return key === undefined || isChosen(key) || typeof description !== 'string' ? [] : [{ key, description }];
  });
  const misspelt = didYouMean(wanted, new Set(keys.map(({ key }) => key)));
  const begins = (words: readonly string[]): boolean =>
    beginning.length >= SHORTEST && words.some((one) => one.startsWith(beginning));
  const close = [
    ...keys.filter(({ key }) => key === misspelt),
    ...keys.filter(({ key }) => begins(key.split('_'))),
    ...keys.filter(({ description }) => begins(description.toLowerCase().split(/[^a-z0-9]+/))),
  ];
  const first = new Map(close.toReversed().map((one) => [one.key, one]));
  return [...new Set(close.map(({ key }) => key))].slice(0, MOST).flatMap((key) => first.get(key) ?? []);
}
