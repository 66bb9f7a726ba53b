// Steps by change, and the waits between changes.
import type { StepId } from '../../model/outcome/plan.ts';
import { groupBy } from '../../base/group-by.ts';
import type { StepDraft } from './step-draft.ts';

export interface StepIndex {
  /** Keys of all changes that have steps. */
  readonly keys: readonly string[];
  stepsOf(key: string): readonly StepDraft[];
  needsOf(id: StepId): readonly StepId[];
  /** Keys of the changes that wait for a step of this change; may contain the change itself and repeat keys. */
  dependentsOf(key: string): readonly string[];
}

export function stepIndex(
  trails: readonly (readonly StepDraft[])[],
  needs: ReadonlyMap<StepId, readonly StepId[]>,
): StepIndex {
  const steps = new Map(trails.map((trail) => [trail[0]?.draft.key ?? '', trail]));
  const keyOf = new Map(trails.flat().map(({ id, draft }) => [id, draft.key]));
  const waits = [...needs].flatMap(([id, firsts]) =>
    firsts.map((first) => ({ first: keyOf.get(first) ?? '', dependent: keyOf.get(id) ?? '' })),
  );
  const dependents = groupBy(waits, ({ first }) => first);
  return {
    keys: [...steps.keys()].sort(),
    stepsOf: (key) => steps.get(key) ?? [],
    needsOf: (id) => needs.get(id) ?? [],
    dependentsOf: (key) => (dependents.get(key) ?? []).map(({ dependent }) => dependent).sort(),
  };
}
