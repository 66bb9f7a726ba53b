// Runs one program of Node and measures it: wall time from outside, processor time and memory by its own report.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const reporter = new URL('report-usage.mjs', import.meta.url).href;

/** `node ARG…` in `cwd` with exactly `env`; resolves with `{ code, seconds, cpuSeconds, megabytes, stderr }`. */
export async function measure(args, { cwd, env }) {
  const report = join(cwd, 'usage.json');
  const options = { cwd, env: { ...env, BENCH_USAGE: report }, stdio: ['ignore', 'ignore', 'pipe'] };
  const startedAt = performance.now();
  const child = spawn(process.execPath, [`--import=${reporter}`, ...args], options);
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const [code] = await once(child, 'close');
  const seconds = (performance.now() - startedAt) / 1000;
  return { code, seconds, stderr, ...JSON.parse(readFileSync(report, 'utf8')) };
}
