// Reads the data of the pages, mostly through the API's own routes with the rights of the viewer's key.
import type { Branch, Endpoint, Operation, ProjectListItem, Replies, Route } from '../../api/index.ts';
import { stringifyJson } from '../../base/json.ts';
import { routeOf } from '../api/routes.ts';
import type { ControlPlane } from '../control-plane.ts';
import { presentOperation, type OperationRecord } from '../resources/operation/record.ts';

export interface Viewer {
  readonly controlPlane: ControlPlane;
  readonly keyId: string;
}

/** Path and query parameters by name; an empty value counts as absent. */
export type Values = Readonly<Record<string, string>>;

/** Sends a request with the viewer's key, so that the key's scope applies; returns the body of the reply. Throws Refusal. */
export function send({ controlPlane, keyId }: Viewer, route: Route, values: Values, body?: unknown): unknown {
  const query = route.parameters.filter(({ in: place, name }) => place === 'query' && (values[name] ?? '') !== '');
  return controlPlane.dispatcher.ask(keyId, {
    method: route.method,
    path: route.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(values[name] ?? '')),
    search: new URLSearchParams(query.map(({ name }) => [name, values[name] ?? ''] as [string, string])),
    body: body === undefined ? '' : stringifyJson(body),
  });
}

export function ask<I extends keyof Replies>(viewer: Viewer, id: I, values: Values = {}): Replies[I] {
  return send(viewer, routeOf(id), values) as Replies[I];
}

const PER_PAGE = '50';

interface Listed<T> {
  readonly items: readonly T[];
  readonly next: string | undefined;
}

/** Reads a page of an API list. Even the last page may have a cursor, so `next` is set only if more items follow. */
export function pageOf<I extends 'listProjects' | 'listProjectOperations', T>(
  viewer: Viewer,
  id: I,
  values: Values,
  itemsOf: (reply: Replies[I]) => readonly T[],
): Listed<T> {
  const reply = ask(viewer, id, { ...values, limit: PER_PAGE });
  const next = reply.pagination?.cursor;
  const hasMore = next !== undefined && itemsOf(ask(viewer, id, { ...values, limit: '1', cursor: next })).length > 0;
  return { items: itemsOf(reply), next: hasMore ? next : undefined };
}

export function branchesOf(viewer: Viewer, projectId: string, more: Values = {}): readonly Branch[] {
  const all = { project_id: projectId, limit: '10000', sort_by: 'created_at', sort_order: 'asc' };
  return ask(viewer, 'listProjectBranches', { ...all, ...more }).branches;
}

export function openOperations({ controlPlane }: Viewer, projectId: string): readonly Operation[] {
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
    project: ask(viewer, 'getProject', { project_id: projectId }).project,
    computes: ask(viewer, 'listProjectEndpoints', { project_id: projectId }).endpoints,
    branches: branchesOf(viewer, projectId),
    open: openOperations(viewer, projectId),
    atMs: viewer.controlPlane.engine.atMs,
  };
}

type InProject = Pick<Branch, 'project_id' | 'id'>;

export function pathOfProject(projectId: string): string {
  return `/projects/${encodeURIComponent(projectId)}`;
}

export function pathOfBranch({ project_id: projectId, id }: InProject): string {
  return `${pathOfProject(projectId)}/branches/${encodeURIComponent(id)}`;
}

export function pathOfCompute({ project_id: projectId, id }: InProject): string {
  return `${pathOfProject(projectId)}/computes/${encodeURIComponent(id)}`;
}
