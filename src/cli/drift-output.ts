// A drift report in every format that it can be printed in.
import { existsSync, readFileSync } from 'node:fs';
import { isoTime } from '../base/clock.ts';
import { stringifyJson } from '../base/json.ts';
import type { Address } from '../model/address.ts';
import type { DriftReport } from '../model/drift.ts';
import { driftToJson } from '../plan/drift.ts';
import { renderDrift } from '../render/drift-human.ts';
import { renderDriftHtml } from '../render/html-drift.ts';
import { renderJunit } from '../render/junit.ts';
import { renderDriftMarkdown } from '../render/markdown-drift.ts';
import { COMMENT_CHARS } from '../render/markdown-plan.ts';
import { renderPrometheus } from '../render/prometheus.ts';
import { driftToSarif } from '../render/sarif.ts';
import type { Io } from './io.ts';
import type { Renderings } from './output.ts';
import { humanOptions } from './session.ts';
import type { Settings } from './settings.ts';
import { programVersion } from './version.ts';

export const DRIFT_FORMATS: readonly string[] = ['human', 'json', 'markdown', 'html', 'junit', 'sarif', 'prometheus'];

export interface DriftOutputInput {
  readonly io: Io;
  readonly settings: Settings;
  /** Addresses without a difference. */
  readonly matching: readonly Address[];
  readonly figures: { readonly nowMs: number; readonly seconds: number; readonly requests: number };
}

export function driftRenderings(
  report: DriftReport,
  { io, settings, matching, figures }: DriftOutputInput,
): Renderings {
  const timestamp = isoTime(figures.nowMs);
  return {
    human: () => renderDrift(report, humanOptions(io, settings, 'stdout')),
    json: () => `${stringifyJson(driftToJson(report, { timestamp, toolVersion: programVersion() }), 2)}\n`,
    markdown: () => renderDriftMarkdown(report, { maxChars: settings.maxChars ?? COMMENT_CHARS }),
    html: () => renderDriftHtml(report),
    junit: () => renderJunit(report, { timestamp, seconds: figures.seconds, matching }),
    sarif: () =>
      `${stringifyJson(driftToSarif(report, { version: programVersion(), file: settings.files[0] ?? 'trueup.yaml' }), 2)}\n`,
    prometheus: () => renderPrometheus(report, { ...figures, previous: previousText(settings) }),
  };
}

/** The textfile of the run before, which remembers when a run last succeeded. */
function previousText(settings: Settings): string | null {
  const target = settings.writes.find(({ format }) => format === 'prometheus');
  return target !== undefined && existsSync(target.path) ? readFileSync(target.path, 'utf8') : null;
}
