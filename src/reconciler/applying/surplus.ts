// Finds resources that another run made beside this one, of kinds that the service accepts twice.
import { strangersIn } from '../../apply/judge/attributes.ts';
import { isWell } from '../../apply/judge/verify.ts';
import { poolOf } from '../../apply/run/run.ts';
import { groupBy } from '../../base/group-by.ts';
import { listOfFirst } from '../../base/text/words.ts';
import { kindOf } from '../../kinds/index.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { scopeKey } from '../../model/kind.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Plan, Step } from '../../model/outcome/plan.ts';
import type { RunResult } from '../../model/outcome/result.ts';
import { comparing } from '../../plan/diff/difference.ts';
import type { Look } from '../parts.ts';

const NAMED = 10;

/** Warns once for each pool in which the run created a resource and an unlisted one appeared. The run converges all the same. */
export function surplusOf(executed: Plan, { steps: outcomes }: RunResult, { plan, live }: Look): readonly Diagnostic[] {
  const ended = new Map(outcomes.map((outcome) => [outcome.id, outcome.outcome]));
  const claimed = new Set(outcomes.flatMap(({ resourceId }) => resourceId ?? []));
  const unlisted = new Set(plan.unmanaged.flatMap(({ id, pruned }) => (pruned ? [] : [id])));
  const strange = live.resources.filter((one) => !claimed.has(one.id) && (unlisted.has(one.id) || mayShare(one)));
  // Most runs end here, so the pools are built only if something is left.
  if (strange.length === 0) return [];
  const pools = groupBy(
    executed.steps.filter(({ expects }) => expects.state === 'absent'),
    (step) => poolOf(step) ?? '',
  );
  return [...pools.values()].flatMap(([maker, ...others]) => {
    const ends = [maker, ...others].map(({ id }) => ended.get(id) ?? 'pending');
    // A step of unknown outcome may have made it, and reports that itself.
    if (maker.expects.state !== 'absent' || !ends.includes('done') || !ends.every(isWell)) return [];
    const near = strange.filter((one) => scopeKey(one) === scopeKey(maker));
    const canonical = comparing(kindOf(maker.kind));
    const ids = strangersIn(maker.expects.joins, near, { claimed, canonical }).map(({ id }) => id);
    return ids.length === 0 ? [] : [surplusBeside(maker, ids)];
  });
}

/** True for a kind that accepts several resources of one name: a listed one may be a surplus too. */
function mayShare({ kind }: LiveResource): boolean {
  return kindOf(kind).choose !== undefined;
}

function surplusBeside({ address }: Step, ids: readonly string[]): Diagnostic {
  const it = ids.length === 1 ? 'it' : 'them';
  return {
    severity: 'warning',
    code: 'surplus',
    message: `${listOfFirst(ids, NAMED)} appeared beside the resources of this run: another run may have created ${it}, or the service carried out a request twice`,
    hint: `Check who created ${it}, and delete ${it} if not needed.`,
    address,
  };
}
