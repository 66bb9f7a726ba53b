// Plays one story and tells it in full: what was asked, what went wrong, and every run; and writes it down as a scenario.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Schedule } from './schedule.ts';
import { play, type Played } from './simulate.ts';
import { scheduleNamed } from './single-stories.ts';
import type { RunRecord } from './world/run.ts';

/** The story of that name. Writes `trueup.yaml`, `world.json`, `schedule.json` and `story.txt` below `folder` when there is one. */
export async function retell(name: string, folder: string | null): Promise<string> {
  const schedule = scheduleNamed(name);
  const played = await play(schedule);
  const { workload, ...rest } = schedule;
  const text = storyOf(schedule, played);
  if (folder === null) return text;
  const into = join(folder, name.replace(/[^A-Za-z0-9]+/g, '-'));
  mkdirSync(into, { recursive: true });
  const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
  writeFileSync(join(into, 'trueup.yaml'), workload.yaml);
  writeFileSync(join(into, 'world.json'), json(workload.world));
  writeFileSync(join(into, 'schedule.json'), json({ ...rest, allow: workload.allow, switches: workload.switches }));
  writeFileSync(join(into, 'story.txt'), text);
  return `${text}\nwritten to ${into}\n`;
}

function storyOf(schedule: Schedule, { runs, site, violations }: Played): string {
  const { workload, ...rest } = schedule;
  return [
    workload.yaml,
    JSON.stringify(rest),
    '',
    ...runs.flatMap((run) => [...tellRun(run), ...wireOf(site, run.run)]),
    '',
    violations.length === 0 ? 'no violation' : `VIOLATIONS\n${violations.join('\n')}`,
    '',
  ].join('\n');
}

function tellRun(record: RunRecord): readonly string[] {
  const { run, plan, result, error, diagnostics, startedMs, endedMs } = record;
  const unfinished = record.desired === null ? 'refused' : record.isPlanOnly && plan !== null ? 'planned' : 'died';
  const end = result?.status ?? (error === null ? unfinished : `broke: ${error}`);
  return [
    `run ${run}: ${end}, ${new Date(startedMs).toISOString()} to ${new Date(endedMs).toISOString()}`,
    ...diagnostics.map(({ code, message }) => `  ${code}: ${message}`),
    ...(plan?.changes ?? []).flatMap(({ action, address, blockedBy, notes }) =>
      blockedBy.length === 0 ? [] : [`  blocked: ${action} ${address} (${blockedBy.join(', ')}) ${notes.join('; ')}`],
    ),
    ...(plan?.steps ?? []).map((step) => {
      const outcome = result?.steps.find(({ id }) => id === step.id);
      return `  ${step.action} ${step.address}: ${outcome?.outcome ?? '?'} ${outcome?.message ?? ''}`;
    }),
  ];
}

function wireOf(site: Played['site'], run: number): readonly string[] {
  const own = site.wire.filter((entry) => entry.run === run);
  return own.map(({ requestId, method, path, end }) => `    ${requestId} ${method} ${path} → ${end}`);
}
