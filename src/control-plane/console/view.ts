// Data of the pages, read through the API's own routes on behalf of a key.
import { defined } from '../../base/picked.ts';
import type { Branch, Database, Endpoint, Operation, ProjectListItem, Role } from '../../api/index.ts';
import { stringifyJson } from '../../base/json.ts';
import { pathTo } from './page/parts.ts';
import type { ControlPlane } from '../control-plane.ts';
import { presentOperation, type OperationRecord } from '../resources/operation/record.ts';

/** The API as one signed-in person sees it. */
export interface Viewer {
  readonly controlPlane: ControlPlane;
  readonly keyId: string;
}

const PROJECTS_PER_PAGE = 50;
const OPERATIONS_PER_PAGE = 25;

interface Pagination {
  readonly cursor?: string;
}

export interface Listed<T> {
  readonly items: readonly T[];
  readonly next?: string;
}

export interface ProjectRow {
  readonly project: ProjectListItem;
  readonly active: number;
  readonly idle: number;
  readonly open: number;
}

export interface ProjectQuery {
  readonly search: string;
  readonly cursor: string | undefined;
}

export function projectRows(viewer: Viewer, { search, cursor }: ProjectQuery): Listed<ProjectRow> {
  const filter: Record<string, string> = search === '' ? {} : { search };
  const listed = pageOf(cursor, PROJECTS_PER_PAGE, (query) => {
    const reply = get(viewer, ['projects'], {
      ...filter,
      ...query,
    }) as { projects: ProjectListItem[]; pagination?: Pagination };
    return { items: reply.projects, next: reply.pagination?.cursor };
  });
  return { ...listed, items: listed.items.map((project) => projectRow(viewer, project)) };
}

export function deletedProjects(viewer: Viewer, search: string = ''): readonly ProjectListItem[] {
  const query = { recoverable: 'true', limit: '400', ...(search === '' ? {} : { search }) };
  return (get(viewer, ['projects'], query) as { projects: ProjectListItem[] }).projects.toReversed();
}

/** A page of an API list. Even the last page may have a cursor, so the next page is read before its link is shown. */
function pageOf<T>(
  cursor: string | undefined,
  size: number,
  ask: (query: Record<string, string>) => { readonly items: readonly T[]; readonly next: string | undefined },
): Listed<T> {
  const { items, next } = ask({ limit: String(size), ...defined({ cursor }) });
  const hasMore = next !== undefined && ask({ limit: '1', cursor: next }).items.length > 0;
  return hasMore ? { items, next } : { items };
}

function projectRow(viewer: Viewer, project: ProjectListItem): ProjectRow {
  const computes = computesOf(viewer, project.id);
  const active = computes.filter(({ current_state: state }) => state === 'active').length;
  return { project, active, idle: computes.length - active, open: openOperations(viewer, project.id).length };
}

export function get(viewer: Viewer, path: readonly string[], query: Record<string, string> = {}): unknown {
  return ask(viewer, 'GET', ['', ...path.map(encodeURIComponent)].join('/'), query);
}

/** The answer that the key itself would get. Throws Refusal. */
export function ask(
  { controlPlane, keyId }: Viewer,
  method: string,
  path: string,
  query: Record<string, string> = {},
  body?: unknown,
): unknown {
  return controlPlane.dispatcher.ask(keyId, {
    method,
    path,
    search: new URLSearchParams(query),
    contentType: 'application/json',
    body: body === undefined ? '' : stringifyJson(body),
  });
}

function projectOf(viewer: Viewer, projectId: string): ProjectListItem {
  return (get(viewer, ['projects', projectId]) as { project: ProjectListItem }).project;
}

export function computeOf(viewer: Viewer, projectId: string, computeId: string): Endpoint {
  return (get(viewer, ['projects', projectId, 'endpoints', computeId]) as { endpoint: Endpoint }).endpoint;
}

function computesOf(viewer: Viewer, projectId: string): readonly Endpoint[] {
  return (get(viewer, ['projects', projectId, 'endpoints']) as { endpoints: Endpoint[] }).endpoints;
}

export function branchOf(viewer: Viewer, projectId: string, branchId: string): Branch {
  return (get(viewer, ['projects', projectId, 'branches', branchId]) as { branch: Branch }).branch;
}

const ALL_BRANCHES = { limit: '10000', sort_by: 'created_at', sort_order: 'asc' } as const;

export function branchesOf(viewer: Viewer, projectId: string, more: Record<string, string> = {}): readonly Branch[] {
  return (get(viewer, ['projects', projectId, 'branches'], { ...ALL_BRANCHES, ...more }) as { branches: Branch[] })
    .branches;
}

type InProject = Pick<Branch, 'project_id' | 'id'>;

export function rolesOf(viewer: Viewer, { project_id: projectId, id }: InProject): readonly Role[] {
  return (get(viewer, ['projects', projectId, 'branches', id, 'roles']) as { roles: Role[] }).roles;
}

export function databasesOf(viewer: Viewer, { project_id: projectId, id }: InProject): readonly Database[] {
  return (get(viewer, ['projects', projectId, 'branches', id, 'databases']) as { databases: Database[] }).databases;
}

/** The open operations, oldest first; they may be older than any page of the list. */
function openOperations({ controlPlane }: Viewer, projectId: string): readonly Operation[] {
  return shown(controlPlane.truth.operations({ projectId, open: true })).reverse();
}

function shown(operations: readonly OperationRecord[]): Operation[] {
  return operations.filter(({ hidden }) => hidden !== true).map(presentOperation);
}

const OPERATIONS_LOOKED_AT = 200;
const OPERATIONS_OF_ONE = 10;

export function operationsOn(
  { controlPlane }: Viewer,
  projectId: string,
  isOn: (operation: Operation) => boolean,
): readonly Operation[] {
  const newest = controlPlane.truth.operations({ projectId, limit: OPERATIONS_LOOKED_AT });
  return shown(newest).filter(isOn).slice(0, OPERATIONS_OF_ONE);
}

export interface ProjectView {
  readonly project: ProjectListItem;
  readonly computes: readonly Endpoint[];
  readonly branches: readonly Branch[];
  readonly open: readonly Operation[];
  readonly atMs: number;
}

export function projectView(viewer: Viewer, projectId: string): ProjectView {
  return {
    project: projectOf(viewer, projectId),
    computes: computesOf(viewer, projectId),
    branches: branchesOf(viewer, projectId),
    open: openOperations(viewer, projectId),
    atMs: viewer.controlPlane.engine.atMs,
  };
}

export function operationsOf(viewer: Viewer, projectId: string, cursor: string | undefined): Listed<Operation> {
  return pageOf(cursor, OPERATIONS_PER_PAGE, (query) => {
    const path = ['projects', projectId, 'operations'];
    const reply = get(viewer, path, query) as { operations: Operation[]; pagination?: Pagination };
    return { items: reply.operations, next: reply.pagination?.cursor };
  });
}

export function pathOfProject(projectId: string): string {
  return pathTo('projects', projectId);
}

export function pathOfBranch({ project_id: projectId, id }: InProject): string {
  return pathTo('projects', projectId, 'branches', id);
}

export function pathOfCompute({ project_id: projectId, id }: InProject): string {
  return pathTo('projects', projectId, 'computes', id);
}
