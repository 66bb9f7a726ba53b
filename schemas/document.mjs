// The OpenAPI document as the local server publishes it, and the fields of a form for each request body.

/** The document with the parameters that each path names, and with an operation for each list that is always empty. */
export function inFull({ 'x-path-parameters': descriptions, 'x-empty-lists': emptyLists, ...document }) {
  const named = (path) =>
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
      description: descriptions[name],
    }));
  const paths = mapped({ ...document.paths, ...mapped(emptyLists, emptyListAt) }, (methods, path) =>
    mapped(methods, (operation) => ({ ...operation, parameters: [...named(path), ...(operation.parameters ?? [])] })),
  );
  return { ...document, paths };
}

function emptyListAt(operation, path) {
  const [[operationId, member]] = Object.entries(operation);
  const [, ...words] = operationId.split(/(?=[A-Z][a-z])|(?<=[a-z])(?=[A-Z])/);
  const isOfProject = path.startsWith('/projects/');
  const get = {
    operationId,
    summary: `List ${words.map((word) => (/[a-z]/.test(word) ? word.toLowerCase() : word)).join(' ')}: always empty`,
    tags: [path.includes('{branch_id}') ? 'Branches' : isOfProject ? 'Projects' : 'Organizations'],
    'x-scope': isOfProject ? 'project' : 'organization',
    'x-empty-list': member,
    responses: { 200: { $ref: '#/components/responses/EmptyList' } },
  };
  return { get };
}

/** `document` with the schemas of the bundle, and with its bodies and replies in full; seed data are no part of the API. */
export function publishedOf(document, { $defs }) {
  const own = Object.entries($defs).filter(([name]) => !name.startsWith('World'));
  const text = JSON.stringify(Object.fromEntries(own)).replaceAll('"#/$defs/', '"#/components/schemas/');
  const schemas = JSON.parse(text);
  const shape = ({ $ref, ...rest }) => {
    const name = $ref?.split('/').at(-1);
    if (name === undefined) return rest;
    const schema = { $ref: `#/components/schemas/${name}` };
    return { description: schemas[name].description ?? name, content: { 'application/json': { schema } } };
  };
  const whole = ({ requestBody: body, responses, ...operation }) => ({
    ...operation,
    ...(body && { requestBody: { required: operation['x-body-optional'] !== true, ...shape(body) } }),
    responses: { ...mapped(responses, shape), default: { $ref: '#/components/responses/Error' } },
  });
  const paths = mapped(document.paths, (methods) => mapped(methods, whole));
  return { ...document, paths, components: { ...document.components, schemas } };
}

function mapped(members, change) {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, change(member, name)]));
}

/** A field for each member of the body without members of its own, under its dotted path; `0` is the first item of a list. */
export function fieldsOf(name, { $defs }) {
  return leavesOf(flat({ $ref: name }, $defs), [], true, $defs);
}

/** The required members of the body that are objects. */
export function neededOf(name, { $defs }) {
  const { required = [], properties = {} } = flat({ $ref: name }, $defs);
  return required.filter((member) => flat(properties[member] ?? {}, $defs).properties !== undefined);
}

/** The schema with its references and alternatives merged into one. */
function flat(schema, $defs) {
  const own = schema.$ref === undefined ? schema : ($defs[schema.$ref.split('/').at(-1)] ?? {});
  const parts = [...(own.allOf ?? []), ...(own.anyOf ?? [])].map((part) => flat(part, $defs));
  if (parts.length === 0) return own;
  const properties = Object.assign({}, ...parts.map((part) => part.properties), own.properties);
  const types = [...parts.flatMap(({ type = [] }) => type), ...[own.type ?? []].flat()];
  const joined = { ...Object.assign({}, ...parts, own), type: [...new Set(types)] };
  return Object.keys(properties).length === 0 ? joined : { ...joined, properties };
}

function leavesOf(schema, path, isNeeded, $defs) {
  const { properties, items, required = [] } = schema;
  if (properties !== undefined)
    return Object.entries(properties).flatMap(([name, member]) =>
      leavesOf(flat(member, $defs), [...path, name], isNeeded && required.includes(name), $defs),
    );
  const item = items === undefined ? undefined : flat(items, $defs);
  if (item?.properties !== undefined) return leavesOf(item, [...path, '0'], false, $defs);
  return [fieldOf(path.join('.'), schema, isNeeded)];
}

export function fieldOf(name, { type = 'object', enum: words, description = '' }, isRequired) {
  const types = [type].flat();
  return { name, isRequired, types, words: words ?? (types.includes('boolean') ? ['true', 'false'] : []), description };
}
