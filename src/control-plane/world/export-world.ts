// Exports the state of a running server as seed data for a later import.
import type { World } from '../../api/index.ts';
import { present } from '../core/fields.ts';
import { branchSeed, type BranchRecord } from '../resources/branch/record.ts';
import { computeSeed, type ComputeRecord } from '../resources/compute/record.ts';
import { databaseSeed, roleSeed } from '../resources/contents/record.ts';
import type { Engine } from '../resources/engine/engine.ts';
import { oldestFirst } from '../resources/find.ts';
import { keySeed, type KeyRecord } from '../resources/key/record.ts';
import { operationSeed } from '../resources/operation/record.ts';
import { permissionSeed } from '../resources/permission/record.ts';
import { projectSeed, type ProjectRecord } from '../resources/project/record.ts';

const KEPT_OPERATIONS = 1000;

/** Exports the present state, with keys as hashes and without open operations. Computes have their state before these. */
export function exportWorld(engine: Engine): World {
  engine.settle();
  const { live, meta } = engine;
  // A key outlives its project, which the seed data would lack.
  const keys = [...live.keys.values()].filter(
    ({ projectId }) => projectId === undefined || live.projects.has(projectId),
  );
  return structuredClone({
    version: 1,
    account: meta.account,
    api_keys: oldestFirst(keys).map((key) => ({ id: exactId(key), ...present(keySeed, key) })),
    projects: oldestFirst(live.projects.values()).map((project) => exportProject(engine, project)),
  }) as World;
}

function exactId({ id }: KeyRecord): number | string {
  return Number.isSafeInteger(Number(id)) ? Number(id) : id;
}

function exportProject({ live, store }: Engine, project: ProjectRecord): object {
  const { id } = project;
  const past = store.past({ projectId: id, limit: KEPT_OPERATIONS }).filter((item) => !item.open);
  return {
    ...present(projectSeed, project),
    permissions: oldestFirst(live.permissions.of.get(id)).map((item) => present(permissionSeed, item)),
    branches: oldestFirst(live.branches.of.get(id)).map(exportBranch),
    computes: oldestFirst(live.computes.of.get(id)).map(exportCompute),
    operations: past.reverse().map((operation) => present(operationSeed, operation)),
  };
}

function exportBranch(branch: BranchRecord): object {
  const { current_state: state, ...rest } = present(branchSeed, branch);
  return {
    ...rest,
    ...(state === 'archived' ? { current_state: state } : {}),
    roles: branch.roles.map((role) => present(roleSeed, role)),
    databases: branch.databases.map((database) => present(databaseSeed, database)),
  };
}

function exportCompute(compute: ComputeRecord): object {
  const state = compute.currentState === 'active' ? 'active' : 'idle';
  return { ...present(computeSeed, compute), branch: compute.branchId, current_state: state };
}
