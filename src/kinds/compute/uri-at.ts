// The URI by which a client of Postgres gets in by a compute: to the first database of its branch, as the owner of that.
import type { DatabaseListing } from '../../api/index.ts';
import type { Reader } from '../../client/types.ts';
import type { LiveResource } from '../../model/live.ts';
import { strangerIn } from '../shared/branch-contents.ts';
import { contentsPath, uriThrough } from '../shared/paths.ts';

/** Null where its branch has no database. Rejects with `ApiFailure`. */
export async function uriAt(
  address: string,
  { id, projectId, spec: { branch_id: branchId } }: LiveResource,
  reader: Reader,
  signal: AbortSignal,
): Promise<string | null> {
  if (typeof branchId !== 'string') return null;
  const { databases } = await reader.get<DatabaseListing>(
    contentsPath(projectId, branchId, 'databases'),
    'DatabaseListing',
    { signal, problemOf: (body) => strangerIn(body.databases, branchId, 'database') },
  );
  const [first] = databases;
  return first === undefined
    ? null
    : uriThrough(address, { compute: id, role: first.owner_name, database: first.name });
}
