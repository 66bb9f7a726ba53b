// What steps rest on without changing it, such as their parents: it must still be what the plan took it for.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { scopeKey } from '../../model/kind.ts';
import type { Change, Plan, Step } from '../../model/outcome/plan.ts';
import { inParallel } from '../in-parallel.ts';
import { READS_AT_ONCE } from '../read/read-scopes.ts';
import type { Run } from '../run/run.ts';

/** A diagnostic for each resource that the steps rest on and that has another name by now, or is gone. Reads the lists that show it; rejects with `ApiFailure`. */
export async function renamedOrGone(run: Run, { changes, steps }: Plan): Promise<readonly Diagnostic[]> {
  const rested = changes.filter((change) => isKnownByName(change) && steps.some((step) => restsOn(step, change)));
  const scopes = [...new Map(rested.map((change) => [scopeKey(change), change])).values()];
  const found = new Map<string, ReadonlyMap<string, unknown>>();
  await inParallel(scopes, READS_AT_ONCE, async (scope) => {
    const live = await run.use.world.reread(scope, run.use.signals.admission);
    found.set(scopeKey(scope), new Map(live.map(({ id, spec }) => [id, spec['name'] ?? null])));
  });
  return rested.flatMap((change) => {
    const now = found.get(scopeKey(change))?.get(change.resourceId ?? '');
    return now === nameOf(change) ? [] : [stale(change, now)];
  });
}

function nameOf({ before }: Change): unknown {
  return before?.['name'];
}

function isKnownByName(change: Change): boolean {
  return change.action === 'none' && change.resourceId !== null && typeof nameOf(change) === 'string';
}

function restsOn({ projectId, parentId, achieves }: Step, { resourceId }: Change): boolean {
  return [projectId, parentId, ...Object.values(achieves ?? {})].some((id) => id === resourceId);
}

function stale(change: Change, now: unknown): Diagnostic {
  const id = change.resourceId ?? '';
  const was = JSON.stringify(nameOf(change));
  return {
    severity: 'error',
    code: 'stale',
    message:
      now === undefined ? `${id} no longer exists` : `${id} is named ${JSON.stringify(now)}, the plan knows ${was}`,
    hint: 'Nothing was sent. Make a new plan.',
    address: change.address,
  };
}
