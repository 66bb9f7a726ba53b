// The route table: every route of the API, and which of them answers a request.
import { emptyListRoutes } from '../resources/account/empty-lists.ts';
import { accountRoutes } from '../resources/account/user.ts';
import { branchRoutes } from '../resources/branch/routes.ts';
import { computeRoutes } from '../resources/compute/compute.ts';
import { connectionRoutes } from '../resources/contents/connection-uri.ts';
import { databaseRoutes } from '../resources/contents/database.ts';
import { roleRoutes } from '../resources/contents/role.ts';
import { keyRoutes } from '../resources/key/key.ts';
import { organizationKeyRoutes } from '../resources/key/organization-keys.ts';
import { operationRoutes } from '../resources/operation/operation.ts';
import { permissionRoutes } from '../resources/permission/permission.ts';
import { projectRoutes } from '../resources/project/routes.ts';
import type { Method, Route } from '../resources/engine/route.ts';
import { TrieRouter } from './web.ts';

export const routes: readonly Route[] = [
  ...keyRoutes,
  ...projectRoutes,
  ...computeRoutes,
  ...operationRoutes,
  ...branchRoutes,
  ...roleRoutes,
  ...databaseRoutes,
  ...connectionRoutes,
  ...permissionRoutes,
  ...organizationKeyRoutes,
  ...accountRoutes,
  ...emptyListRoutes,
];

type Found = { readonly route: Route; readonly params: Readonly<Record<string, string>> };

export type RouteMatch =
  | ({ readonly kind: 'route' } & Found)
  | { readonly kind: 'wrong-method'; readonly allowed: readonly Method[] }
  | { readonly kind: 'none' };

const METHODS: readonly Method[] = ['GET', 'POST', 'PATCH', 'DELETE'];

const router = new TrieRouter<Route>();
// The first that fits is taken: a fixed segment stands before a parameter (/projects/shared before /projects/{project_id}).
for (const route of routes.toSorted((a, b) => paramsIn(a) - paramsIn(b)))
  router.add(route.method, route.path.replaceAll(/\{(\w+)\}/g, ':$1'), route);

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

function lookUp(method: string, path: string): Found | undefined {
  const [first] = router.match(method, path)[0];
  if (first === undefined) return undefined;
  const [route, segments] = first;
  const params = Object.entries(segments).map(([name, segment]) => [name, decode(String(segment))] as const);
  return { route, params: Object.fromEntries(params) };
}

/** A segment as it was meant; one that is not encoded well is taken as it is. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
