// The order of a plan's steps as a drawing in Markdown.
import type { Plan, Step } from '../../model/outcome/plan.ts';
import { shown } from '../text/escape.ts';
import { details, fence } from './pieces.ts';

/** Empty where no step needs another, or where there are too many to be drawn. */
export function graphSection(plan: Plan): string {
  const lines = mermaidLines(plan.steps);
  return lines === undefined ? '' : details('Order of the steps', fence('mermaid', lines));
}

const MOST_STEPS_DRAWN = 30;

/** Lines of a Mermaid flowchart of the steps that depend on each other; undefined when none do, or too many. */
function mermaidLines(steps: readonly Step[]): string[] | undefined {
  const needed = new Set(steps.flatMap((step) => step.needs));
  const drawn = steps.filter((step) => step.needs.length > 0 || needed.has(step.id));
  if (drawn.length === 0 || drawn.length > MOST_STEPS_DRAWN) return undefined;
  const names = new Map(drawn.map((step, at) => [step.id, `s${at + 1}`]));
  return [
    'graph LR',
    ...drawn.map((step) => `  ${names.get(step.id)}["${label(`${step.action} ${step.address}`)}"]`),
    ...drawn.flatMap((step) =>
      step.needs.filter((id) => names.has(id)).map((id) => `  ${names.get(id)} --> ${names.get(step.id)}`),
    ),
  ];
}

/** Everything but plain characters as Mermaid's own numeric entities. */
function label(text: string): string {
  return Array.from(shown(text, 60), (character) =>
    /[A-Za-z0-9 ._/-]/.test(character) ? character : `#${character.codePointAt(0) ?? 63};`,
  ).join('');
}
