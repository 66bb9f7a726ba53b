// Exports the state of a running server as seed data, which can be imported again.
import type { World, WorldBranch, WorldCompute, WorldKey } from '../../api/index.ts';
import { present } from '../core/fields.ts';
import { branchSeed, type BranchRecord } from '../resources/branch/record.ts';
import { computeSeed, type ComputeRecord } from '../resources/compute/record.ts';
import { databaseSeed, roleSeed, type RoleRecord } from '../resources/contents/record.ts';
import type { Engine } from '../resources/engine/engine.ts';
import { oldestFirst } from '../resources/find.ts';
import { keySeed, type KeyRecord } from '../resources/key/record.ts';
import { operationSeed } from '../resources/operation/record.ts';
import { permissionSeed } from '../resources/permission/record.ts';
import { projectSeed, type ProjectRecord } from '../resources/project/record.ts';

const KEPT_OPERATIONS = 1000;

type Project = NonNullable<World['projects']>[number];

/** Exports everything at the present time. Keys are exported as hashes; open operations are omitted, and their computes are as before. */
export function exportWorld(engine: Engine): World {
  engine.settle();
  const { live, state } = engine;
  return structuredClone({
    version: 1,
    account: state.meta.account,
    api_keys: oldestFirst(live.keys.values()).map(exportKey),
    projects: oldestFirst(live.projects.values()).map((project) => exportProject(engine, project)),
  });
}

function exportKey(key: KeyRecord): WorldKey {
  const id = BigInt(key.id) <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(key.id) : key.id;
  return { id, ...(present(keySeed, key) as Pick<WorldKey, 'name'>) };
}

function exportProject({ live, store }: Engine, project: ProjectRecord): Project {
  const { id } = project;
  const past = store.past({ projectId: id, limit: KEPT_OPERATIONS }).filter((item) => !item.open);
  return {
    ...(withoutFalse(present(projectSeed, project), 'detached') as Pick<Project, 'name'>),
    permissions: oldestFirst(live.permissions.of.get(id)).map((item) => ({
      email: item.email,
      ...present(permissionSeed, item),
    })),
    branches: oldestFirst(live.branches.of.get(id)).map(exportBranch),
    computes: oldestFirst(live.computes.of.get(id)).map(exportCompute),
    operations: past.reverse().map((operation) => ({ action: operation.action, ...present(operationSeed, operation) })),
  };
}

function exportBranch(branch: BranchRecord): WorldBranch {
  const { current_state: state, ...rest } = present(branchSeed, branch);
  return {
    ...(withoutFalse(rest, 'protected') as Pick<WorldBranch, 'name'>),
    ...(state === 'archived' ? { current_state: state } : {}),
    roles: branch.roles.map(exportRole),
    databases: branch.databases.map((database) =>
      present(databaseSeed, database),
    ) as Required<WorldBranch>['databases'],
  };
}

/** A role as seed data; just its name when all else is default. */
function exportRole(role: RoleRecord): NonNullable<WorldBranch['roles']>[number] {
  const shown = withoutFalse(present(roleSeed, role), 'protected', 'no_login');
  return Object.keys(shown).length === 1 ? role.name : { ...shown, name: role.name };
}

function exportCompute(compute: ComputeRecord): WorldCompute {
  const state = compute.currentState === 'active' ? 'active' : 'idle';
  return { ...present(computeSeed, compute), branch: compute.branchId, current_state: state };
}

/** Omits the named members when they are false, their default. */
function withoutFalse(shown: Record<string, unknown>, ...names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(shown).filter(([name, value]) => value !== false || !names.includes(name)));
}
