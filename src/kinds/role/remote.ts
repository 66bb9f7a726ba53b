// Roles on the wire: how they are listed, what a reply says, and what may be repeated (api-rules 9).
import { millisecondsOf } from '../../base/time/clock.ts';
import { checkReply, type RoleListing, type RoleWritten } from '../../api/index.ts';
import type { Json } from '../../base/json.ts';
import type { KindRemote, WriteOutcome } from '../../apply/kind-remote.ts';
import type { Step } from '../../model/outcome/plan.ts';
import type { LiveResource } from '../../model/live.ts';
import { operationRefs, strangerIn } from '../shared/branch-contents.ts';
import { shownBy } from '../../client/failure.ts';
import { contentsPath, nameSegment } from '../shared/paths.ts';
import { liveRole, partsOf, PLACE, roleId, RECORD, recordFacts } from './live-role.ts';
import { untoldPlaces } from '../shared/secret-facts.ts';
import { hasPlaces } from '../shared/secret-places.ts';
import { columns } from '../shared/lists.ts';
import { contentsOf, gatherFacts, passwordIn } from './password.ts';

export const roleRemote: KindRemote = {
  ...PLACE,
  isSerial: true,
  isOnlyDeclared: true,
  readBeside: ['database', 'connection'],
  async list(reader, below, signal) {
    const { projectId, parentId = '' } = below;
    const { roles } = await reader.get<RoleListing>(contentsPath(projectId, parentId, 'roles'), 'RoleListing', {
      signal,
      problemOf: (body) => strangerIn(body.roles, parentId, 'role'),
    });
    return roles.map((role) => liveRole(role, below));
  },
  show: async (reader, { projectId, id }, signal) => {
    const [parentId, name] = partsOf(id);
    const path = `${contentsPath(projectId, parentId, 'roles')}/${nameSegment(name)}`;
    const read = reader.get<RoleWritten>(path, 'RoleWritten', {
      signal,
      problemOf: ({ role }) => (role.name === name ? strangerIn([role], parentId, 'role') : 'is about another role'),
    });
    return shownBy(read, ({ role }) => liveRole(role, { projectId, parentId }));
  },
  outcome,
  repeat: ({ expects }) => (expects.state === 'present' ? 'converging' : 'named'),
  needless,
  record: RECORD,
  contents: contentsOf,
  needsFacts: ({ desired }) => hasPlaces(desired),
  facts: gatherFacts,
  untold: untoldPlaces,
  describe: ({ parentId = null }) => ({ columns: columns({ branch_id: parentId }) }),
};

/** The reply about another role is not the reply to this step; one without a body ends a deletion. */
function outcome(step: Step, reply: Json): WriteOutcome | null {
  const target = step.expects.state === 'present' ? step.expects.id : null;
  const result = checkReply<RoleWritten>('RoleWritten', reply);
  if (!result.ok) return step.method === 'DELETE' ? { id: target, operations: null, secret: null, record: {} } : null;
  const { role, operations } = result.value;
  const { parentId = '' } = step;
  const id = roleId(parentId, role.name);
  const asked = target ?? roleId(parentId, String(step.achieves?.['name'] ?? ''));
  if (id !== asked || (role.branch_id !== undefined && role.branch_id !== parentId)) return null;
  return {
    id,
    operations: operationRefs(step, operations),
    secret: passwordIn(reply),
    madeAtMs: millisecondsOf(target === null ? role.created_at : role.updated_at),
    record: recordFacts({
      projectId: step.projectId,
      branchId: parentId,
      name: role.name,
      updatedAt: role.updated_at,
    }),
  };
}

/** A reset that is planned upon one password is not sent to another one: somebody was faster, or our own reply was lost. */
function needless(step: Step, { observed }: LiveResource): string | null {
  if (step.method !== 'POST' || step.expects.state !== 'present') return null;
  const before = step.expects.fingerprint.passing['updated_at'] ?? null;
  return before === (observed['updated_at'] ?? null) ? null : 'its password was reset after the plan was made';
}
