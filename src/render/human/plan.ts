// The lines around a plan in a terminal: above the question, and above the end of an apply without changes.
import type { Plan } from '../../model/outcome/plan.ts';
import { verdictLine } from '../messages/verdicts.ts';
import { contextRows, selectionRows, type PlanContext } from '../view/plan-context.ts';
import { planRows } from '../view/plan-rows.ts';
import type { HumanOptions } from '../text/style.ts';
import { page, rowLines } from './page.ts';

/** Empty where there was something to show. */
export function renderNoChanges(plan: Plan, options: HumanOptions): string {
  const rows = planRows(plan);
  if (!rows.inSync || plan.summary.due > 0) return '';
  return `${page([rowLines(selectionRows(plan.options), options), [verdictLine(rows)]])}\n`;
}

/** `Account  https://…`, and below it files and hash. */
export function contextLines(
  plan: Plan,
  { context, ...options }: Pick<HumanOptions, 'color' | 'width'> & { readonly context: PlanContext },
): string[] {
  return rowLines(contextRows(plan, context), options);
}
