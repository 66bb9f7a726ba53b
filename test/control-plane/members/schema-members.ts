// The members of every request body, as the wire schemas tell them: each by its path, with what is no value of it.
import { openApiText } from '../../../src/api/generated/document.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

export interface Member {
  /** Id of the route. */
  readonly request: string;
  /** Dotted path from the top of the body; `[]` is each item of a list. */
  readonly path: string;
  /** A value of another type than the member has. */
  readonly wrong: unknown;
}

const document = JSON.parse(openApiText) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { operationId: string; requestBody?: BodyOf }>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};
interface BodyOf {
  readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
}

/** Every member without members of its own, of every body; a free table of names and values is one member. */
export function allMembers(): Member[] {
  return Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ operationId: request, requestBody }) => {
      const schema = requestBody?.content['application/json']?.schema;
      if (schema === undefined) return [];
      return leavesOf(schema, '').map(([path, leaf]) => ({ request, path, wrong: isText(leaf) ? 7 : 'x' }));
    }),
  );
}

function leavesOf(schema: Schema, path: string): [path: string, leaf: Schema][] {
  const { properties, items } = flat(schema);
  if (properties !== undefined)
    return Object.entries(properties).flatMap(([name, member]) =>
      leavesOf(member, path === '' ? name : `${path}.${name}`),
    );
  const inner = items === undefined ? undefined : flat(items);
  if (inner?.properties !== undefined) return leavesOf(inner, `${path}[]`);
  return [[path, flat(schema)]];
}

/** The schema with what it refers to and what it is made of. */
function flat(schema: Schema): Schema {
  const target = schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.split('/').at(-1) ?? ''];
  const parts = [...(target?.allOf ?? []), ...(target?.anyOf ?? [])].map(flat);
  const properties = Object.assign(
    {},
    ...parts.map((part) => part.properties),
    target?.properties,
  ) as Schema['properties'];
  const { properties: _own, ...rest } = Object.assign({}, ...parts, target) as Schema;
  return { ...rest, ...(Object.keys(properties ?? {}).length === 0 ? {} : { properties: properties ?? {} }) };
}

function isText({ type = [], pattern }: Schema): boolean {
  return pattern !== undefined || [type].flat().includes('string');
}
