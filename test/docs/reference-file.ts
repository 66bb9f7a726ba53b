// The tables of keys on the page of the desired-state file, from its schema and the rules of the kinds.
import { stringify } from 'yaml';
import { arrayOf, objectOf, type Json, type JsonObject } from '../../src/base/json.ts';
import { explain, isChosen } from '../../src/cli/authoring/explanation.ts';
import { typeWords } from '../../src/cli/commands/files/explain.ts';
import { filePlaces, type Place } from '../../src/cli/authoring/shipped-schema.ts';
import { sections, type Section } from './reference-file-sections.ts';

/** The page with the tables of keys of now. */
export function referenceFile(page: string): string {
  const places = filePlaces();
  return sectionsOf(page)
    .map(({ title, text }) => {
      const section = sections[title];
      return section === undefined ? text : text.replace(/^\| Key (?:.*\n)*/m, `${keyTable(section, places)}\n\n`);
    })
    .join('');
}

/** The page in its parts: each begins with its heading. */
function sectionsOf(page: string): readonly { readonly title: string; readonly text: string }[] {
  return page.split(/^(?=## )/m).map((text) => ({ title: /^## (.*)$/m.exec(text)?.[1] ?? '', text }));
}

/** The tasks of the page, by section. */
export function tasksOf(page: string): readonly { title: string; wish: string; yaml: string }[] {
  return sectionsOf(page).flatMap(({ title, text }) => {
    const [table = ''] = /^\| Task .*\n\| -.*\n(?:\|.*\n)+/m.exec(text) ?? [];
    const tasks = [...table.matchAll(/^\| (?!Task |-)(.*?) +\| `(.*)` +\|$/gm)];
    return tasks.map(([, wish = '', yaml = '']) => ({ title, wish, yaml }));
  });
}

/** The places that a section shows: those below its path, without names of the user's choice. */
export function placesIn({ path, without = [] }: Section, places: readonly Place[]): readonly Place[] {
  const prefix = path === '' ? '' : `${path}.`;
  return places.filter((place) => {
    const whole = place.path.join('.');
    const own = whole.slice(prefix.length);
    if (!whole.startsWith(prefix) || isChosen(place.path.at(-1))) return false;
    return !without.some((one) => (one.endsWith('.') ? own.startsWith(one) : own === one || own.startsWith(`${one}.`)));
  });
}

function keyTable(section: Section, places: readonly Place[]): string {
  const rows = placesIn(section, places).map((place) => rowOf(place, section.path, places));
  const hasChanges = rows.some(([, , , change]) => change !== '');
  const line = (cells: readonly string[]): string => `| ${cells.slice(0, hasChanges ? 4 : 3).join(' | ')} |`;
  const head = [line(['Key', 'Value', 'Meaning', 'Change']), line(['---', '---', '---', '---'])];
  return [...head, ...rows.map(line)].join('\n');
}

/** A key, its type with example and default, its description, and the way of a change. */
type Row = readonly [key: string, value: string, meaning: string, change: string];

function rowOf({ path, schema }: Place, above: string, places: readonly Place[]): Row {
  const whole = path.join('.');
  const key = above === '' ? whole : whole.slice(above.length + 1);
  const hasKeys = places.some((other) => other.path.length === path.length + 1 && isBelow(other.path, path));
  const isMapping = hasKeys && [schema['type']].flat().every((type) => type === 'object' || type === 'null');
  const example = isMapping ? undefined : arrayOf(schema['examples'])[0];
  const { default: standard } = schema;
  const change = hasKeys ? null : (explain([{ path, schema }], whole)[0]?.change ?? null);
  const type = isMapping ? '' : shortType(schema);
  // A choice and a boolean need no example.
  const isPlain = example === undefined || /^boolean$|` or `/.test(type);
  const value = [
    [isPlain && standard !== undefined && type === 'boolean' ? '' : type, ...(isPlain ? [] : [`\`${flow(example)}\``])]
      .filter((part) => part !== '')
      .join(': '),
    ...(standard === undefined ? [] : [`default \`${flow(standard)}\``]),
  ];
  const way = change === null ? '' : change.restarts ? 'restart' : change.change;
  const meaning = String(schema['description']);
  return [
    `\`${key}\``,
    value.filter((part) => part !== '').join('; '),
    way === '' ? meaning : meaning.replace(IN_COLUMN, ''),
    way,
  ];
}

/** The column of changes says this. */
const IN_COLUMN =
  / A change (?:restarts the compute and drops open connections|moves the compute)\.| The \w+ cannot change later\./;

function isBelow(path: readonly string[], above: readonly string[]): boolean {
  return above.every((word, at) => path[at] === word);
}

/** The first words of the type: the example stands beside them, and the bounds of lists are those of `trueup explain`. */
function shortType({ maxItems: _entries, maxProperties: _members, ...schema }: JsonObject): string {
  const { expected } = objectOf(schema['x-trueup']);
  const { items, maximum, ...open } = schema;
  if (typeof expected !== 'string' && items !== undefined)
    return `list: ${shortType(objectOf(items))}`.replace(/: $/, '');
  const notes = typeof expected === 'string' ? { expected: expected.split(FURTHER)[0] ?? '' } : {};
  const bounded = Number(maximum) < Number.MAX_SAFE_INTEGER ? { ...open, maximum: maximum ?? null } : open;
  const words = typeWords({ ...bounded, 'x-trueup': notes })
    .replace(/^(?:an?|the) /, '')
    .replaceAll('"', '');
  const choices = arrayOf(schema['enum']).filter((one) => one !== null);
  if (choices.length > 1) return choices.map((one) => `\`${String(one)}\``).join(' or ');
  return SHORTER.reduce((short, [pattern, fewer]) => short.replace(pattern, fewer), words);
}

/** Types in fewer words: the head of the page explains some, and the example alone shows others. */
const SHORTER: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/^true or false$/, 'boolean'],
  [/^whole seconds or a duration$/, 'duration'],
  [/^ISO 8601 time.*/, 'time'],
  [/^name of (\d.*)$/, '$1'],
  [/^size in compute units \((.*)\)$/, '$1'],
  [/^branch label or.*/, 'label or id'],
  [/^(?:\{ file: |http|id of |name of ).*/, ''],
  [/^(?:.* )?(?:id|path|glob|region|window|provisioner|address|mapping|position|any value)$/, ''],
];

/** The end of the first words of a type. */
const FURTHER = /(?<=^[^{}]*),? such as |(?<=^(?!true)[^{}]*)(?:, |: | \()/;

/** One line of YAML. */
export function flow(value: Json): string {
  return stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim();
}
