// Orders creations by former names: a declaration with `renamed_from` and no live match is created before a new resource takes that
// former name, or a later run would confuse the two.
import { groupBy } from '../../base/group-by.ts';
import { mustFollow, type Needs } from './graph.ts';
import { placeIn } from '../scope.ts';
import { comesAlong, formerOf, placeAfter, placeBefore, type StepDraft } from './step-draft.ts';

/** `step` takes the name that `first` has as its former name. */
export interface FormerNeed {
  readonly step: StepDraft;
  readonly first: StepDraft;
}

/** None if `first` must follow `step` for another reason, or if `step` comes with its project and cannot wait. */
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
  return heirs.flatMap(({ first, place }) =>
    (takers.get(place) ?? []).flatMap((step) =>
      step === first || mustFollow(needs, first.id, step.id) ? [] : [{ step, first }],
    ),
  );
}

/** The slot of the former name of a creation; null for all else. */
function formerPlace({ before, after, draft }: StepDraft): string | null {
  const former = before !== null || after === null ? null : formerOf(draft, after);
  return former === null ? null : placeIn(draft.scope, former);
}
