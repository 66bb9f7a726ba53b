// The OpenAPI 3.1 document, made from the route table and the wire schemas.
import { readFileSync, readdirSync } from 'node:fs';
import { BASE_PATH } from './dispatch.ts';
import type { QueryParameter, Route } from '../resources/engine/route.ts';
import { routes } from './routes.ts';

type Json = Record<string, unknown>;

const SCHEMAS = new URL('../../../schemas/api/', import.meta.url);

let made: Json | undefined;

/** The document; made once. */
export function openApiDocument(): Json {
  made ??= makeDocument();
  return made;
}

function makeDocument(): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Managed database control API',
      version: 'v2',
      description: 'The control API as the local control plane serves it; x-scope says which keys a route answers.',
    },
    servers: [{ url: BASE_PATH }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: componentSchemas(),
      responses: {
        Error: {
          description: 'A refusal. 401: no valid key; 423 and 429: nothing was done, send again later.',
          content: { 'application/json': { schema: reference('ErrorBody') } },
        },
      },
    },
  };
}

function operation(route: Route): Json {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  const body = { content: { 'application/json': { schema: reference(route.body ?? '') } } };
  return {
    operationId: route.id,
    'x-scope': route.scope,
    tags: [route.tag],
    summary: route.summary,
    parameters: [
      ...names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...(route.query ?? []).map(queryParameter),
    ],
    ...(route.body === undefined ? {} : { requestBody: { required: route.bodyOptional !== true, ...body } }),
    responses: { ...goodResponses(route), default: { $ref: '#/components/responses/Error' } },
  };
}

function queryParameter(parameter: QueryParameter): Json {
  const { name, type, minimum, maximum, oneOf, description } = parameter;
  const bounds = { ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) };
  return {
    name,
    in: 'query',
    description,
    schema: { type, ...bounds, ...(oneOf === undefined ? {} : { enum: oneOf }) },
  };
}

function goodResponses(route: Route): Json {
  return Object.fromEntries(
    Object.entries(route.replies).map(([status, shape]) => [
      status,
      shape === null
        ? { description: 'Done; there is no body.' }
        : { description: route.summary, content: { 'application/json': { schema: reference(shape) } } },
    ]),
  );
}

function reference(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
}

/** All definitions of the wire schemas under one roof; the format of seed files is no part of the API. */
function componentSchemas(): Json {
  const schemas: Json = {};
  for (const file of readdirSync(SCHEMAS).sort()) {
    if (!file.endsWith('.schema.json') || file.startsWith('world.')) continue;
    const text = readFileSync(new URL(file, SCHEMAS), 'utf8');
    const { $defs } = JSON.parse(text.replaceAll(/"[^"#]*#\/\$defs\//g, '"#/components/schemas/')) as { $defs: Json };
    Object.assign(schemas, $defs);
  }
  return schemas;
}
