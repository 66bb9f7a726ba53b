// Composes the desired-state schema from its base and one part for each kind, and writes the notes that messages need.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes desired-state.schema.json if it differs from the composed parts. */
export async function composeDesiredState(folder) {
  const { format } = await import('prettier');
  const target = join(folder, 'desired-state.schema.json');
  const text = await format(JSON.stringify(composedSchema(folder)), { parser: 'json', printWidth: 120 });
  if (!existsSync(target) || readFileSync(target, 'utf8') !== text) writeFileSync(target, text);
}

/**
 * The whole schema. The `x-trueup` of a part says where the part is mounted, and which properties it adds to the root and to projects.
 * `more` are folders with further parts.
 */
export function composedSchema(folder, more = []) {
  const base = join(folder, 'desired-state', 'base.schema.json');
  const parts = partsIn(folder, more)
    .filter((file) => file !== base)
    .map((file) => [file, read(file)]);
  const whole = read(base);
  delete whole['x-trueup'].impacts;
  for (const [file, { $defs }] of parts) addAll(whole.$defs, $defs, file);
  for (const [file, part] of parts) mount(whole, part, file);
  for (const definition of Object.values(whole.$defs)) include(definition, whole.$defs);
  const included = includedNames(whole.$defs);
  whole.$defs = Object.fromEntries(Object.entries(whole.$defs).filter(([name]) => !included.has(name)));
  for (const definition of Object.values(whole.$defs)) delete definition['x-trueup']?.include;
  return whole;
}

/** The files of all parts, the base among them. */
export function partsIn(folder, more = []) {
  return [join(folder, 'desired-state'), ...more].flatMap((parts) =>
    readdirSync(parts)
      .filter((name) => name.endsWith('.schema.json'))
      .sort()
      .map((name) => join(parts, name)),
  );
}

