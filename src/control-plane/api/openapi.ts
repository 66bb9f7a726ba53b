// The OpenAPI document as it is published: the hand-written one with the wire schemas in it.
import { readFileSync, readdirSync } from 'node:fs';

type Json = Record<string, unknown>;

/** A reference to a wire shape, as a body or a reply. */
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

/** The document; made once. */
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

/** The format of seed files is no part of the API. */
function componentSchemas(): Record<string, Json> {
  const schemas: Record<string, Json> = {};
  for (const file of readdirSync(SCHEMAS).sort()) {
    if (!file.endsWith('.schema.json') || file.startsWith('world.')) continue;
    const text = textOf(file).replaceAll(/"[^"#]*#\/\$defs\//g, '"#/components/schemas/');
    Object.assign(schemas, (JSON.parse(text) as { $defs: Json }).$defs);
  }
  return schemas;
}
