// The tour of `npm start`: it runs to its end, and shows a plan, a drift and a repair.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bin, built } from './support/program.ts';

it('runs to its end, and removes its folder', { timeout: 120_000 }, () => {
  built();
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(bin, '../tour.js')], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(stdout.match(/^\$ .*$/gm)).toHaveLength(9);
  expect(stdout.match(/^\(exit \d\)$/gm)).toEqual(['(exit 2)']);
  expect(stdout).toMatch(/Drift: 1 changed\.[^]*No drift\.[^]*trueup --help/);
  expect(status).toBe(0);
});
