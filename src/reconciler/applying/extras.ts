// What others made beside a run: where nothing keeps a second one out, two runs of one file make everything twice.
import { comparing } from '../../plan/diff/difference.ts';
import { strangersIn } from '../../apply/judge/assess.ts';
import type { Canonical } from '../../apply/judge/attributes.ts';
import { poolOf } from '../../apply/run/run.ts';
import { isWell, type Verification } from '../../apply/judge/verify.ts';
import { groupBy } from '../../base/group-by.ts';
import { listOfFirst } from '../../base/text/words.ts';
import { kindOf } from '../../kinds/index.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Plan, Step } from '../../model/outcome/plan.ts';
import type { RunResult } from '../../model/outcome/result.ts';

/** What was read back. */
interface Found {
  readonly live: readonly LiveResource[];
  /** False for what a file lists, or accepts. */
  readonly isUnlisted: (live: LiveResource) => boolean;
}

/** With one warning for each pool in which the run made something and strangers appeared since it was planned. What is declared holds all the same. */
export function withExtras(
  verification: Verification,
  { steps }: Pick<Plan, 'steps'>,
  { steps: outcomes }: RunResult,
  found: Found,
): Verification {
  const ended = new Map(outcomes.map((outcome) => [outcome.id, outcome]));
  const claimed = new Set(outcomes.flatMap(({ resourceId }) => resourceId ?? []));
  const strange = found.live.filter((one) => !claimed.has(one.id) && (found.isUnlisted(one) || mayShare(one)));
  // Mostly none are left: then nobody asks which pool they joined.
  if (strange.length === 0) return verification;
  const makers = steps.filter(({ expects }) => expects.state === 'absent');
  const pools = groupBy(makers, (step) => poolOf(step) ?? '');
  const warnings = [...pools.values()].flatMap((pool): Diagnostic[] => {
    const ends = pool.map(({ id }) => ended.get(id)?.outcome);
    // A request whose end is unknown may have made it: the run says so itself.
    if (!ends.includes('done') || !ends.every((outcome) => outcome !== undefined && isWell(outcome))) return [];
    const ids = newcomersTo(pool[0], strange, claimed);
    return ids.length === 0 ? [] : [extrasBeside(pool[0], ids)];
  });
  return warnings.length === 0
    ? verification
    : { ...verification, diagnostics: [...verification.diagnostics, ...warnings] };
}

/** True for a kind of which several may go by one declaration's name: a namesake is listed, and may be one too many all the same. */
function mayShare({ kind }: LiveResource): boolean {
  return kindOf(kind).rules.choose !== undefined;
}

function newcomersTo(
  { kind, projectId, parentId, expects }: Step,
  live: readonly LiveResource[],
  claimed: ReadonlySet<ResourceId>,
): readonly ResourceId[] {
  if (expects.state !== 'absent') return [];
  const near = live.filter((one) => one.kind === kind && one.projectId === projectId && one.parentId === parentId);
  const { rules } = kindOf(kind);
  const canonical: Canonical = comparing(rules);
  return strangersIn(expects.joins, near, { claimed, canonical }).map(({ id }) => id);
}

const NAMED = 10;

function extrasBeside({ address }: Step, ids: readonly ResourceId[]): Diagnostic {
  const it = ids.length === 1 ? 'it' : 'them';
  return {
    severity: 'warning',
    code: 'surplus',
    message: `${listOfFirst(ids, NAMED)} appeared beside the resources of this run: another run may have created ${it}, or the service carried out a request twice`,
    hint: `Check who created ${it}, and delete ${it} if not needed.`,
    address,
  };
}
