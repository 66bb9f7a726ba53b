// Permissions on the wire: how they are listed, what a reply says, and what may be repeated (api-rules 11).
import { checkReply, type PermissionListItem, type PermissionListing } from '../../api/index.ts';
import type { Json } from '../../base/json.ts';
import type { KindRemote, WriteOutcome } from '../../apply/kind-remote.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { columns } from '../shared/lists.ts';
import { isSegment } from '../shared/paths.ts';
import { folded, livePermission, PLACE } from './live-permission.ts';
import { permissionsPath } from './rules.ts';

export const permissionRemote: KindRemote = {
  ...PLACE,
  isSerial: true,
  isOnlyDeclared: true,
  /** Those in force: the list may hold revoked ones. */
  async list(reader, { projectId }, signal) {
    const { project_permissions: all } = await reader.get<PermissionListing>(
      permissionsPath(projectId),
      'PermissionListing',
      { signal, problemOf: ({ project_permissions: listed }) => problemOf(listed) },
    );
    return all.filter(isInForce).map((one) => livePermission(one, projectId ?? ''));
  },
  outcome,
  // Granted again, it is the same grant; who has the address has it, whoever granted it.
  repeat: ({ expects }) => (expects.state === 'present' ? 'converging' : 'named'),
  describe: () => ({ columns: columns() }),
};

function isInForce({ revoked_at: revokedAt }: PermissionListItem): boolean {
  return revokedAt === undefined;
}

/** A permission that stands there twice would be two that hold one address. Their ids have any form. */
function problemOf(listed: readonly PermissionListItem[]): string | null {
  if (!listed.every(({ id }) => isSegment(id))) return 'lists a permission without an id';
  const ids = new Set(listed.map(({ id }) => id));
  return ids.size === listed.length ? null : 'lists a permission twice';
}

/** The reply about somebody else is not the reply to this step. No operation goes with it. */
function outcome(step: Step, reply: Json): WriteOutcome | null {
  const target = step.expects.state === 'present' ? step.expects.id : null;
  const result = checkReply<PermissionListItem>('PermissionListItem', reply);
  if (!result.ok) return null;
  const { id, granted_to_email: email, revoked_at: revokedAt } = result.value;
  const isOther = target === null ? folded(email) !== step.achieves?.['email'] : id !== target;
  if (isOther || (target === null && revokedAt !== undefined)) return null;
  const madeAtMs = target === null ? { madeAtMs: livePermission(result.value, '').createdAtMs } : {};
  return { id, operations: [], secret: null, ...madeAtMs, record: {} };
}
