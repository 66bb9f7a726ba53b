// At which URI, without a password, what has one is reached: where the service tells the address of its Postgres, as a local control plane does.
import { noneUnread } from '../../client/failure.ts';
import { readerOf } from '../../client/types.ts';
import { inParallel } from '../../apply/in-parallel.ts';
import { READS_AT_ONCE } from '../../apply/read/read-scopes.ts';
import { kindOf } from '../../kinds/index.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Plan } from '../../model/outcome/plan.ts';
import type { ResourceResult } from '../../model/outcome/result.ts';
import type { Session } from '../connect.ts';

type Resources = Readonly<Record<string, ResourceResult>>;

/**
 * The same resources; those by which a client of Postgres gets in have the URI in `more.uri`. Asks for more only where a Postgres
 * answers; what cannot be read then has none.
 */
export async function withWaysIn(
  { client }: Pick<Session, 'client'>,
  resources: Resources,
  { changes, live }: Pick<Plan, 'changes'> & { readonly live: readonly LiveResource[] },
  signal: AbortSignal,
): Promise<Resources> {
  const address = client.postgresAddress();
  if (address === null) return resources;
  // A role and a connection of one name on a branch have the same id.
  const kinds = new Map(changes.map((change) => [change.address, change.kind]));
  const found = await inParallel(Object.entries(resources), READS_AT_ONCE, async ([name, resource]) => {
    const one = live.find(({ id, kind }) => id === resource.id && kind === kinds.get(name));
    const uri =
      one && (await kindOf(one.kind).remote.uriAt?.(address, one, readerOf(client), signal).catch(noneUnread));
    return [name, uri ? { ...resource, more: { ...resource.more, uri } } : resource] as const;
  });
  return Object.fromEntries(found);
}
