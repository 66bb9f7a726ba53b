// A target that names nothing: most likely a slip, and no reason to say that all is well.
import { coversAddress, type Address } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { isWhole, type Plan } from '../../model/outcome/plan.ts';
import type { PlanOutcome, PlanRequest } from '../types.ts';

/** The outcome, turned into an error when a target matches neither a declared nor a live address of what was read. */
export function requireTargets({ target = [], desired }: PlanRequest, outcome: PlanOutcome): PlanOutcome {
  const { plan, reading } = outcome;
  if (target.length === 0 || plan === null || reading === null || !isWhole(plan)) return outcome;
  const known = [...desired.resources.map(({ address }) => address), ...addressesIn(plan)];
  const problems = target
    .filter((glob) => !known.some((address) => coversAddress(glob, address)))
    .map((glob): Diagnostic => ({
      severity: 'error',
      code: 'unknown_target',
      message: `--target ${glob} matches nothing`,
      hint: 'Targets are PROJECT or addresses, with all that is below them; * and ? stay within a part, ** crosses parts.',
    }));
  return problems.length === 0
    ? outcome
    : { ...outcome, plan: null, record: null, diagnostics: [...outcome.diagnostics, ...problems] };
}

/** The addresses of the plan's resources, by name and by id. */
function addressesIn(plan: Plan): Address[] {
  const changes = plan.changes.flatMap(({ address, resourceId }) =>
    resourceId === null ? [address] : [address, address.replace(/[^/]*$/, resourceId)],
  );
  return [...changes, ...plan.unmanaged.map(({ address }) => address)];
}
