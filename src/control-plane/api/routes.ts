// The routes of the OpenAPI document with their handlers, the match of a request to its route, and the published document.
import { absentThings, operations, unmodelledRoutes } from '../../api/index.ts';
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
import type { Call, Handlers, Input, Method, Reply, Route } from '../resources/engine/call.ts';
import { TrieRouter } from './web.ts';
import { readFileSync, readdirSync } from 'node:fs';

export const routes: readonly Route[] = operations;

/** Each module exports its handlers under the ids of their operations. */
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

/** Runs the handler. A reply with a body gets the first status that the route declares, one without a body gets 204. */
export function answer(call: Call, route: Route, input: Input): Reply {
  const handler = handlers[route.id as keyof Handlers] as (call: Call, input: Input) => unknown;
  const body = route.emptyList === undefined ? handler(call, input) : accounts.emptyList(call, route.emptyList, input);
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

export function findRoute(method: string, path: string): RouteMatch {
  const isKnown = METHODS.some((known) => known === method);
  const found = isKnown ? lookUp(method, path) : undefined;
  if (found !== undefined) return { kind: 'route', ...found };
  const allowed = METHODS.filter((other) => lookUp(other, path) !== undefined);
  return allowed.length > 0 ? { kind: 'wrong-method', allowed } : { kind: 'none' };
}

/** The documented path of an operation that is not modelled; `isAbsent` when a GET of it must answer 404. */
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

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

type Json = Record<string, unknown>;

interface Named {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Json;
  readonly required?: boolean;
}

interface Operation extends Json {
  requestBody?: Named;
  responses: Record<string, Named>;
}

interface Document extends Json {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Json>>;
}

const SCHEMAS = new URL('../../../schemas/api/', import.meta.url);

let made: Document | undefined;

export function openApiDocument(): Document {
  made ??= makeDocument();
  return made;
}

function makeDocument(): Document {
  const document = JSON.parse(textOf('openapi.json')) as Document;
  const schemas = componentSchemas();
  const shape = ({ $ref, ...rest }: Named): Named => {
    const name = $ref?.split('/').at(-1);
    if (name === undefined) return rest;
    const schema = { $ref: `#/components/schemas/${name}` };
    return { description: String(schemas[name]?.['description'] ?? name), content: { 'application/json': { schema } } };
  };
  for (const methods of Object.values(document.paths))
    for (const operation of Object.values(methods)) {
      const { requestBody: body, responses } = operation;
      if (body !== undefined)
        operation.requestBody = { required: operation['x-body-optional'] !== true, ...shape(body) };
      const replies = Object.entries(responses).map(([status, reply]) => [status, shape(reply)] as const);
      operation.responses = { ...Object.fromEntries(replies), default: { $ref: '#/components/responses/Error' } };
    }
  return { ...document, components: { ...document.components, schemas } };
}

function textOf(file: string): string {
  return readFileSync(new URL(file, SCHEMAS), 'utf8');
}

/** The published schemas, without those of seed files, which are no part of the API. */
function componentSchemas(): Record<string, Json> {
  const schemas: Record<string, Json> = {};
  for (const file of readdirSync(SCHEMAS).sort()) {
    if (!file.endsWith('.schema.json') || file.startsWith('world.')) continue;
    const text = textOf(file).replaceAll(/"[^"#]*#\/\$defs\//g, '"#/components/schemas/');
    Object.assign(schemas, (JSON.parse(text) as { $defs: Json }).$defs);
  }
  return schemas;
}
