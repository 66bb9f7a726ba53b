// Steps by the change that they belong to, and which changes wait for which.
import type { StepId } from '../model/plan.ts';
import type { StepDraft } from './step-draft.ts';

export interface StepIndex {
  /** Keys of all changes that have steps. */
  readonly keys: readonly string[];
  stepsOf(key: string): readonly StepDraft[];
  needsOf(id: StepId): readonly StepId[];
  /** Keys of the changes with a step that needs one of this change's steps. */
  dependentsOf(key: string): readonly string[];
}

export function stepIndex(
  trails: readonly (readonly StepDraft[])[],
  needs: ReadonlyMap<StepId, readonly StepId[]>,
): StepIndex {
  const steps = new Map(trails.map((trail) => [trail[0]?.draft.key ?? '', trail]));
  const keyOf = new Map(trails.flat().map(({ id, draft }) => [id, draft.key]));
  const dependents = new Map<string, Set<string>>();
  for (const [id, firsts] of needs)
    for (const first of firsts) {
      const [key, dependent] = [keyOf.get(first), keyOf.get(id)];
      if (key === undefined || dependent === undefined || key === dependent) continue;
      const known = dependents.get(key);
      if (known === undefined) dependents.set(key, new Set([dependent]));
      else known.add(dependent);
    }
  return {
    keys: [...steps.keys()].sort(),
    stepsOf: (key) => steps.get(key) ?? [],
    needsOf: (id) => needs.get(id) ?? [],
    dependentsOf: (key) => [...(dependents.get(key) ?? [])].sort(),
  };
}
