// The campaign in its short form: each single fault at a read and at a write, a crash at every second call, and random stories. Nightly, `npm run simulate` plays all.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { singleFaults } from './single-faults.ts';

/** Seeds of the short form; the nightly one plays 300,000. */
const SEEDS = 48;
/** Those that between them send all that there is to send; nightly all of them are played. */
const WORKLOADS = '^(W(7|11|13|22|27)|T8|T13) ';
/** All faults and crashes are healed here, and one seed in so many; nightly all of them are. */
const HEAL_EVERY = 8;

interface Figures {
  readonly schedules: number;
  readonly faults: number;
  readonly crashPoints: number;
  readonly repeated: number;
  readonly healed: number;
  /** Each with the command that plays it again. */
  readonly violations: readonly { readonly name: string; readonly words: readonly string[]; readonly again: string }[];
}

it('finds no violation', { timeout: 600_000 }, async () => {
  const script = join(import.meta.dirname, '../campaigns/simulate.mjs');
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [
      script,
      '--only=faults,crashes,seeds',
      `--workloads=${WORKLOADS}`,
      // Each fault falls to one of these workloads.
      '--some',
      `--seeds=${SEEDS}`,
      `--heal-every=${HEAL_EVERY}`,
      '--json',
    ],
    { maxBuffer: 64 * 1024 * 1024 },
  ).catch((error: unknown) => error as { readonly stdout: string; readonly stderr: string });
  expect(stdout, stderr).not.toBe('');
  const figures = JSON.parse(stdout) as Readonly<Record<string, Figures>>;
  expect(Object.values(figures).flatMap(({ violations }) => violations)).toEqual([]);
  expect(figures['single faults']?.faults).toBeGreaterThan(2 * singleFaults.length);
  expect(figures['single crashes']?.crashPoints).toBeGreaterThan(200);
  expect(figures['random']?.schedules).toBe(SEEDS);
  expect(figures['random']?.repeated).toBeGreaterThan(0);
  expect(figures['random']?.healed).toBe(Math.ceil(SEEDS / HEAL_EVERY));
});
