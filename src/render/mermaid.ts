// The steps and what they wait for as a Mermaid graph.
import type { Step } from '../model/plan.ts';
import { shown } from './text.ts';

const MOST_STEPS = 30;

/** Lines of a Mermaid flowchart of the steps that depend on each other; undefined when none do, or too many. */
export function mermaidLines(steps: readonly Step[]): string[] | undefined {
  const needed = new Set(steps.flatMap((step) => step.needs));
  const drawn = steps.filter((step) => step.needs.length > 0 || needed.has(step.id));
  if (drawn.length === 0 || drawn.length > MOST_STEPS) return undefined;
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