function read(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** `scope` is `account`, or the definition that takes the section: `Project`, or the definition of another kind. */
function mount(whole, part, file) {
  const { scope, section, definition, description, examples, root = {}, project = {} } = part['x-trueup'];
  addAll(whole.properties, root, file);
  addAll(whole.$defs.Project.properties, project, file);
  // The base names the section of projects itself.
  if (section === undefined) return;
  const home = scope === 'account' ? whole.properties : whole.$defs[scope]?.properties;
  if (home === undefined) throw new Error(`${file}: nothing is named ${scope}`);
  addAll(home, { [section]: { description, $ref: `#/$defs/${definition}`, examples } }, file);
}

function addAll(target, members, file) {
  for (const [name, member] of Object.entries(members)) {
    if (Object.hasOwn(target, name)) throw new Error(`${file}: ${name} is already defined`);
    target[name] = member;
  }
}

/** `x-trueup: { include: NAME }` adds the properties of another definition, so that the definition can be closed. */
function include(definition, definitions) {
  const name = definition['x-trueup']?.include;
  if (name !== undefined) definition.properties = { ...definition.properties, ...definitions[name].properties };
}

function includedNames(definitions) {
  const names = Object.values(definitions).map((definition) => definition['x-trueup']?.include);
  return new Set(names.filter((name) => name !== undefined));
}

/** A schema with one of these keys gets a note. */
const NOTED = ['x-trueup', 'properties', 'patternProperties', 'items'];

/** True if the value is always text, so that its characters are taken as they are. */
function isText({ type, 'x-trueup': { text = false } = {} }) {
  return text || [type].flat().every((one) => one === 'string' || one === 'null');
}

/**
 * TypeScript: a small map of the schema for messages. Each note has the expected value, the reasons for refused members, and the name of
 * the note for each member (an empty name is a leaf without a note).
 */
export function notesOf(bundle) {
  const notes = {};
  const placeOf = (schema, own) => {
    if (schema['x-trueup'] === undefined && schema.$ref !== undefined) return schema.$ref.replace('#/$defs/', '');
    if (NOTED.every((word) => schema[word] === undefined) && !isText(schema)) return '';
    note(own, schema);
    return own;
  };
  const note = (place, schema) => {
    const { code, expected, expectedKey, refused } = schema['x-trueup'] ?? {};
    const members = Object.entries(schema.properties ?? {});
    notes[place] = {
      code,
      text: isText(schema) || undefined,
      maxItems: schema.maxItems,
      maxProperties: schema.maxProperties,
      expected,
      expectedKey,
      refused,
      properties:
        schema.properties &&
        Object.fromEntries(members.map(([key, member]) => [key, placeOf(member, `${place}.${key}`)])),
      values: Object.values(schema.patternProperties ?? {}).map((value) => placeOf(value, `${place}.*`))[0],
      items: schema.items && placeOf(schema.items, `${place}.[]`),
    };
  };
  for (const [name, definition] of Object.entries(bundle.$defs)) note(name, definition);
  return `// Generated from the schemas by schemas/generate.mjs; do not edit.
export interface SchemaNote {
  /** Code of the diagnostic for a value of another form. */
  readonly code?: string;
  /** The value is always text. */
  readonly text?: true;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly expected?: string;
  readonly expectedKey?: string;
  readonly refused?: Readonly<Record<string, string>>;
  readonly properties?: Readonly<Record<string, string>>;
  readonly values?: string;
  readonly items?: string;
}
export const notes: Readonly<Record<string, SchemaNote>> = ${JSON.stringify(notes, null, 2)};
`;
}

/** TypeScript: the members of each object of the schemas, in order, each with the shape of its value. */
export function shapesOf(bundle) {
  const shapes = {};
  const shapeOf = (schema, own) => {
    const one = schema.anyOf?.find(({ $ref }) => $ref !== undefined) ?? schema;
    if (one.$ref !== undefined) return one.$ref.replace('#/$defs/', '');
    if (one.items !== undefined) return shapeOf(one.items, own);
    if (typeof one.additionalProperties === 'object') return `${shapeOf(one.additionalProperties, own)}*`;
    if (one.properties === undefined) return '';
    const members = Object.entries(one.properties).map(([name, member]) => [name, shapeOf(member, `${own}.${name}`)]);
    shapes[own] = Object.fromEntries(members);
    return own;
  };
  for (const [name, definition] of Object.entries(bundle.$defs)) shapeOf(definition, name);
  return `// Generated from the schemas by schemas/generate.mjs; do not edit.
/** By name: the members of an object. A shape is empty for a value that JSON holds as it is; \`*\` marks an object with names of its own. */
export const shapes: Readonly<Record<string, Readonly<Record<string, string>>>> = ${JSON.stringify(shapes, null, 2)};
`;
}

/** TypeScript: the traits of all impacts, from `x-trueup: { impacts }` of the parts. */
export function impactsOf(folder, more = []) {
  const impacts = {};
  for (const file of partsIn(folder, more)) addAll(impacts, read(file)['x-trueup']?.impacts ?? {}, file);
  return `// Generated from the schemas by schemas/generate.mjs; do not edit.
export interface ImpactTraits {
  /** Text for a change without a sentence of its own. */
  readonly words: string;
  /** The lower, the worse. */
  readonly rank: number;
  /** It takes a service away, or opens it to others: shown by itself, or with its change. */
  readonly outage?: 'alone' | 'with_change';
  readonly isDangerous?: true;
  /** It drops open connections, so it runs only within a window. */
  readonly isDisruptive?: true;
  /** The resource is deleted, at once or at its expiry. */
  readonly isRemoval?: true;
  /** The consent type that \`--allow\` must name without a review. */
  readonly consent?: string;
  /** Words for a count: of one change, of several. */
  readonly tally?: readonly [string, string];
  /** In capitals in the first line of a change: what it does to clients or data. */
  readonly headline?: string;
}
export const impacts: Readonly<Record<string, ImpactTraits>> = ${JSON.stringify(impacts, null, 2)};
`;
}
