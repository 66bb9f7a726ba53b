// Describes the live resource of each managed address for results and lists.
import { inParallel } from '../../apply/read/read-scopes.ts';
import { noneExpected } from '../../client/failure.ts';
import { readerOf } from '../../client/api-client.ts';
import { kindOf } from '../../kinds/index.ts';
import { isDerived } from '../../plan/diff/draft.ts';
import type { Address } from '../../model/address.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Change, Plan } from '../../model/outcome/plan.ts';
import type { ResourceResult } from '../../model/outcome/result.ts';
import type { Parts } from '../workspace.ts';

type Resources = Readonly<Record<Address, ResourceResult>>;

/** An id in `made` takes precedence over the match of the plan. */
export function resourcesOf(
  plan: Plan,
  live: readonly LiveResource[],
  made: ReadonlyMap<Address, ResourceId> = new Map(),
): Resources {
  const byId = new Map(live.map((resource) => [`${resource.kind} ${resource.id}`, resource]));
  const unmanaged = new Set(plan.unmanaged.map(({ address }) => address));
  return Object.fromEntries(
    plan.changes.flatMap((change): [Address, ResourceResult][] => {
      const { address, kind, resourceId, pinned = true } = change;
      const resource =
        byId.get(`${kind} ${made.get(address)}`) ?? byId.get(`${kind} ${resourceId}`) ?? derivedIn(change);
      if (resource === undefined || unmanaged.has(address)) return [];
      return [[address, { id: resource.id, ...kindOf(kind).describe(resource), pinned }]];
    }),
  );
}

/** Returns the resource as the change describes it, for a kind that exists only in trueup; else undefined. */
function derivedIn({ kind, resourceId, projectId, parentId, before }: Change): LiveResource | undefined {
  if (resourceId === null || before === null || !isDerived(kindOf(kind))) return undefined;
  const below = parentId === undefined ? {} : { parentId };
  return { kind, id: resourceId, projectId, ...below, spec: before, observed: {}, createdAtMs: null };
}

/** Adds `more.uri`, a Postgres URI without a password; only a local control plane reports where its Postgres listens. */
export async function resourcesWithUris(
  { client }: Pick<Parts, 'client'>,
  plan: Plan,
  read: readonly LiveResource[],
  signal: AbortSignal,
): Promise<Resources> {
  const resources = resourcesOf(plan, read);
  const address = client.postgresAddress();
  if (address === null) return resources;
  const live = [...read, ...plan.changes.flatMap((change) => derivedIn(change) ?? [])];
  // A role and a connection with the same name on one branch have the same id, so the kind is compared, too.
  const kinds = new Map(plan.changes.map((change) => [change.address, change.kind]));
  const found = await inParallel(Object.entries(resources), async ([name, resource]) => {
    const one = live.find(({ id, kind }) => id === resource.id && kind === kinds.get(name));
    const uri = one && (await kindOf(one.kind).uriAt?.(address, one, readerOf(client), signal).catch(noneExpected));
    return [name, uri ? { ...resource, more: { ...resource.more, uri } } : resource] as const;
  });
  return Object.fromEntries(found);
}
