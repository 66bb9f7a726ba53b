// The README is true: its YAML is written to files, its commands run, and their output is what it shows. UPDATE=1 rewrites it.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { playPage } from './played-page.ts';

it('every console block of the README prints what it shows', async () => {
  const { expected, actual } = await playPage(join(import.meta.dirname, '../../README.md'));
  expect(actual).toBe(expected);
});
