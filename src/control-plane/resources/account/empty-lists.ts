// Lists of the published API that nothing here can fill: they are empty, so that clients that look at them go on.
import type { Call } from '../engine/call.ts';
import type { Input, ReplyBody } from '../engine/route.ts';
import { findBranch, findProject } from '../find.ts';
import { requireOrganization } from './organization.ts';

/** The owner of the list must exist. */
export function emptyList({ engine }: Call, member: string, input: Input): ReplyBody {
  const { project_id: projectId, branch_id: branchId, org_id: orgId } = input as Readonly<Record<string, string>>;
  if (projectId === undefined) requireOrganization(engine, orgId, 'path');
  else if (branchId === undefined) findProject(engine, projectId);
  else findBranch(engine, projectId, branchId);
  return { [member]: [] };
}
