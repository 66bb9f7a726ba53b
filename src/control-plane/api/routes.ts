// The route table: every route of the OpenAPI document with its handler, and which of them answers a request.
import { absentThings, operations, unmodelledRoutes } from '../../api/index.ts';
import { emptyList } from '../resources/account/empty-lists.ts';
import { accountHandlers } from '../resources/account/user.ts';
import { branchHandlers } from '../resources/branch/handlers.ts';
import { computeHandlers } from '../resources/compute/compute.ts';
import { connectionHandlers } from '../resources/contents/connection-uri.ts';
import { databaseHandlers } from '../resources/contents/database.ts';
import { roleHandlers } from '../resources/contents/role.ts';
import type { Call } from '../resources/engine/call.ts';
import type { Handlers, Input, Method, Reply, Route } from '../resources/engine/route.ts';
import { keyHandlers } from '../resources/key/key.ts';
import { organizationKeyHandlers } from '../resources/key/organization-keys.ts';
import { operationHandlers } from '../resources/operation/operation.ts';
import { permissionHandlers } from '../resources/permission/permission.ts';
import { projectHandlers } from '../resources/project/handlers.ts';
import { TrieRouter } from './web.ts';

export const routes: readonly Route[] = operations;

const handlers: Handlers = {
  ...keyHandlers,
  ...projectHandlers,
  ...computeHandlers,
  ...operationHandlers,
  ...branchHandlers,
  ...roleHandlers,
  ...databaseHandlers,
  ...connectionHandlers,
  ...permissionHandlers,
  ...organizationKeyHandlers,
  ...accountHandlers,
};

/** The answer with the first status that the route has for one; 204 where there is no body. */
export function answer(call: Call, route: Route, input: Input): Reply {
  const handler = handlers[route.id as keyof Handlers] as (call: Call, input: Input) => unknown;
  const body = route.emptyList === undefined ? handler(call, input) : emptyList(call, route.emptyList, input);
  return body === undefined ? { status: 204 } : { status: Number(Object.keys(route.replies)[0]), body };
}

type Found = { readonly route: Route; readonly params: Readonly<Record<string, string>> };

export type RouteMatch =
  | ({ readonly kind: 'route' } & Found)
  | { readonly kind: 'wrong-method'; readonly allowed: readonly Method[] }
  | { readonly kind: 'none' };

const METHODS: readonly Method[] = ['GET', 'POST', 'PATCH', 'DELETE'];

const router = new TrieRouter<Route>();
// The first match wins, so a fixed segment stands before a parameter (/projects/shared before /projects/{project_id}).
for (const route of routes.toSorted((a, b) => paramsIn(a) - paramsIn(b)))
  router.add(route.method, forRouter(route.path), route);

const unmodelled = new TrieRouter<string>();
for (const [path, methods] of Object.entries(unmodelledRoutes))
  for (const method of methods.split(' ')) unmodelled.add(method, forRouter(path), path);

function forRouter(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function paramsIn({ path }: Route): number {
  return path.split('{').length - 1;
}

/** The route for a method and a path below the version segment. */
export function findRoute(method: string, path: string): RouteMatch {
  const isKnown = METHODS.some((known) => known === method);
  const found = isKnown ? lookUp(method, path) : undefined;
  if (found !== undefined) return { kind: 'route', ...found };
  const allowed = METHODS.filter((other) => lookUp(other, path) !== undefined);
  return allowed.length > 0 ? { kind: 'wrong-method', allowed } : { kind: 'none' };
}

/** The published path of a request that is not modelled, and whether a look at it finds nothing. */
export function findUnmodelled(
  method: string,
  path: string,
): { readonly path: string; readonly isAbsent: boolean } | undefined {
  const found = unmodelled.match(method, path)[0][0]?.[0];
  return found === undefined ? undefined : { path: found, isAbsent: method === 'GET' && absentThings.includes(found) };
}

function lookUp(method: string, path: string): Found | undefined {
  const [first] = router.match(method, path)[0];
  if (first === undefined) return undefined;
  const [route, segments] = first;
  const params = Object.entries(segments).map(([name, segment]) => [name, decode(String(segment))] as const);
  return { route, params: Object.fromEntries(params) };
}

/** A segment that is not encoded well is taken as it is. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
