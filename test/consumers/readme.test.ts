// The README names the tools that are run, in their versions.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const read = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8');

it('names each tool in its version', () => {
  const { dependencies } = JSON.parse(read('package.json')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const named = [...read('README.md').matchAll(/^\| `([a-z@/-]+)` +\| ([\w.-]+) +\|/gm)].map(
    ([, name, version]) => `${name} ${version}`,
  );
  const run = Object.entries(dependencies)
    .filter(([name]) => name !== 'ajv')
    .map(([name, version]) => `${name} ${version}`);
  expect(named.toSorted()).toEqual(run.toSorted());
});
