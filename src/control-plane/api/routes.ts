// The routes of the OpenAPI document with their handlers, and the match of a request to its route.
import { absentThings, routes, unmodelledRoutes, type Route } from '../../api/index.ts';
import * as accounts from '../resources/account.ts';
import * as branches from '../resources/branch/handlers.ts';
import * as computes from '../resources/compute/handlers.ts';
import * as connections from '../resources/contents/connection-uri.ts';
import * as databases from '../resources/contents/database.ts';
import * as roles from '../resources/contents/role.ts';
import * as keys from '../resources/key/handlers.ts';
import * as operationHandlers from '../resources/operation/handlers.ts';
import * as permissions from '../resources/permission/handlers.ts';
import * as projects from '../resources/project/handlers.ts';
import type { Call, Found, Handlers, Input, Reply } from '../resources/engine/call.ts';
import { foundBy } from '../resources/find.ts';
import { Refusal, notModelled } from '../core/refusal.ts';
import { TrieRouter } from './web.ts';

const routesById: ReadonlyMap<string, Route> = new Map(routes.map((route) => [route.id, route]));

export function routeOf(id: string): Route {
  const route = routesById.get(id);
  if (route === undefined) throw new Refusal(404, 'the API has no such operation');
  return route;
}

const handlers: Handlers = {
  ...keys,
  ...projects,
  ...computes,
  ...operationHandlers,
  ...branches,
  ...roles,
  ...databases,
  ...connections,
  ...permissions,
  ...accounts,
};

/** Makes the reply of a route. A reply with a body has the first declared status of the route; without a body, it has 204. */
export function answer(call: Call, route: Route, input: Input, params: Params): Reply {
  const handler = handlers[route.id as keyof Handlers] as (call: Call, input: Input) => unknown;
  const found = foundFor(call, route, params);
  if (found === undefined) return { status: 204 };
  const body = route.emptyList === undefined ? handler({ ...call, ...found }, input) : { [route.emptyList]: [] };
  return body === undefined ? { status: 204 } : { status: Number(Object.keys(route.replies)[0]), body };
}

type Params = Readonly<Record<string, string>>;

/** Paths for which DELETE of a missing resource succeeds (204), if the switch `missingDelete` says so. */
const IDEMPOTENT = /\{(?:branch_id|endpoint_id|role_name|database_name)\}$/;

/** Finds the resources in the path. Undefined if a DELETE finds nothing and the switch `missingDelete` is 204. */
function foundFor({ engine }: Call, { method, path, ofDeleted }: Route, params: Params): Partial<Found> | undefined {
  if (ofDeleted === true) return {};
  if (params['org_id'] !== undefined) accounts.requireOrganization(engine, params['org_id'], 'path');
  try {
    return foundBy(engine, params);
  } catch (error) {
    const isGone = error instanceof Refusal && method === 'DELETE' && IDEMPOTENT.test(path);
    if (isGone && engine.switches.missingDelete === 204 && engine.live.projects.has(params['project_id'] ?? ''))
      return undefined;
    throw error;
  }
}

export type Matched = { readonly route: Route; readonly params: Params };

const router = new TrieRouter<Route>();
// The first match wins, so paths with fewer parameters come first (/projects/shared before /projects/{project_id}).
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

/** The refusal of a request without a route: 501 for a published operation that is not modelled, otherwise 404. */
export function noRoute(method: string, path: string): Refusal {
  const published = unmodelled.match(method, path)[0][0]?.[0];
  if (published === undefined) return new Refusal(404, 'this route does not exist');
  if (method === 'GET' && absentThings.includes(published))
    return new Refusal(404, `there is none; ${published} is not modelled`);
  return notModelled(`${method} ${published}`);
}

export function findRoute(method: string, path: string): Matched | undefined {
  const [first] = router.match(method, path)[0];
  if (first === undefined) return undefined;
  const [route, segments] = first;
  const params = Object.entries(segments).map(([name, segment]) => [name, decode(String(segment))] as const);
  return { route, params: Object.fromEntries(params) };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
