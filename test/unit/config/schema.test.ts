// The published schema: composed from its parts, explained everywhere, and its own examples are right.
import { readFileSync } from 'node:fs';
import { format } from 'prettier';
import { describe, expect, it } from 'vitest';
import { notes } from '../../../src/config/generated/notes.ts';
import { loadText } from '../../support/files.ts';
import { processorMs } from '../../support/processor-time.ts';

const folder = new URL('../../../schemas/', import.meta.url);
interface Schema {
  readonly $ref?: string;
  readonly type?: unknown;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: boolean;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly $defs?: Readonly<Record<string, Schema>>;
}
const text = readFileSync(new URL('desired-state.schema.json', folder), 'utf8');
const schema = JSON.parse(text) as Schema & { readonly $id: string; readonly $schema: string };

/** Every schema in the document with its place. */
function walk(node: Schema, place: string): readonly (readonly [string, Schema])[] {
  const members = (
    group: Readonly<Record<string, Schema>> | undefined,
    name: string,
  ): readonly (readonly [string, Schema])[] =>
    Object.entries(group ?? {}).flatMap(([key, inner]) => walk(inner, `${place}/${name}/${key}`));
  return [
    [place, node],
    ...members(node.properties, 'properties'),
    ...members(node.patternProperties, 'patternProperties'),
    ...members(node.$defs, '$defs'),
    ...(node.items === undefined ? [] : walk(node.items, `${place}/items`)),
  ];
}

describe('desired-state.schema.json', () => {
  const places = walk(schema, '#');

  it('is what its parts give', async () => {
    const { composedSchema } = (await import(new URL('compose.mjs', folder).href)) as {
      composedSchema: (path: string) => unknown;
    };
    const composed = JSON.stringify(composedSchema(folder.pathname));
    expect(await format(composed, { parser: 'json', printWidth: 120 })).toBe(text);
  });

  it('has no default for a required key', () => {
    const wrong = places.flatMap(([place, { required = [], properties = {} }]) =>
      required.filter((key) => properties[key]?.default !== undefined).map((key) => `${place}/${key}`),
    );
    expect(wrong).toEqual([]);
  });

  it('tells messages of every object which keys it takes, also where it has no name of its own', () => {
    const named = places.filter(([place, node]) => place !== '#' && node.properties !== undefined);
    const shapeOf = (place: string): string =>
      place
        .replace('#/$defs/', '')
        .replaceAll('/properties/', '.')
        .replaceAll('/items', '.[]')
        .replaceAll(/\/patternProperties\/[^/]+/g, '.*');
    const untold = named.filter(
      ([place, node]) =>
        Object.keys(notes[shapeOf(place)]?.properties ?? {}).join() !== Object.keys(node.properties ?? {}).join(),
    );
    expect(untold.map(([place]) => place)).toEqual([]);
    expect(named.length).toBeGreaterThan(20);
  });

  it.each([
    ['safety: { drop: { max_drop: 1 } }', 'Expected `unless_idle`.'],
    [
      'projects: { shop: { computes: { a: { branch_id: br-1, lifecycle: { hold: [{ pat: x }] } } } } }',
      'Did you mean `path`?',
    ],
  ])('%s is told what it takes', async (line, hint) => {
    const { diagnostics } = await loadText(`version: 1\n${line}\n`);
    expect(diagnostics.map((one) => one.hint)).toContain(hint);
  });

  it('is a 2020-12 schema under its public address', () => {
    expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(schema.$id).toBe('https://trueup.dev/schemas/desired-state.schema.json');
  });

  it('explains every property, with an example', () => {
    const unexplained = places.filter(
      ([place, node]) => /\/properties\/[^/]+$/.test(place) && !(node.description && node.examples?.length),
    );
    expect(unexplained.map(([place]) => place)).toEqual([]);
  });

  it('is closed everywhere, and caps every text that has a pattern', () => {
    const open = places.filter(
      ([, node]) => (node.properties ?? node.patternProperties) !== undefined && node.additionalProperties !== false,
    );
    expect(open.map(([place]) => place)).toEqual([]);
    const uncapped = places.filter(([, node]) => node.pattern !== undefined && node.maxLength === undefined);
    expect(uncapped.map(([place]) => place)).toEqual([]);
  });

  it('bounds every collection', () => {
    const unbounded = places.filter(
      ([, { items, maxItems, patternProperties, maxProperties }]) =>
        (items !== undefined && maxItems === undefined) ||
        (patternProperties !== undefined && maxProperties === undefined),
    );
    expect(unbounded.map(([place]) => place)).toEqual([]);
  });

  it('has no pattern that a long text could stall', () => {
    for (const [place, { pattern }] of places) {
      if (pattern === undefined) continue;
      const expression = new RegExp(pattern, 'u');
      const started = processorMs();
      for (const piece of ['a', '0', '-', 'a-', '.', '0.', '/', 'ep-', 'https://a/'])
        for (const end of ['', '!', '\n']) expression.test(piece.repeat(20_000) + end);
      expect(processorMs() - started, `${place} ${pattern}`).toBeLessThan(1000);
    }
  });

  it('has examples that are accepted where they stand', async () => {
    const wrap: Readonly<Record<string, (value: string) => string>> = {
      DesiredStateFile: (value) => value,
      Project: (value) => `version: 1\nprojects: { shop: ${value} }`,
      Compute: (value) => `version: 1\nprojects: { shop: { computes: { p: ${value} } } }`,
      ApiKey: (value) => `version: 1\napi_keys: { a: ${value} }`,
      Safety: (value) => `version: 1\nsafety: ${value}`,
      Lifecycle: (value) => `version: 1\nprojects: { shop: { computes: { p: { lifecycle: ${value} } } } }`,
    };
    const shape = 'wrong_type wrong_value unknown_key bad_label out_of_range wrong_length refused_key'.split(' ');
    for (const [name, place] of Object.entries(wrap)) {
      const definition = name === 'DesiredStateFile' ? schema : schema.$defs?.[name];
      for (const [key, property] of Object.entries(definition?.properties ?? {}))
        for (const example of property.examples ?? []) {
          const { diagnostics } = await loadText(
            place(
              `{ version: 1, "${key}": ${JSON.stringify(example)} }`.replace(
                'version: 1, ',
                name === 'DesiredStateFile' && key !== 'version' ? 'version: 1, ' : '',
              ),
            ),
          );
          expect(
            diagnostics.filter(({ code }) => shape.includes(code)),
            `${name}.${key}`,
          ).toEqual([]);
        }
    }
  });
});
