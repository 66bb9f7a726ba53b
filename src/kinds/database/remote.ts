// Databases on the wire: how they are listed, what a reply says, and what may be repeated (api-rules 10).
import { millisecondsOf } from '../../base/time/clock.ts';
import { checkReply, type DatabaseListing, type DatabaseWritten } from '../../api/index.ts';
import type { Json } from '../../base/json.ts';
import type { KindRemote, WriteOutcome } from '../../apply/kind-remote.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { operationRefs, strangerIn } from '../shared/branch-contents.ts';
import { contentsPath } from '../shared/paths.ts';
import { columns } from '../shared/lists.ts';
import { databaseId, liveDatabase, PLACE } from './live-database.ts';

export const databaseRemote: KindRemote = {
  ...PLACE,
  isSerial: true,
  isOnlyDeclared: true,
  readBeside: ['role', 'connection'],
  async list(reader, below, signal) {
    const { projectId, parentId = '' } = below;
    const path = contentsPath(projectId, parentId, 'databases');
    const { databases } = await reader.get<DatabaseListing>(path, 'DatabaseListing', {
      signal,
      problemOf: (body) => strangerIn(body.databases, parentId, 'database'),
    });
    return databases.map((database) => liveDatabase(database, below));
  },
  outcome,
  repeat: ({ expects }) => (expects.state === 'present' ? 'converging' : 'named'),
  describe: ({ parentId = null }) => ({ columns: columns({ branch_id: parentId }) }),
};

/** The reply about another database is not the reply to this step; one without a body ends a deletion. */
function outcome(step: Step, reply: Json): WriteOutcome | null {
  const target = step.expects.state === 'present' ? step.expects.id : null;
  const result = checkReply<DatabaseWritten>('DatabaseWritten', reply);
  if (!result.ok) return step.method === 'DELETE' ? { id: target, operations: null, secret: null, record: {} } : null;
  const { database, operations } = result.value;
  const { parentId = '' } = step;
  const id = databaseId(parentId, database.id);
  const isAnother =
    (database.branch_id !== undefined && database.branch_id !== parentId) ||
    (target === null ? database.name !== step.achieves?.['name'] : id !== target);
  if (isAnother) return null;
  return {
    id,
    operations: operationRefs(step, operations),
    secret: null,
    ...(target === null ? { madeAtMs: millisecondsOf(database.created_at) } : {}),
    record: {},
  };
}
