// A run that judges without end is ended: with code 1 and a sentence, however busy it is, and signals are heard after that as before.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanUp, newFolder } from './support/program.ts';

const folder = newFolder('watchdog');
const source = join(import.meta.dirname, '..', '..', 'src', 'cli', 'process', 'watchdog.ts');
const LITTLE_TIME = [500, 1024 ** 3] as const;
let count = 0;

/** Runs `work` under a watchdog with these limits. */
function watched(
  [cpuMs, bytes]: readonly [number, number],
  work: string,
): { code: number | null; out: string; err: string } {
  const path = join(folder, `work-${count++}.mjs`);
  writeFileSync(
    path,
    `import { startWatchdog } from './watchdog.mjs';\nconst end = startWatchdog({ cpuMs: ${cpuMs}, bytes: ${bytes} });\n${work}\n`,
  );
  const { status: code, stdout: out, stderr: err } = spawnSync(process.execPath, [path], { encoding: 'utf8' });
  return { code, out, err };
}

beforeAll(async () => {
  const built = await rolldown({ input: source, platform: 'node' });
  await built.write({ file: join(folder, 'watchdog.mjs'), format: 'esm', minify: true });
  await built.close();
});
afterAll(cleanUp);

describe('a run under watch', () => {
  const TIME = /^error: checking these files takes more than 0.5 s of processor time\n.*--max-entries.*\n$/;

  it.each([
    ['in one loop', 'for (;;);'],
    ['in a loop that catches', 'for (;;) try { throw new Error("x"); } catch {}'],
    [
      'in one turn after the other',
      'setInterval(() => { const from = Date.now(); while (Date.now() - from < 50); }, 1);',
    ],
    ['after what it waits for', 'setTimeout(() => { for (;;); }, 100);'],
    ['in a promise with open handles', 'setInterval(() => {}, 1000); await null; for (;;);'],
  ])('ends when it is busy %s', (_what, work) => {
    const { code, err, out } = watched(LITTLE_TIME, work);
    expect(err).toMatch(TIME);
    expect([code, out]).toEqual([1, '']);
  });

  it('ends when it takes too much memory', () => {
    const { code, err } = watched(
      [60_000, 1024 ** 2 * 256],
      'const kept = []; for (;;) kept.push(Array.from({ length: 1000 }, (_, at) => ({ at })));',
    );
    expect(err).toMatch(/^error: checking these files takes more than 256 MiB of memory\n/);
    expect(code).toBe(1);
  });

  it('goes on where the watch is over, or nothing is used', () => {
    const busy = 'for (let at = 0; at < 1e9; at++);';
    expect(watched(LITTLE_TIME, `end();\n${busy}\nconsole.log("done");`)).toMatchObject({
      code: 0,
      out: 'done\n',
      err: '',
    });
    expect(watched(LITTLE_TIME, 'console.log("done");')).toMatchObject({ code: 0, out: 'done\n', err: '' });
  });
});
