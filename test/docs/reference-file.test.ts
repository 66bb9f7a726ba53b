// The page of the file says what the schema and the rules of the kinds say, and its examples are valid; UPDATE=1 writes it.
import { expect, it } from 'vitest';
import { arrayOf, isJsonObject, objectOf, type Json, type JsonObject } from '../../src/base/json.ts';
import { isChosen } from '../../src/cli/authoring/explanation.ts';
import { filePlaces, type Place } from '../../src/cli/authoring/shipped-schema.ts';
import { load } from '../support/files.ts';
import { committedPage, pageAt } from './committed.ts';
import { around, fileOf, sections } from './reference-file-sections.ts';
import { flow, placesIn, referenceFile, tasksOf } from './reference-file.ts';

const places = filePlaces();
const shownSections = Object.values(sections);

const PAGE = 'docs/reference/file.md';
const page = pageAt(PAGE);

it('the page is current', async () => {
  const { committed, current } = await committedPage(PAGE, referenceFile(page));
  expect(committed).toBe(current);
});

it('has the sections of the keys, each with a task', () => {
  const titles = tasks.map(({ title }) => title);
  expect([...new Set(titles)]).toEqual(Object.keys(sections));
  expect(page.match(/^\| Key /gm)).toHaveLength(Object.keys(sections).length);
});

it('shows every key once, or a key of the same meaning', () => {
  const shown = shownSections.flatMap((section) => placesIn(section, places));
  expect(new Set(shown).size).toBe(shown.length);
  const meanings = new Set(shown.map(({ schema }) => JSON.stringify(schema)));
  const homes = new Set(shownSections.flatMap(({ path }) => [path, path.replace(/\.[A-Z]+$/, '')]));
  const left = places.filter(({ path, schema }) => {
    const whole = path.join('.');
    return !isChosen(path.at(-1)) && !meanings.has(JSON.stringify(schema)) && !homes.has(whole);
  });
  const linked = left.map(({ path }) => path.at(-1));
  expect([...new Set(linked)]).toEqual(LINKED);
});

/** Keys of which another section says all. */
const LINKED = 'safety lifecycle computes roles databases connections protect profiles secret'.split(' ');

const tasks = tasksOf(page);

it.each(tasks)('"$wish" is valid YAML', async ({ title, yaml }) => {
  const level = sections[title]?.level ?? 'file';
  const { diagnostics } = await load({ files: { 'trueup.yaml': fileOf(level, yaml), 'around.yaml': around[level] } });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
});

const examples = shownSections.flatMap((section) =>
  placesIn(section, places).flatMap((place) => {
    const [example] = arrayOf(place.schema['examples']);
    return example === undefined ? [] : [{ key: place.path.join('.'), place, example }];
  }),
);

it.each(examples)('the example of $key is valid', async ({ place, example }) => {
  const text = JSON.stringify(documentWith(place, '@example')).replace('"@example"', flow(example));
  const { diagnostics } = await load({ files: { 'trueup.yaml': text } });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
});

/** Keys that an entry needs beside the key of an example, by its section. */
const NEEDED: Readonly<Record<string, JsonObject>> = {
  branches: { from: 'main' },
  computes: { branch: 'br-wispy-meadow-118737' },
  connections: { role: 'app', database: 'orders', secret: { file: 'shop-app.json' } },
  api_keys: { secret: { file: 'ci-deploy.json' } },
  org_api_keys: { org: 'org-spring-garden-12345' },
  previews: { gone: 'delete', from: 'main' },
};

const NAMES: Readonly<Record<string, string>> = { projects: 'shop', permissions: 'dana@example.com' };

/** A file that holds the example, what is required beside it, and what it refers to. */
function documentWith(place: Place, example: Json): JsonObject {
  const document: Record<string, Json> = { version: 1, expect: { has_project: 'spring-example-302709' } };
  let at: Record<string, Json> = document;
  const { path } = place;
  path.forEach((word, depth) => {
    const name = isChosen(word) ? (NAMES[path[depth - 1] ?? ''] ?? 'sample') : word;
    const next = path[depth + 1];
    if (next === undefined) at[name] = example;
    else at = step(at, name, path.slice(0, depth + 1), next);
  });
  const projects = objectOf(document['projects']);
  const shop = objectOf(projects['shop']);
  const branches = { ...LABELS, ...objectOf(shop['branches']) };
  const profiles = { ...PROFILES, ...objectOf(document['profiles']) };
  return { ...document, profiles, projects: { ...projects, shop: { ...shop, branches } } };
}

const LABELS: JsonObject = { main: 'br-wispy-meadow-118737', production: 'br-old-river-991122', staging: 'br-a-1' };
const PROFILES: JsonObject = { prod: { disabled: false }, reader: { disabled: false } };

/** The mapping at the end of a path, made with what its schema requires beside the key that is `next`; a list of mappings gets one. */
function step(at: Record<string, Json>, name: string, path: readonly string[], next: string): Record<string, Json> {
  const [section = '', word = ''] = ['', ...path].slice(-2);
  const schema = places.find((one) => one.path.join('.') === path.join('.'))?.schema ?? {};
  const isList = isJsonObject(schema['items']) && schema['properties'] === undefined && schema['anyOf'] === undefined;
  const shape = isList ? objectOf(schema['items']) : schema;
  const required = arrayOf(shape['required']).map(String);
  const members = required.flatMap((key): readonly (readonly [string, Json])[] => {
    const example = arrayOf(objectOf(objectOf(shape['properties'])[key])['examples'])[0];
    return example === undefined || key === next ? [] : [[key, example]];
  });
  // A branch is written by its label or by its id.
  const needed = Object.entries(isChosen(word) ? (NEEDED[section] ?? {}) : {}).filter(([key]) => !next.startsWith(key));
  const made: Record<string, Json> = { ...Object.fromEntries(needed), ...Object.fromEntries(members) };
  at[name] = isList ? [made] : made;
  return made;
}
