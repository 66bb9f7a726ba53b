// One job, all contenders, in turn: the same world and the same latency for each, one table row for each.
import { interleaved, median, ratio } from '../support/statistics.mjs';
import { startService } from '../support/service.mjs';
import { complaintOf, LATENCY_MS, messageOf, newFolder, runOnce } from './rounds.mjs';

/**
 * `job` is `{ fleet, world, kind, repetitions, options }`: `kind` names the contenders' entry; a fresh world for each run when
 * `isFresh`. The first contender is the floor. Resolves with rows `{ name, version, requests, seconds, cpuSeconds, megabytes,
 * ratio, cpuRatio, … }`, or `{ name, reason }` for one that did not run.
 */
export async function sideBySide(contenders, job, context) {
  const entries = [];
  for (const contender of contenders) entries.push(await enter(contender, job, context));
  const running = entries.filter(({ reason }) => reason === undefined);
  const results = await interleaved(
    job.repetitions,
    running.map((entry) => () => oneRound(entry, job, context)),
  );
  for (const { service } of running) await service.stop();
  const floors = results[0];
  return entries.map((entry) => rowOf(entry, results[running.indexOf(entry)], floors, job));
}

async function enter(contender, job, context) {
  const { name } = contender;
  const version = contender.version();
  const entry = { name, version, part: contender[job.kind] };
  if (version === undefined) return { ...entry, reason: 'not installed' };
  if (entry.part === undefined) return { ...entry, reason: 'cannot' };
  if (computesOf(job) > (entry.part.mostComputes ?? Infinity)) return { ...entry, reason: 'not run at this size' };
  const service = await startService();
  const folder = newFolder(context);
  try {
    await service.reset({
      world: { ...job.world, ...(entry.part.startsEmpty ? { computes: false } : {}) },
      latencyMs: 0,
    });
    if (!job.isFresh) await entry.part.prepare?.(inputOf({ folder, service }, job));
    return { ...entry, service, folder };
  } catch (error) {
    await service.stop();
    return { ...entry, reason: messageOf(error) };
  }
}

const computesOf = ({ fleet, count }) => (fleet === undefined ? count : fleet.projects * fleet.branches);
const inputOf = ({ folder, service }, { fleet, count, options }) => ({
  folder,
  url: service.url,
  fleet,
  count,
  ...options,
});

async function oneRound(entry, job, context) {
  const folder = job.isFresh ? newFolder(context) : entry.folder;
  const input = inputOf({ folder, service: entry.service }, job);
  if (job.isFresh) await entry.part.prepare?.(input);
  await entry.service.reset({ ...(job.isFresh ? { world: job.world } : {}), latencyMs: job.latencyMs ?? LATENCY_MS });
  const result = await runOnce(entry.service, entry.part.run(input));
  context.log(
    `  ${entry.name}: ${result.seconds.toFixed(2)} s, ${result.stats.requests} requests${result.code === 0 ? '' : `, exit ${result.code}`}`,
  );
  context.keep({ scenario: job.title, contender: entry.name, version: entry.version, ...figuresOf(result) });
  return result;
}

const figuresOf = ({ code, seconds, cpuSeconds, megabytes, stats }) => ({
  code,
  seconds,
  cpuSeconds,
  megabytes,
  stats,
});

function rowOf({ name, version, reason }, results, floors, job) {
  if (reason !== undefined) return { name, version, reason };
  const of = (pick) => median(results.map(pick));
  return {
    name,
    version,
    complaint: results.map(complaintOf).find((text) => text !== undefined),
    requests: of(({ stats }) => stats.requests),
    refusals: of(({ stats }) => stats.statuses[423] ?? 0),
    computes: of(({ stats }) => stats.computes),
    wanted: computesOf(job),
    maxInFlight: of(({ stats }) => stats.maxInFlight),
    seconds: of(({ seconds }) => seconds),
    cpuSeconds: of(({ cpuSeconds }) => cpuSeconds),
    megabytes: of(({ megabytes }) => megabytes),
    ratio: ratio(results, floors, ({ seconds }) => seconds),
    cpuRatio: ratio(results, floors, ({ cpuSeconds }) => cpuSeconds),
  };
}
