// How an apply went, as one HTML page with its timeline.
import type { ApplyEvent } from '../../model/outcome/event.ts';
import type { RunResult } from '../../model/outcome/result.ts';
import { resultReport } from '../report/result-report.ts';
import { timelineOf } from '../view/timeline.ts';
import { htmlSection } from './page.ts';
import { renderReportHtml } from './report.ts';
import { timelineChart } from './timeline-chart.ts';

/** `events`: those of the run, for waits and retries in the timeline; empty when they were not kept. */
export function renderResultHtml(result: RunResult, events: readonly ApplyEvent[]): string {
  return renderReportHtml(resultReport(result), [htmlSection('Timeline', timelineChart(timelineOf(result, events)))]);
}
