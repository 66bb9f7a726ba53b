// The campaign in its short form: random stories. Every single fault, crash point and key's birth is played by `npm run simulate`.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** Seeds of the short form; the nightly one plays 300,000. */
const SEEDS = Number(process.env['TRUEUP_SEEDS'] ?? 300);

interface Figures {
  readonly schedules: number;
  readonly repeated: number;
  readonly violations: readonly { readonly name: string; readonly words: readonly string[] }[];
}

it('finds no violation', { timeout: 300_000 }, async () => {
  const script = join(import.meta.dirname, '../campaigns/simulate.mjs');
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [script, '--only', 'seeds', '--seeds', String(SEEDS), '--json'],
    { maxBuffer: 64 * 1024 * 1024 },
  ).catch((error: unknown) => error as { readonly stdout: string; readonly stderr: string });
  expect(stdout, stderr).not.toBe('');
  const figures = JSON.parse(stdout) as Readonly<Record<string, Figures>>;
  expect(Object.values(figures).flatMap(({ violations }) => violations)).toEqual([]);
  expect(figures['random']?.schedules).toBe(SEEDS);
  expect(figures['random']?.repeated).toBeGreaterThan(0);
});
