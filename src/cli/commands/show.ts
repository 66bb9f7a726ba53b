// `trueup show FILE`: renders a saved plan, a drift report or the result of an apply in any format.
import { resolve } from 'node:path';
import { isJsonObject, numberOf, objectOf, type Json } from '../../base/json.ts';
import type { DriftReport } from '../../model/outcome/drift.ts';
import type { RunResult } from '../../model/outcome/result.ts';
import { driftFromJson } from '../../plan/json/drift-json.ts';
import { kinds } from '../../kinds/index.ts';
import { openPlan } from '../../plan/json/saved-plan.ts';
import { jsonText } from '../../render/machine/json-text.ts';
import { renderReportHtml, renderResultHtml } from '../../render/html/report.ts';
import { renderReport } from '../../render/human/report.ts';
import { renderReportMarkdown } from '../../render/markdown/report.ts';
import { planReport } from '../../render/report/plan-report.ts';
import { resultReport } from '../../render/report/result-report.ts';
import { eventLine, versionLine } from '../../render/machine/ndjson.ts';
import { resultEvents } from '../../render/view/result-events.ts';
import { resultFromJson } from '../../render/machine/result-json.ts';
import type { Invocation, Run } from '../command.ts';
import { driftRenderings, planLines } from '../output/reports.ts';
import { exitCodes } from '../process/exit-code.ts';
import { readNamedJson } from '../process/files.ts';
import { checkOutputs, deliver, type Renderings } from '../output/output.ts';
import { humanOptions } from '../session/session.ts';
import { UsageError } from '../program/usage-error.ts';
import { programVersion } from '../process/version.ts';

export const show: Run = async (invocation) => {
  const { io, settings, words } = invocation;
  const shown = words[0] ?? '';
  checkOutputs(settings, [resolve(io.cwd, shown)]);
  const json = readNamedJson(io.cwd, shown);
  const texts = textsOf(json, shown, invocation);
  if (texts === null) throw new UsageError(`${shown} is not a plan, drift report or result of trueup`);
  const renderings = { ...texts, json: () => `${jsonText(json, 2)}\n` };
  const asked = [settings.format, ...settings.writes.map(({ format }) => format)];
  const strange = asked.find((format) => !Object.hasOwn(renderings, format));
  if (strange !== undefined)
    throw new UsageError(
      `${shown} cannot be shown as ${strange}`,
      `Formats: ${Object.keys(renderings).join(', ')}. Only a drift report can be shown as junit, sarif or prometheus.`,
    );
  await deliver(io, settings, renderings);
  return exitCodes.done;
};

/** The texts of a saved plan, result or drift report, by format; null for other JSON. */
function textsOf(json: Json, shown: string, { io, settings }: Invocation): Renderings | null {
  if (isJsonObject(json) && isJsonObject(json['trueup'])) {
    const toolVersion = programVersion();
    const saved = openPlan(json, { kinds, toolVersion });
    if ('problem' in saved) throw new UsageError(`${shown}: ${saved.problem}`, null, saved.code);
    const { plan, comparison, files } = saved;
    const context = { local: null, orgId: null, files: files?.paths ?? [], overlays: files?.overlays ?? [] };
    const report = planReport(plan, context, comparison);
    return {
      human: (place) => renderReport(report, humanOptions(io, settings, place)),
      markdown: () => renderReportMarkdown(report, settings.maxChars),
      html: () => renderReportHtml(report),
      ndjson: () => planLines(io, plan),
    };
  }
  const result = resultFromJson(json);
  if (result !== undefined)
    return {
      human: (place) => renderReport(resultReport(result), humanOptions(io, settings, place)),
      markdown: () => renderReportMarkdown(resultReport(result), settings.maxChars),
      html: () => renderResultHtml(result, []),
      ndjson: () => resultLines(result, io.clock.nowMs()),
    };
  const report = driftFromJson(json);
  return report === undefined ? null : driftTexts(report, json, { io, settings });
}

function resultLines(result: RunResult, nowMs: number): string {
  const events = resultEvents(result, nowMs);
  const lines = events.map((event) => eventLine(event));
  return [versionLine(programVersion(), events[0]?.atMs ?? nowMs), ...lines].join('');
}

/** The formats of `trueup drift` for a saved report. A report of an older version has fewer facts. */
function driftTexts(
  report: DriftReport,
  json: Json,
  { io, settings }: Pick<Invocation, 'io' | 'settings'>,
): Renderings {
  const { timestamp = null, files, matching, seconds, requests } = objectOf(json);
  const figures = { nowMs: Date.parse(String(timestamp)), seconds: numberOf(seconds), requests: numberOf(requests) };
  const known = { matching: textsIn(matching), files: textsIn(files) };
  return driftRenderings(report, { io, settings, figures, ...known });
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
