// The operations of the OpenAPI document as code: the input that each handler gets, and the table of routes.
import { fieldOf, fieldsOf, neededOf } from './document.mjs';

const TYPES = `/** The keys that a route accepts: all, those for the path's project, those of an organization or the account, only those of the account. */
export type Scope = 'key' | 'project' | 'organization' | 'account';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly type: 'string' | 'integer' | 'boolean';
  readonly required?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
  readonly description: string;
}

/** A parameter, or a member of the body under its dotted path; 0 is the first item of a list. */
export interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  readonly types: readonly string[];
  readonly words: readonly string[];
  readonly description: string;
  readonly ofBody?: boolean;
}

export interface Route {
  readonly method: Method;
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly scope: Scope;
  readonly tag: string;
  readonly description?: string;
  /** The button text in the console; without it, the resource has no button for the route. */
  readonly label?: string;
  /** The limit of requests per second, when lower than that of other routes. */
  readonly perSecond?: number;
  /** True for a GET that stores something: the lists of keys store the last uses that they show. */
  readonly commits?: boolean;
  /** True when the path names a deleted resource. */
  readonly ofDeleted?: boolean;
  /** The member of the reply that is always an empty list here. */
  readonly emptyList?: string;
  readonly parameters: readonly Parameter[];
  readonly body?: string;
  readonly bodyOptional?: boolean;
  /** The fields of the console's form. */
  readonly fields: readonly Field[];
  /** The required members of the body that are objects. */
  readonly needed: readonly string[];
  /** The schema names of successful replies by status; null for no body. */
  readonly replies: Readonly<Record<string, string | null>>;
}`;

/** The text of a module made from the document and the schemas of its bodies. */
export function operationsOf(document, bundle) {
  const resolved = (item) =>
    item.$ref === undefined
      ? item
      : item.$ref
          .slice(2)
          .split('/')
          .reduce((at, step) => at[step], document);
  const nameIn = (reference) => reference.$ref?.split('/').at(-1) ?? null;
  const withFields = ({ parameters, body, ...rest }) => ({
    ...rest,
    parameters,
    body,
    fields: [
      ...parameters.map((one) => fieldOf(one.name, one, one.in === 'path' || one.required === true)),
      ...(body === undefined ? [] : fieldsOf(body, bundle).map((one) => ({ ...one, ofBody: true }))),
    ],
    needed: body === undefined ? [] : neededOf(body, bundle),
  });
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      withFields({
        method: method.toUpperCase(),
        path,
        id: operation.operationId,
        summary: operation.summary,
        scope: operation['x-scope'],
        tag: operation.tags[0],
        description: operation.description,
        label: operation['x-label'],
        perSecond: operation['x-per-second'],
        commits: operation['x-commits'],
        ofDeleted: operation['x-of-deleted'],
        emptyList: operation['x-empty-list'],
        parameters: operation.parameters.map(resolved).map((one) => ({
          name: one.name,
          in: one.in,
          required: one.required,
          description: one.description,
          ...one.schema,
        })),
        body: operation.requestBody && nameIn(operation.requestBody),
        bodyOptional: operation['x-body-optional'],
        replies: Object.fromEntries(
          Object.entries(operation.responses).map(([status, response]) => [status, nameIn(response)]),
        ),
      }),
    ),
  );
  const inputs = operations
    .filter(({ emptyList }) => emptyList === undefined)
    .map(({ id, parameters, body }) => {
      const members = parameters.map((one) => `${one.name}${one.required ? '' : '?'}: ${typeOf(one)}`);
      return `  ${id}: { ${[...members, ...(body === undefined ? [] : [`body: wire.${body}`])].join('; ')} };`;
    });
  const replies = operations.map(({ id, replies: shapes }) => {
    const [shape] = Object.values(shapes);
    return `  ${id}: ${shape === null ? 'undefined' : `wire.${shape}`};`;
  });
  return [
    '// Generated from openapi.json by schemas/generate.mjs; do not edit.',
    "import type * as wire from './types.ts';",
    `export interface Operations {\n${inputs.join('\n')}\n}`,
    `export interface Replies {\n${replies.join('\n')}\n}`,
    TYPES,
    `export const routes: readonly Route[] = ${JSON.stringify(operations, null, 1)};`,
    `export const unmodelledRoutes: Readonly<Record<string, string>> = ${JSON.stringify(document['x-unmodelled'])};`,
    `export const absentThings: readonly string[] = ${JSON.stringify(document['x-absent'])};`,
    '',
  ].join('\n');
}

function typeOf({ type, enum: words }) {
  if (words !== undefined) return words.map((word) => JSON.stringify(word)).join(' | ');
  return type === 'integer' ? 'number' : type;
}
