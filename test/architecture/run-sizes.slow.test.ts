// Sizes of a run: how much of the engine one change enters and executes.
import { execFileSync } from 'node:child_process';
import process from 'node:process';
import { expect, it } from 'vitest';
import { root } from './source-tree.ts';

/** Upper bounds, as files entered and lines executed. They may only fall. Lines vary by up to 2% with the pace of the machine. */
const BUDGETS: Readonly<Record<string, readonly [number, number]>> = {
  'patch of one attribute': [115, 6500],
  'branch, role, database, connection': [133, 8400],
  'drift without a difference': [110, 5550],
};

it('a run keeps to its budgets', () => {
  const script = `${root}/test/architecture/count-run.mjs`;
  const rows = execFileSync(process.execPath, [script], { encoding: 'utf8' }).trim().split('\n').slice(1);
  const measured = rows.map((row) => row.split(/ {2,}/));
  expect(measured.map(([name]) => name)).toEqual(Object.keys(BUDGETS));
  const over = measured.filter(([name = '', files, lines]) => {
    const [mostFiles = 0, mostLines = 0] = BUDGETS[name] ?? [];
    return Number(files) > mostFiles || Number(lines) > mostLines;
  });
  expect(over).toEqual([]);
}, 300_000);
