// Runs one test file with the sizes of a campaign, and says how long it took.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** `sizes` are environment variables that the test reads; its short form is what it does without them. */
export function runCampaign(testFile, sizes) {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const begunMs = performance.now();
  const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
  const { status } = spawnSync(process.execPath, [vitest, 'run', '--silent=false', testFile], {
    cwd: root,
    env: { ...process.env, ...sizes },
    stdio: 'inherit',
  });
  console.log(
    `${testFile}: ${status === 0 ? 'passed' : 'failed'} in ${((performance.now() - begunMs) / 1000).toFixed(1)} s`,
  );
  process.exitCode = status ?? 1;
}
