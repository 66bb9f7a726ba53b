// The invented kinds live in their folder alone: nothing that is shipped was written for them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SHAPES } from './kinds/shapes.ts';

const ROOT = join(import.meta.dirname, '../..');
const NAMES = SHAPES.flatMap(({ place: { kind, section } }) => [kind, section]);
/** Words of everyday code besides: names of kinds only where they stand for one. */
const EVERYDAY = new Set(['box', 'item', 'items']);

function offencesIn(path: string, text: string): readonly string[] {
  const words = NAMES.filter((name) => !EVERYDAY.has(name) && new RegExp(`\\b${name}\\b`, 'i').test(text));
  const isCode = path.endsWith('.ts') && !path.includes('/generated/');
  const kinds = isCode ? NAMES.filter((name) => new RegExp(`(kind|parent|segment)\\b.{0,12}'${name}'`).test(text)) : [];
  return [...words, ...kinds].map((name) => `${path} names ${name}`);
}

function shipped(): readonly string[] {
  const below = (folder: string): readonly string[] =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`);
  return ['src', 'schemas'].flatMap(below).filter((path) => /\.(?:ts|js|mjs|json)$/.test(path));
}

describe('the invented kinds', () => {
  test('are named by nothing that is shipped', () => {
    const found = shipped().flatMap((path) => offencesIn(path, readFileSync(join(ROOT, path), 'utf8')));
    expect(found).toEqual([]);
  });

  test.each([
    ['src/plan/a.ts', '// a crate is special', 'crate'],
    ['src/apply/a.ts', "if (step.kind === 'item') return;", 'item'],
    ['src/config/a.ts', "const boxes = entry['boxes'];", 'boxes'],
    ['schemas/a.json', '{ "Boxes": {} }', 'boxes'],
  ])('would be found in %s: %s', (path, text, name) => {
    expect(offencesIn(path, text)).toContain(`${path} names ${name}`);
  });
});
