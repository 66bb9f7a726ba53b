// What steps rest on without changing it, such as their parents: it must still be what the plan took it for.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Address } from '../../model/address.ts';
import { scopeKey, type ScopeId } from '../../model/kind.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Change, Plan, Step } from '../../model/outcome/plan.ts';
import { inParallel } from '../in-parallel.ts';
import { READS_AT_ONCE } from '../read/read-scopes.ts';
import { isUnborn } from '../../model/reference.ts';
import { kindOf, type Run } from '../run/run.ts';

/** A diagnostic for each resource that the steps rest on and that has another name by now, or is gone. Reads the lists that show it; rejects with `ApiFailure`. */
export async function renamedOrGone(run: Run, { changes, steps }: Plan): Promise<readonly Diagnostic[]> {
  const rested = changes.filter((change) => isKnownByName(change) && steps.some((step) => restsOn(step, change)));
  const named = steps.flatMap((step) => namedBy(run, step, steps));
  const holders = steps.flatMap((step) => holdersOf(run, step));
  const scopes = [...new Map([...rested, ...named, ...holders].map((scope) => [scopeKey(scope), scope])).values()];
  const found = new Map<string, readonly LiveResource[]>();
  await inParallel(scopes, READS_AT_ONCE, async (scope) => {
    found.set(scopeKey(scope), await run.use.world.reread(scope, run.use.signals.admission));
  });
  return [
    ...rested.flatMap((change) => {
      const now = found.get(scopeKey(change))?.find(({ id }) => id === change.resourceId);
      return now !== undefined && (now.spec['name'] ?? null) === nameOf(change) ? [] : [stale(change, now)];
    }),
    ...named
      .filter((one) => !(found.get(scopeKey(one)) ?? []).some(({ spec }) => spec[one.field] === one.value))
      .map(({ address, kind, value }) => lost(address, `the ${kind} ${JSON.stringify(value)} no longer exists`)),
    ...holders.flatMap((one) =>
      (found.get(scopeKey(one)) ?? [])
        .filter(({ id, spec }) => spec[one.field] === one.value && !steps.some((step) => isOf(step, id)))
        .map(({ kind, spec }) =>
          lost(one.address, `the ${kind} ${JSON.stringify(spec['name'])} depends on this resource now`),
        ),
    ),
  ];
}

function isOf({ expects }: Step, id: string): boolean {
  return expects.state === 'present' && expects.id === id;
}

/** For a removal, where those are that would refer by name to what it removes, and hold it. */
function holdersOf(run: Run, { address, kind, projectId, parentId, achieves, expects }: Step): readonly Named[] {
  if (achieves !== null || expects.state !== 'present' || isUnborn({ projectId, parentId })) return [];
  return [...run.use.kinds].flatMap(([user, { references = {} }]) =>
    Object.entries(references).flatMap(([path, rule]) => {
      const value = expects.attributes[rule.field];
      const isNamed = rule.kind === kind && rule.field !== 'id' && rule.among === 'siblings';
      return isNamed && typeof value === 'string'
        ? [{ kind: user, projectId, parentId, address, field: path, value }]
        : [];
    }),
  );
}

/** Where resources are, `field` of which tells by its `value` what a step rests on. */
interface Named extends ScopeId {
  readonly address: Address;
  readonly field: string;
  readonly value: string;
}

/** Those that were there when the plan was made: not what it makes itself. */
function namedBy(run: Run, step: Step, steps: readonly Step[]): readonly Named[] {
  const { address, projectId, parentId, achieves } = step;
  return Object.entries(kindOf(run, step).references ?? {}).flatMap(([path, { kind, field, among }]) => {
    const value = achieves?.[path];
    if (field === 'id' || among !== 'siblings' || typeof value !== 'string' || isUnborn(step)) return [];
    const isMade = steps.some(
      (one) => one.kind === kind && one.parentId === parentId && one.achieves?.[field] === value,
    );
    return isMade ? [] : [{ kind, projectId, parentId, address, field, value }];
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

function stale(change: Change, now: LiveResource | undefined): Diagnostic {
  const id = change.resourceId ?? '';
  if (now === undefined) return lost(change.address, `${id} no longer exists`);
  const [name, was] = [now.spec['name'] ?? null, nameOf(change)].map((one) => JSON.stringify(one));
  return lost(change.address, `${id} has the name ${name}, but the plan has the name ${was}`);
}

function lost(address: Address, message: string): Diagnostic {
  return { severity: 'error', code: 'stale', message, hint: 'Nothing was sent. Run trueup plan again.', address };
}
