// Renders plans and drift reports in every format. Delivers one format on stdout, others to the files of `--write`.
import { renderReportHtml } from '../../render/html/report.ts';
import { renderReport } from '../../render/human/report.ts';
import { renderReportMarkdown } from '../../render/markdown/report.ts';
import type { Report } from '../../render/report/report.ts';
import type { Session } from '../command.ts';
import { writeWhole, programVersion } from '../process/files.ts';
import { humanOptions, type Destination } from '../session/session.ts';
import { existsSync, realpathSync } from 'node:fs';
import { readPlain } from '../../base/files/plain-file.ts';
import { isoTime } from '../../base/time/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Comparison } from '../../model/outcome/guard.ts';
import type { DriftReport } from '../../model/outcome/drift.ts';
import { halfReplaced, type Plan } from '../../model/outcome/plan.ts';
import { driftToJson } from '../../plan/drift.ts';
import { jsonPage } from '../../render/machine/diagnostics-json.ts';
import { renderJunit } from '../../render/machine/junit.ts';
import { driftLines, eventLine, versionLine } from '../../render/machine/ndjson.ts';
import { renderPrometheus } from '../../render/machine/prometheus.ts';
import { driftToSarif } from '../../render/machine/sarif.ts';
import { planProblems } from '../../render/messages/problems.ts';
import { driftReport } from '../../render/report/drift-report.ts';
import { planReport } from '../../render/report/plan-report.ts';
import type { DriftFacts } from '../../render/view/findings.ts';
import type { PlanContext } from '../../render/view/plan-rows.ts';
import type { Io } from '../process/io.ts';
import type { Settings } from '../program/settings.ts';
import { eventStream } from './event-stream.ts';

export type Renderings = Readonly<Record<string, (place: Destination) => string>>;

/** A report in the formats for people. With `isSaid`, the terminal text omits problems, because they are already printed. */
export function reportTexts(session: Session, make: () => Report, isSaid: boolean = false): Renderings {
  return {
    human: (place) => renderReport(isSaid ? { ...make(), diagnostics: [] } : make(), humanOptions(session, place)),
    markdown: () => renderReportMarkdown(make(), session.settings.maxChars),
    html: () => renderReportHtml(make()),
  };
}

/** Writes the result to stdout in `settings.format`, and to the files of `--write`. Throws UsageError if a file cannot be written. */
export async function deliver({ io, settings }: Session, renderings: Renderings): Promise<void> {
  await io.stdout.write(renderings[settings.format]?.('stdout') ?? '');
  for (const { format, path } of settings.writes) writeWhole(path, renderings[format]?.('file') ?? '', io);
}

interface PlanOutput {
  readonly comparison: Comparison | null;
  readonly context: PlanContext;
  readonly isSaid: boolean;
}

export function planTexts(session: Session, plan: Plan, { comparison, context, isSaid }: PlanOutput): Renderings {
  return {
    ...reportTexts(session, () => planReport(plan, context, comparison), isSaid),
    ndjson: () => planLines(session.io, plan),
  };
}

function planLines(io: Io, plan: Plan): string {
  const atMs = io.clock.nowMs();
  const stream = eventStream({ ...io, said: [...plan.diagnostics] }, new Map(), () => undefined);
  for (const change of plan.changes)
    if (change.action !== 'none') stream.onEvent({ type: 'planned_change', atMs, change });
  stream.onEvent({ type: 'change_summary', atMs, summary: plan.summary, halfReplaced: halfReplaced(plan).size });
  for (const diagnostic of planProblems(plan)) stream.onEvent({ type: 'diagnostic', atMs, diagnostic });
  return stream.lines.join('');
}

/** The formats that only drift has. Without a report, JUnit and SARIF show the problems, and Prometheus the status `error`. */
export function driftFormats({ settings }: Session, report: DriftReport | null, facts: DriftFacts): Renderings {
  return {
    junit: () => renderJunit(report, facts),
    sarif: () => jsonPage(driftToSarif(report, programVersion(), facts)),
    prometheus: () => renderPrometheus(report, previousText(settings), facts),
  };
}

/** `again` has the flags for the same account and files. */
export function driftTexts(session: Session, report: DriftReport, facts: DriftFacts, again: string): Renderings {
  const { nowMs, seconds, requests, matching, files } = facts;
  const version = programVersion();
  const toJson = (): JsonObject => driftToJson(report, { timestamp: isoTime(nowMs), toolVersion: version });
  return {
    ...reportTexts(session, () => driftReport(report, again)),
    json: () =>
      jsonPage({
        ...toJson(),
        matching,
        files,
        ...(seconds === null ? {} : { seconds }),
        ...(requests === null ? {} : { requests }),
      }),
    ndjson: () => {
      const said = session.io.said.map((diagnostic) => eventLine({ type: 'diagnostic', atMs: nowMs, diagnostic }));
      return [versionLine(version, nowMs), ...said, ...driftLines(report, toJson(), nowMs)].join('');
    },
    ...driftFormats(session, report, facts),
  };
}

/** The maximum size of the previous Prometheus file, enough for many thousand findings. */
const MAX_BYTES = 64 * 1024 * 1024;

function previousText(settings: Settings): string | null {
  const target = settings.writes.find(({ format }) => format === 'prometheus');
  if (target === undefined || !existsSync(target.path)) return null;
  return Buffer.from(readPlain(realpathSync.native(target.path), MAX_BYTES)).toString('utf8');
}
