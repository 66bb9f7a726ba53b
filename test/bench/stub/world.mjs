// The account behind the stub: projects with branches, computes that exist or not, operations that end after a fixed time.
import { randomUUID } from 'node:crypto';

const CREATED_AT = '2026-01-01T00:00:00Z';
const now = () => new Date().toISOString();
const pad = (number, width) => String(number).padStart(width, '0');

/** Names that stub, contenders and the generated files agree on. */
export const names = {
  projectId: (p) => `bench-${pad(p, 5)}`,
  projectName: (p) => `fleet-${pad(p, 5)}`,
  branchId: (p, b) => `br-fleet-branch-${pad(p, 5)}${pad(b, 3)}`,
  computeId: (p, b) => `ep-fleet-compute-${pad(p, 5)}${pad(b, 3)}`,
};

/** `shape`: `{ projects, branches, computes, operationMs }`: a read_write compute on every branch if `computes`. */
export function createWorld(shape) {
  const projects = new Map();
  for (let p = 1; p <= shape.projects; p++) {
    const id = names.projectId(p);
    const project = { id, name: names.projectName(p), branches: new Map(), computes: new Map(), operations: [] };
    for (let b = 1; b <= shape.branches; b++) {
      const branch = branchOf(id, names.branchId(p, b), b === 1 ? 'main' : `branch-${b}`, b === 1);
      project.branches.set(branch.id, branch);
      if (!shape.computes) continue;
      const compute = computeOf(id, { branch_id: branch.id, type: 'read_write' }, names.computeId(p, b));
      project.computes.set(compute.id, compute);
    }
    projects.set(id, project);
  }
  return { shape, projects, made: 0 };
}

export const projectOnWire = ({ id, name }) => ({
  id,
  name,
  platform_id: 'aws',
  region_id: 'aws-us-east-2',
  provisioner: 'k8s-neonvm',
  pg_version: 17,
  locked: false,
  cpu_used_sec: 0,
  active_time: 0,
  branch_logical_size_limit: 0,
  branch_logical_size_limit_bytes: 0,
  store_passwords: true,
  history_retention_seconds: 86_400,
  proxy_host: 'us-east-2.aws.db.localhost',
  creation_source: 'console',
  owner_id: 'bench',
  settings: {},
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
});

function branchOf(projectId, id, name, isDefault) {
  return {
    id,
    project_id: projectId,
    name,
    current_state: 'ready',
    state_changed_at: CREATED_AT,
    creation_source: 'console',
    init_source: 'parent-data',
    default: isDefault,
    primary: isDefault,
    protected: false,
    cpu_used_sec: 0,
    active_time_seconds: 0,
    compute_time_seconds: 0,
    written_data_bytes: 0,
    data_transfer_bytes: 0,
    created_at: CREATED_AT,
    updated_at: CREATED_AT,
  };
}

export function computeOf(projectId, asked, id, state = 'active') {
  return {
    id,
    project_id: projectId,
    branch_id: asked.branch_id,
    host: `${id}.us-east-2.aws.db.localhost`,
    proxy_host: 'us-east-2.aws.db.localhost',
    region_id: 'aws-us-east-2',
    type: asked.type,
    current_state: state,
    autoscaling_limit_min_cu: asked.autoscaling_limit_min_cu ?? 0.25,
    autoscaling_limit_max_cu: asked.autoscaling_limit_max_cu ?? 1,
    provisioner: 'k8s-neonvm',
    settings: asked.settings ?? { pg_settings: {} },
    suspend_timeout_seconds: asked.suspend_timeout_seconds ?? 300,
    pooler_enabled: asked.pooler_enabled ?? false,
    pooler_mode: 'transaction',
    disabled: asked.disabled ?? false,
    passwordless_access: true,
    creation_source: 'console',
    created_at: state === 'active' ? CREATED_AT : now(),
    updated_at: state === 'active' ? CREATED_AT : now(),
  };
}

/** A new operation, newest first in its project. */
export function startOperation(world, project, { branch_id, endpoint_id }) {
  const startedAt = now();
  const operation = {
    id: randomUUID(),
    project_id: project.id,
    branch_id,
    endpoint_id,
    action: 'start_compute',
    status: 'running',
    failures_count: 0,
    created_at: startedAt,
    updated_at: startedAt,
    total_duration_ms: 0,
  };
  project.operations.unshift(operation);
  setTimeout(() => {
    const { operationMs } = world.shape;
    Object.assign(operation, { status: 'finished', updated_at: now(), total_duration_ms: operationMs });
    const compute = project.computes.get(endpoint_id);
    compute.current_state = 'active';
    delete compute.pending_state;
  }, world.shape.operationMs);
  return operation;
}
