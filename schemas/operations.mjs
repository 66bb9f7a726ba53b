// The operations of the OpenAPI document as code: the input that each handler gets, and the table of routes.
import { fieldOf, fieldsOf, neededOf } from './document.mjs';

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
        parameters: (operation.parameters ?? []).map(resolved).map((one) => ({
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
    `export const operations = ${JSON.stringify(operations, null, 1)} as const;`,
    `export const unmodelledRoutes: Readonly<Record<string, string>> = ${JSON.stringify(document['x-unmodelled'])};`,
    `export const absentThings: readonly string[] = ${JSON.stringify(document['x-absent'])};`,
    '',
  ].join('\n');
}

function typeOf({ type, enum: words }) {
  if (words !== undefined) return words.map((word) => JSON.stringify(word)).join(' | ');
  return type === 'integer' ? 'number' : type;
}
