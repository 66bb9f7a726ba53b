// The renderers by format: what each can show of a plan, of drift and of a run.
import type { Comparison } from '../model/comparison.ts';
import type { DriftReport } from '../model/drift.ts';
import type { ApplyEvent } from '../model/event.ts';
import type { Plan } from '../model/plan.ts';
import type { RunResult } from '../model/result.ts';
import { renderDrift } from './human/drift.ts';
import { renderDriftHtml } from './html/drift.ts';
import { renderPlanHtml } from './html/plan.ts';
import { renderResultHtml } from './html/result.ts';
import { renderPlan } from './human/plan.ts';
import { renderResult } from './human/result.ts';
import { renderDriftMarkdown } from './markdown/drift.ts';
import { renderPlanMarkdown } from './markdown/plan.ts';
import { renderResultMarkdown } from './markdown/result.ts';
import type { HumanOptions } from './text/style.ts';

export interface RenderOptions extends HumanOptions {
  /** Limit of Markdown, in characters. */
  readonly maxChars: number;
  /** Events of the run that a result belongs to; empty when they were not kept. */
  readonly events: readonly ApplyEvent[];
  /** That of a plan, where it was made with one. */
  readonly comparison?: Comparison | null;
}

/** One format for people: pure functions from a value to text that ends in a line feed. */
export interface Renderer {
  plan(plan: Plan, options: RenderOptions): string;
  drift(report: DriftReport, options: RenderOptions): string;
  result(result: RunResult, options: RenderOptions): string;
}

export type TextFormat = 'human' | 'markdown' | 'html';

export const renderers: Readonly<Record<TextFormat, Renderer>> = {
  human: { plan: renderPlan, drift: renderDrift, result: renderResult },
  markdown: { plan: renderPlanMarkdown, drift: renderDriftMarkdown, result: renderResultMarkdown },
  html: {
    plan: (plan, options) => renderPlanHtml(plan, options.comparison),
    drift: (report) => renderDriftHtml(report),
    result: (result, options) => renderResultHtml(result, options.events),
  },
};
