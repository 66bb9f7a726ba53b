// Creates a project with a default branch, a role, its database and a primary compute, all in one call.
import type { ProjectCreateRequest } from '../../../api/index.ts';
import { defined, picked } from '../../../base/picked.ts';
import type { Secret } from '../../../base/secret.ts';
import { noteChange, type Call, type Handler } from '../engine/call.ts';
import { newId } from '../engine/naming.ts';
import { DEFAULT_HISTORY_SECONDS, plans } from '../engine/switches.ts';
import { limitExceeded } from '../../core/refusal.ts';
import { DEFAULT_REGION, requireOrganization, requireRegion } from '../account.ts';
import { createdReply, createWithComputes, requireValidComputes } from '../branch/create.ts';
import { presentBranch, type BranchRecord } from '../branch/record.ts';
import { requireProvisioner } from '../compute/rules.ts';
import { requireDatabaseName } from '../contents/database.ts';
import { newRole, requireRoleName } from '../contents/role.ts';
import { wholeProject } from './list.ts';
import { projectDefaults, nextCheckMs, type ProjectRecord } from './record.ts';
import { mergedSettings, newSettings, requireDefaults, requireHistory, requireValidSettings } from './settings.ts';

const DEFAULT_DATABASE = 'neondb';

type Asked = ProjectCreateRequest['project'];

/** POST /projects: the default branch gets a primary read-write compute (api-rules 1.2). */
export const createProject: Handler<'createProject'> = (call, { body }) => {
  const { engine } = call;
  const { project: asked } = body;
  requireOrganization(engine, asked.org_id, 'member');
  const { projects } = plans[engine.switches.plan];
  if (engine.live.projects.size >= projects) throw limitExceeded('projects', projects, 'PROJECTS_LIMIT_EXCEEDED');
  const record = newProject(call, asked);
  const projectId = record.id;
  const branchId = newId(engine.random, 'br-', engine.live.branches);
  const { branch, passwords } = firstBranch(call, asked, { projectId, branchId });
  const size = picked(asked, ['autoscaling_limit_min_cu', 'autoscaling_limit_max_cu']);
  const primary = { branch_id: branchId, type: 'read_write', ...size };
  requireValidComputes(engine, record, [primary]);
  engine.put('projects', record);
  engine.put('branches', branch);
  noteChange(call, { kind: 'branch', id: branch.id, projectId, before: null, after: presentBranch(branch) });
  const made = createWithComputes(call, branch, [primary], { action: 'create_timeline', effect: 'branch_ready' });
  const shown = wholeProject(engine, projectId);
  const noted = { before: null, after: shown, operations: made.operations };
  noteChange(call, { kind: 'project', id: projectId, projectId, ...noted });
  return { project: shown, ...createdReply(engine, branch, made, passwords) };
};

function newProject({ engine, atMs }: Call, asked: Asked): ProjectRecord {
  const id = newId(engine.random, '', engine.live.projects);
  const { historySeconds } = plans[engine.switches.plan];
  const historyRetentionSeconds = asked.history_retention_seconds ?? Math.min(DEFAULT_HISTORY_SECONDS, historySeconds);
  requireHistory(engine, historyRetentionSeconds);
  const settings = mergedSettings(newSettings, asked.settings);
  requireValidSettings(engine, {}, settings);
  const defaults = asked.default_endpoint_settings ?? {};
  requireDefaults(engine, defaults);
  return {
    id,
    name: asked.name ?? id,
    ...projectDefaults,
    regionId: requireRegion(asked.region_id ?? DEFAULT_REGION),
    provisioner: requireProvisioner(asked.provisioner ?? projectDefaults.provisioner),
    pgVersion: asked.pg_version ?? projectDefaults.pgVersion,
    historyRetentionSeconds,
    ...(asked.store_passwords === false ? { storePasswords: false } : {}),
    settings,
    ...(Object.keys(defaults).length === 0 ? {} : { defaultEndpointSettings: defaults }),
    createdMs: atMs,
    updatedMs: atMs,
    activityMs: atMs,
    ...defined({ nextCheckMs: nextCheckMs(engine.switches, atMs) }),
  };
}

function firstBranch(
  { engine, atMs }: Call,
  asked: Asked,
  { projectId, branchId }: { readonly projectId: string; readonly branchId: string },
): { readonly branch: BranchRecord; readonly passwords: ReadonlyMap<string, Secret> } {
  const database = asked.branch?.database_name ?? DEFAULT_DATABASE;
  const owner = asked.branch?.role_name ?? `${database}_owner`;
  requireDatabaseName(database);
  requireRoleName(owner);
  const { role, password } = newRole(engine, { name: owner, keepsPassword: asked.store_passwords !== false, atMs });
  const { annotations = {} } = asked.branch ?? {};
  const branch: BranchRecord = {
    id: branchId,
    projectId,
    name: asked.branch?.name ?? 'main',
    isDefault: true,
    isProtected: false,
    isFirstRoot: true,
    currentState: 'init',
    stateChangedMs: atMs,
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    createdMs: atMs,
    updatedMs: atMs,
    roles: [role],
    databases: [{ id: 1, name: database, ownerName: owner, createdMs: atMs, updatedMs: atMs }],
  };
  return { branch, passwords: new Map(password === undefined ? [] : [[owner, password]]) };
}
