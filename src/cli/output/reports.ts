// Plans and drift reports in every format.
import { existsSync, realpathSync } from 'node:fs';
import { readPlain } from '../../base/files/plain-file.ts';
import { isoTime } from '../../base/time/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Address } from '../../model/address.ts';
import type { DriftReport } from '../../model/outcome/drift.ts';
import { driftToJson } from '../../plan/json/drift-json.ts';
import { driftLines, eventLine, versionLine } from '../../render/machine/ndjson.ts';
import { renderReport } from '../../render/human/report.ts';
import { jsonText } from '../../render/machine/json-text.ts';
import { renderReportHtml } from '../../render/html/report.ts';
import { renderJunit } from '../../render/machine/junit.ts';
import { renderReportMarkdown } from '../../render/markdown/report.ts';
import { driftReport } from '../../render/report/drift-report.ts';
import { renderPrometheus } from '../../render/machine/prometheus.ts';
import { driftToSarif } from '../../render/machine/sarif.ts';
import type { Io } from '../process/io.ts';
import type { Renderings } from './output.ts';
import { humanOptions } from '../session/session.ts';
import type { Settings } from '../program/settings.ts';
import { programVersion } from '../process/version.ts';
import type { Comparison } from '../../model/outcome/comparison.ts';
import { halfReplaced, type Plan } from '../../model/outcome/plan.ts';
import { planProblems } from '../../render/messages/problems.ts';
import { planReport } from '../../render/report/plan-report.ts';
import type { Report } from '../../render/report/report.ts';
import type { PlanContext } from '../../render/view/plan-context.ts';
import { eventStream } from './event-stream.ts';

export interface DriftOutputInput {
  readonly io: Io;
  readonly settings: Settings;
  /** Addresses without a difference. */
  readonly matching: readonly Address[];
  /** The cost of the run; null for a report that another run saved. */
  readonly figures: { readonly nowMs: number; readonly seconds: number | null; readonly requests: number | null };
  /** The files that say what is wanted, as far as they are known. */
  readonly files: readonly string[];
}

export function driftRenderings(
  report: DriftReport,
  { io, settings, matching, figures, files }: DriftOutputInput,
): Renderings {
  const timestamp = isoTime(figures.nowMs);
  const toJson = (): JsonObject => driftToJson(report, { timestamp, toolVersion: programVersion() });
  const ofRun = (): JsonObject => ({
    matching,
    files,
    ...(figures.seconds === null ? {} : { seconds: figures.seconds }),
    ...(figures.requests === null ? {} : { requests: figures.requests }),
  });
  return {
    human: (place) => renderReport(driftReport(report), humanOptions(io, settings, place)),
    json: () => `${jsonText({ ...toJson(), ...ofRun() }, 2)}\n`,
    ndjson: () => {
      const said = io.said.map((diagnostic) => eventLine({ type: 'diagnostic', atMs: figures.nowMs, diagnostic }));
      return [
        versionLine(programVersion(), figures.nowMs),
        ...said,
        ...driftLines(report, toJson(), figures.nowMs),
      ].join('');
    },
    markdown: () => renderReportMarkdown(driftReport(report), settings.maxChars),
    html: () => renderReportHtml(driftReport(report)),
    junit: () => renderJunit(report, { timestamp, seconds: figures.seconds, matching }),
    sarif: () => `${jsonText(driftToSarif(report, { version: programVersion(), file: files[0] ?? null }), 2)}\n`,
    prometheus: () => renderPrometheus(report, { ...figures, previous: previousText(settings) }),
  };
}

/** More than the lines of many thousand findings take. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The textfile of the run before, which remembers when a run last succeeded. */
export function previousText(settings: Settings): string | null {
  const target = settings.writes.find(({ format }) => format === 'prometheus');
  if (target === undefined || !existsSync(target.path)) return null;
  return Buffer.from(readPlain(realpathSync.native(target.path), MAX_BYTES)).toString('utf8');
}

export interface PlanOutputInput {
  readonly io: Io;
  readonly settings: Settings;
  readonly comparison: Comparison | null;
  readonly context: PlanContext;
  readonly toJson: () => string;
}

export function planRenderings(plan: Plan, { io, settings, comparison, context, toJson }: PlanOutputInput): Renderings {
  const report = (): Report => planReport(plan, context, comparison);
  return {
    human: (place) => renderReport(report(), { ...humanOptions(io, settings, place), diagnostics: false }),
    json: toJson,
    ndjson: () => planLines(io, plan),
    markdown: () => renderReportMarkdown(report(), settings.maxChars),
    html: () => renderReportHtml(report()),
  };
}

/** The lines with which an apply of this plan would begin. */
export function planLines(io: Io, plan: Plan): string {
  const atMs = io.clock.nowMs();
  const stream = eventStream({ ...io, said: [...plan.diagnostics] }, new Map(), () => undefined);
  for (const change of plan.changes)
    if (change.action !== 'none') stream.onEvent({ type: 'planned_change', atMs, change });
  stream.onEvent({ type: 'change_summary', atMs, summary: plan.summary, halfReplaced: halfReplaced(plan).size });
  for (const diagnostic of planProblems(plan)) stream.onEvent({ type: 'diagnostic', atMs, diagnostic });
  return stream.lines.join('');
}
