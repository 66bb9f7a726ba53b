// The planted defects can still be planted: each place stands in its file exactly once, and the tests named for it are there.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { plant, plantedDefects } from './defects.mjs';

const root = join(import.meta.dirname, '../..');
const defects = plantedDefects();

it.each(defects.map((defect) => [defect.name, defect] as const))('%s', (_, defect) => {
  expect(() => plant(defect, readFileSync(join(root, defect.file), 'utf8'))).not.toThrow();
  expect(defect.tests.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

it('they are many, and no two are the same', () => {
  expect(defects.length).toBeGreaterThanOrEqual(40);
  expect(new Set(defects.map(({ name }) => name)).size).toBe(defects.length);
});
