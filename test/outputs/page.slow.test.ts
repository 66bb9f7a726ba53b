// docs/outputs.md is true: its files are written, its commands run, and their output is what it shows. UPDATE=1 rewrites it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { playPage } from '../readme/played-page.ts';

const root = join(import.meta.dirname, '../..');
const path = join(root, 'docs/outputs.md');

it('every console block prints what it shows', async () => {
  const { expected, actual } = await playPage(path);
  expect(actual).toBe(expected);
});

it('the tools that it names are the ones that are run, in their versions', () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'test/consumers/package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const text = readFileSync(path, 'utf8');
  const named = [...text.matchAll(/^\| `([a-z@/-]+)` +\| ([\w.-]+) +\|/gm)].map(
    ([, name, version]) => `${name} ${version}`,
  );
  const run = Object.entries(dependencies)
    .filter(([name]) => name !== 'ajv')
    .map(([name, version]) => `${name} ${version}`);
  expect(named.toSorted()).toEqual(run.toSorted());
});
