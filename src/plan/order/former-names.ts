// Order by former names: what nobody has the former name of is made first, then what is new under that name; the other way round the new one would be taken for it.
import { groupBy } from '../../base/group-by.ts';
import { mustFollow, type Needs } from './graph.ts';
import { placeIn } from '../scope.ts';
import { comesAlong, formerOf, placeAfter, placeBefore, type StepDraft } from './step-draft.ts';

/** `step`, which takes the name, and whoever is to be renamed from it. */
export interface FormerNeed {
  readonly step: StepDraft;
  readonly first: StepDraft;
}

/** Looking at more steps than that would take longer than a plan may: whatever is left then waits for nobody, and may be stale once. */
const MOST_LOOKED_AT = 3_000_000;

/** None where `first` has to come after `step` for another reason, nor where `step` comes with its project: it cannot wait then. */
export function formerNeeds(steps: readonly StepDraft[], needs: Needs): readonly FormerNeed[] {
  const heirs = steps.flatMap((first) => {
    const place = formerPlace(first);
    return place === null ? [] : [{ first, place }];
  });
  if (heirs.length === 0) return [];
  const takers = groupBy(
    steps.filter((step) => !comesAlong(step) && placeAfter(step) !== placeBefore(step)),
    (step) => placeAfter(step) ?? '',
  );
  const budget = { left: MOST_LOOKED_AT };
  return heirs.flatMap(({ first, place }) =>
    (takers.get(place) ?? []).flatMap((step) =>
      step === first || mustFollow(needs, first.id, step.id, budget) || --budget.left < 0 ? [] : [{ step, first }],
    ),
  );
}

/** The place of the former name of what is made anew; null for all else. */
function formerPlace({ before, after, draft }: StepDraft): string | null {
  const former = before !== null || after === null ? null : formerOf(draft, after);
  return former === null ? null : placeIn(draft.scope, former);
}
