// Measures the usual jobs of trueup, each some times, and writes the medians to the README here.
// usage: node test/bench/run.mjs [JOB…]      (part of a job's name; only a run of all of them writes the page)
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { buildIfStale } from '../clients/support/install.mjs';
import { jobs } from './jobs.mjs';
import { writePage } from './page.mjs';
import { measure } from './support/measure.mjs';
import { startService } from './support/service.mjs';
import { writeFleet } from './support/world-files.mjs';

const asked = process.argv.slice(2);
const chosen = jobs.filter(({ name }) => asked.length === 0 || asked.some((part) => name.includes(part)));

buildIfStale();
const folder = mkdtempSync(join(tmpdir(), 'trueup-bench-'));
const service = await startService();
try {
  const rows = [];
  for (const job of chosen) {
    const results = [];
    for (let run = 0; run < job.runs; run++) results.push(await once(job));
    rows.push({ ...job, ...medians(results) });
    console.log(rows.at(-1));
  }
  if (asked.length === 0) await writePage(rows);
} finally {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** One run in a folder of its own, against a service that has just begun. */
async function once({ name, args, projects = 0, hasComputes = false, operationMs = 0, latencyMs = 0 }) {
  const cwd = mkdtempSync(join(folder, 'run-'));
  const fleet = { projects, branches: 10 };
  writeFleet(cwd, fleet);
  await service.reset({ world: { ...fleet, computes: hasComputes, operationMs }, latencyMs });
  const env = { HOME: cwd, NO_COLOR: '1', TRUEUP_API_KEY: 'bench', TRUEUP_BASE_URL: service.url };
  const { code, stderr, ...figures } = await measure(args, { cwd, env });
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${stderr.slice(0, 600)}`);
  return { ...figures, ...(await service.stats()) };
}

/** Of each figure the middle value; the lower one of two. */
function medians(results) {
  const middle = (values) => values.toSorted((a, b) => a - b)[(values.length - 1) >> 1];
  return Object.fromEntries(
    Object.keys(results[0]).map((figure) => [figure, middle(results.map((one) => one[figure]))]),
  );
}
