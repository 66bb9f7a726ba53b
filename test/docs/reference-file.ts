// Writes the page of the desired-state file from its schema and the rules of the kinds.
import { stringify } from 'yaml';
import { arrayOf, objectOf, type Json, type JsonObject } from '../../src/base/json.ts';
import { explain, isChosen } from '../../src/cli/authoring/explanation.ts';
import { typeWords } from '../../src/cli/authoring/key-words.ts';
import { filePlaces, type Place } from '../../src/cli/authoring/schema-places.ts';
import { sections, type Section } from './reference-file-sections.ts';

const INTRO = `# The desired-state file

\`trueup.yaml\` lists the resources that the account must have. This page is generated from the schema; \`trueup explain KEY\` shows one key, and \`trueup schema\` prints the schema for an editor.

- The format is YAML 1.2. Anchors, aliases and merge keys work; tags and several documents in one file do not.
- Attributes you do not write are not managed. \`null\` takes an attribute out of management, unless the key says otherwise.
- Several files merge by address. One attribute in two files is an error; a file given with \`--overlay\` may override.
- A label consists of letters, digits, \`.\`, \`_\` and \`-\`. Renaming a label of a pinned resource changes nothing live.
- Durations are \`200ms\`, \`300s\`, \`5m\`, \`24h\` or \`7d\`; a bare number is seconds. Times are ISO 8601 with a zone.
- \`\${var:NAME}\` takes a value from \`--var\`, \`--var-file\` or TRUEUP_VAR_NAME; \`\${var:NAME:-default}\` has a default.
- A deletion needs consent: the prompt, a reviewed plan, or \`--allow ACTION:ADDRESS\`.

The column *Change* names the way in which \`apply\` fixes a difference:

- \`update\`: in place. \`restart\`: an update that restarts the compute and drops open connections.
- \`move\`: id and host stay. \`replace\`: the resource is deleted and re-created with another id and host.
- \`immutable\`, \`never\`: the value cannot change. Delete and re-create the resource in two applies.
`;

export function referenceFile(): string {
  const places = filePlaces();
  return [INTRO, ...sections.map((section) => sectionText(section, places))].join('\n');
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

function sectionText(section: Section, places: readonly Place[]): string {
  const { title, intro, path, jobs } = section;
  const rows = placesIn(section, places).map((place) => rowOf(place, path, places));
  const hasChanges = rows.some(([, , , change]) => change !== '');
  const line = (cells: readonly string[]): string => `| ${cells.slice(0, hasChanges ? 4 : 3).join(' | ')} |`;
  return [
    `## ${title}\n\n${intro}\n`,
    '| I want to | I write |',
    '| --- | --- |',
    ...jobs.map(([wish, yaml]) => `| ${wish} | \`${yaml}\` |`),
    '',
    line(['Key', 'Value', 'Meaning', 'Change']),
    line(['---', '---', '---', '---']),
    ...rows.map(line),
    '',
  ].join('\n');
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
  const value = [
    example === undefined ? shortType(schema) : `${shortType(schema)}: \`${flow(example)}\``,
    ...(standard === undefined ? [] : [`default \`${flow(standard)}\``]),
  ];
  const way = change === null ? '' : change.restarts ? 'restart' : change.onChange;
  return [`\`${key}\``, value.join('; '), String(schema['description']), way];
}

function isBelow(path: readonly string[], above: readonly string[]): boolean {
  return above.every((word, at) => path[at] === word);
}

/** The first words of the type: the example stands beside them, and the bounds of lists are those of `trueup explain`. */
function shortType({ maxItems: _entries, maxProperties: _members, ...schema }: JsonObject): string {
  const { expected } = objectOf(schema['x-trueup']);
  const { items, maximum, ...open } = schema;
  if (typeof expected !== 'string' && items !== undefined) return `list: ${shortType(objectOf(items))}`;
  const notes = typeof expected === 'string' ? { expected: expected.split(FURTHER)[0] ?? '' } : {};
  const bounded = Number(maximum) < Number.MAX_SAFE_INTEGER ? { ...open, maximum: maximum ?? null } : open;
  return typeWords({ ...bounded, 'x-trueup': notes })
    .replace(/^(?:an?|the) /, '')
    .replace('true or false', 'boolean')
    .replaceAll('"', '');
}

/** The end of the first words of a type. */
const FURTHER = /(?<=^[^{}]*),? such as |(?<=^(?!true)[^{}]*)(?:, |: | \()/;

/** One line of YAML. */
export function flow(value: Json): string {
  return stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim();
}
