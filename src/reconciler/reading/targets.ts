// Reports targets that match nothing, because a mistyped target must not look like success.
import { compareText } from '../../base/json.ts';
import { didYouMean, listOfFirst } from '../../base/text/words.ts';
import { coversAddress, scopeOf, type Address } from '../../model/address.ts';
import { addressesIn } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { isWhole, type Plan } from '../../model/outcome/plan.ts';
import type { PlanOutcome, PlanRequest } from '../types.ts';

/** Replaces the plan with errors if a target matches neither a declared address nor a live one that was read. */
export function requireTargets({ target = [], desired }: PlanRequest, outcome: PlanOutcome): PlanOutcome {
  const { plan, reading } = outcome;
  if (target.length === 0 || plan === null || reading === null || !isWhole(plan)) return outcome;
  const known = [...addressesIn(desired), ...plannedIn(plan)];
  const problems = target
    .filter((glob) => !known.some((address) => coversAddress(glob, address)))
    .map((glob): Diagnostic => ({
      severity: 'error',
      code: 'unknown_target',
      message: `${glob} matches nothing`,
      hint: hintFor(glob, known),
    }));
  return problems.length === 0
    ? outcome
    : { ...outcome, plan: null, record: null, diagnostics: [...outcome.diagnostics, ...problems] };
}

function hintFor(glob: string, known: readonly Address[]): string {
  const projects = [...new Set(known.map(scopeOf))];
  const near = didYouMean(glob, [...projects, ...known]);
  if (near !== undefined) return `Did you mean ${near}?`;
  const project = scopeOf(glob);
  const below = known.filter((address) => address.startsWith(`${project}/`));
  const some = [...new Set(below.length > 0 ? below : projects)].sort(compareText);
  return `Known: ${listOfFirst(some, MOST_NAMED)}. A project name selects the whole project; * and ? match within a part, ** across parts.`;
}

const MOST_NAMED = 8;

function plannedIn(plan: Plan): Address[] {
  const changes = plan.changes.flatMap(({ address, resourceId }) =>
    resourceId === null ? [address] : [address, address.replace(/[^/]*$/, resourceId)],
  );
  return [...changes, ...plan.unmanaged.map(({ address }) => address)];
}
