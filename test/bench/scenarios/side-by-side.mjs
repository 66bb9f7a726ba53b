// One job, all three contenders in turn: the same world and the same latency for each, one table row for each.
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { floor, readingFloor, trueup } from '../contenders.mjs';
import { measure } from '../support/measure.mjs';
import { startService } from '../support/service.mjs';
import { interleaved, median, ratio } from '../support/statistics.mjs';

const LATENCY_MS = 20;
export const newFolder = (context) => mkdtempSync(join(context.folder, 'run-'));

/** The first line that tells of an error in a run that failed, so that its time is not taken for a success. */
export function complaintOf({ code, stderr, stdout }) {
  if (code === 0) return undefined;
  const lines = `${stderr}\n${stdout}`.split('\n').filter((text) => text.trim() !== '');
  return `exit ${code}: ${(lines[0] ?? '').trim().replaceAll('|', '/').slice(0, 100)}`;
}

/**
 * `job` is `{ fleet, world, kind, repetitions, latencyMs, options }`: `kind` names the contenders' entry; a fresh world for each
 * run when `isFresh`. Resolves with rows `{ name, version, requests, seconds, cpuSeconds, megabytes, ratio, cpuRatio, … }`.
 */
export async function sideBySide(job, context) {
  const entries = [];
  for (const { name, version, [job.kind]: part } of [floor, readingFloor, trueup]) {
    const service = await startService();
    const folder = newFolder(context);
    await service.reset({ world: job.world, latencyMs: 0 });
    if (!job.isFresh) part.prepare?.({ folder, fleet: job.fleet });
    entries.push({ name, version, part, service, folder });
  }
  const results = await interleaved(
    job.repetitions,
    entries.map((entry) => () => oneRound(entry, job, context)),
  );
  for (const { service } of entries) await service.stop();
  return entries.map((entry, at) => rowOf(entry, results[at], results[0], job));
}

async function oneRound({ name, part, service, folder: shared }, job, context) {
  const folder = job.isFresh ? newFolder(context) : shared;
  if (job.isFresh) part.prepare?.({ folder, fleet: job.fleet });
  await service.reset({ ...(job.isFresh ? { world: job.world } : {}), latencyMs: job.latencyMs ?? LATENCY_MS });
  const { command, ...setting } = part.run({ folder, url: service.url, ...job.options });
  const result = await measure(command, setting);
  const stats = await service.stats();
  context.log(`  ${name}: ${result.seconds.toFixed(2)} s, ${stats.requests} requests, exit ${result.code}`);
  return { ...result, stats };
}

function rowOf({ name, version }, results, floors, { fleet }) {
  const of = (pick) => median(results.map(pick));
  return {
    name,
    version,
    complaint: results.map(complaintOf).find((text) => text !== undefined),
    requests: of(({ stats }) => stats.requests),
    computes: of(({ stats }) => stats.computes),
    wanted: fleet.projects * fleet.branches,
    seconds: of(({ seconds }) => seconds),
    cpuSeconds: of(({ cpuSeconds }) => cpuSeconds),
    megabytes: of(({ megabytes }) => megabytes),
    ratio: ratio(results, floors, ({ seconds }) => seconds),
    cpuRatio: ratio(results, floors, ({ cpuSeconds }) => cpuSeconds),
  };
}
