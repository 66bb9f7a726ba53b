// A drift report in every format that it can be printed in.
import { existsSync, realpathSync } from 'node:fs';
import { readPlain } from '../../base/files/plain-file.ts';
import { isoTime } from '../../base/time/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Address } from '../../model/address.ts';
import type { DriftReport } from '../../model/outcome/drift.ts';
import { driftToJson } from '../../plan/json/drift-json.ts';
import { driftLines } from '../../render/machine/drift-lines.ts';
import { renderReport } from '../../render/human/report.ts';
import { jsonText } from '../../render/machine/json-text.ts';
import { renderReportHtml } from '../../render/html/report.ts';
import { renderJunit } from '../../render/machine/junit.ts';
import { renderReportMarkdown } from '../../render/markdown/report.ts';
import { driftReport } from '../../render/report/drift-report.ts';
import { eventLine, versionLine } from '../../render/machine/ndjson.ts';
import { renderPrometheus } from '../../render/machine/prometheus.ts';
import { driftToSarif } from '../../render/machine/sarif.ts';
import type { Io } from '../process/io.ts';
import type { Renderings } from './output.ts';
import { humanOptions } from '../session/session.ts';
import type { Settings } from '../program/settings.ts';
import { programVersion } from '../process/version.ts';

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
