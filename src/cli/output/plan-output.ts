// A plan in every format that it can be printed in.
import type { Comparison } from '../../model/outcome/comparison.ts';
import { halfReplaced, type Plan } from '../../model/outcome/plan.ts';
import { planProblems } from '../../render/messages/problems.ts';
import { renderReportHtml } from '../../render/html/report.ts';
import { renderReport } from '../../render/human/report.ts';
import { renderReportMarkdown } from '../../render/markdown/report.ts';
import { planReport } from '../../render/report/plan-report.ts';
import type { Report } from '../../render/report/report.ts';
import type { PlanContext } from '../../render/view/plan-context.ts';
import { eventStream } from './event-stream.ts';
import type { Io } from '../process/io.ts';
import type { Renderings } from './output.ts';
import { humanOptions } from '../session/session.ts';
import type { Settings } from '../program/settings.ts';

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
