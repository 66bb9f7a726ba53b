// The state of a running server in the form of seed data: it can be imported again.
import { isoTime } from '../../base/time/clock.ts';
import type {
  World,
  WorldBranch,
  WorldCompute,
  WorldKey,
  WorldOperation,
  WorldPermission,
  WorldProject,
} from '../../api/index.ts';
import type { Engine } from '../resources/engine/engine.ts';
import { present, type Fields } from '../core/fields.ts';
import { branchFields, type BranchRecord } from '../resources/branch/record.ts';
import { computeFields, type ComputeRecord } from '../resources/compute/record.ts';
import type { RoleRecord } from '../resources/contents/record.ts';
import { presentPermission, type PermissionRecord } from '../resources/permission/record.ts';
import type { KeyRecord } from '../resources/key/record.ts';
import { presentOperation, type OperationRecord } from '../resources/operation/record.ts';
import { projectFields, type ProjectRecord } from '../resources/project/record.ts';
import { oldestFirst } from '../resources/find.ts';

/** Past operations exported for each project. */
const KEPT_OPERATIONS = 1000;

/** Everything, settled to now. Keys stand as hashes; operations under way are left out, their computes as they were. */
export function exportWorld(engine: Engine): World {
  engine.settle();
  const { live, state } = engine;
  return {
    version: 1,
    account: { ...state.meta.account },
    api_keys: oldestFirst(live.keys.values()).map(exportKey),
    projects: oldestFirst(live.projects.values()).map((project) => exportProject(engine, project)),
  };
}

const keyFields: Fields<KeyRecord> = {
  name: 'name',
  key_sha256: 'hash',
  created_at: 'createdMs',
  last_used_at: 'lastUsedMs',
  last_used_from_addr: 'lastUsedFrom',
  revoked_at: 'revokedMs',
};

function exportKey(key: KeyRecord): WorldKey {
  const id = BigInt(key.id) <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(key.id) : key.id;
  return { id, ...(present(keyFields, key) as Pick<KeyRecord, 'name'>) };
}

function exportProject(engine: Engine, project: ProjectRecord): WorldProject {
  const { live, store } = engine;
  const past = store.past({ projectId: project.id, limit: KEPT_OPERATIONS }).filter((item) => !item.open);
  return {
    ...(structuredClone(present(projectFields, project)) as Pick<WorldProject, 'name'>),
    last_request_at: isoTime(project.activityMs),
    ...(project.detached ? { detached: true } : {}),
    permissions: oldestFirst(live.permissions.of.get(project.id)).map(exportPermission),
    branches: oldestFirst(live.branches.of.get(project.id)).map(exportBranch),
    computes: oldestFirst(live.computes.of.get(project.id)).map(exportCompute),
    operations: past.reverse().map(exportOperation),
  };
}

function exportPermission(permission: PermissionRecord): WorldPermission {
  const { granted_to_email: _email, ...rest } = presentPermission(permission);
  return { email: permission.email, ...rest };
}

function exportBranch(branch: BranchRecord): WorldBranch {
  const { annotations, roles, databases, currentState } = branch;
  const {
    project_id: _project,
    parent_lsn: _lsn,
    current_state: _state,
    state_changed_at: _changed,
    protected: isProtected,
    ...rest
  } = present(branchFields, branch);
  return {
    ...(rest as Pick<WorldBranch, 'name'>),
    ...(isProtected === true ? { protected: true } : {}),
    ...(currentState === 'archived' ? { current_state: 'archived' } : {}),
    ...(annotations === undefined ? {} : { annotation_value: { ...annotations } }),
    roles: roles.map(exportRole),
    databases: databases.map(({ id, name, ownerName }) => ({ id, name, owner_name: ownerName })),
  };
}

/** The name says it all for most. */
function exportRole({ name, isProtected, noLogin }: RoleRecord): NonNullable<WorldBranch['roles']>[number] {
  if (!isProtected && noLogin !== true) return name;
  return { name, ...(isProtected ? { protected: true } : {}), ...(noLogin === true ? { no_login: true } : {}) };
}

function exportCompute(compute: ComputeRecord): WorldCompute {
  const {
    project_id: _project,
    branch_id: _branch,
    region_id: _region,
    pending_state: _pending,
    creation_source: _source,
    ...rest
  } = present(computeFields, compute);
  return {
    ...structuredClone(rest),
    branch: compute.branchId,
    current_state: compute.currentState === 'active' ? 'active' : 'idle',
  };
}

function exportOperation(operation: OperationRecord): WorldOperation {
  const { project_id: _project, total_duration_ms: _duration, ...exported } = presentOperation(operation);
  return exported as WorldOperation;
}
