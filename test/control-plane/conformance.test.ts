// Walks the OpenAPI document: every operation with valid and invalid input, each answer held against its schema.
import { describe, expect, it } from 'vitest';
import { routes } from '../../src/api/index.ts';
import { problemsOf, publishedDocument } from './published.ts';
import { MAIN, PRIMARY, SHOP, STAGING, createActive, makeWorld, organizationOf, type TestWorld } from './world.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: { readonly type: string; readonly enum?: readonly string[] };
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean };
  readonly responses: Readonly<Record<string, { readonly content?: Record<string, { readonly schema: object }> }>>;
}

const paths = publishedDocument.paths as Readonly<Record<string, Readonly<Record<string, Operation>>>>;
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);

const replyProblems = (operation: Operation, status: number, body: unknown): unknown => {
  const response = operation.responses[String(status)] ?? { content: { json: { schema: ref('ErrorBody') } } };
  const [content] = Object.values(response.content ?? {});
  if (content === undefined) return undefined;
  const { $ref } = content.schema as { $ref: string };
  return problemsOf($ref.split('/').at(-1) ?? '', body);
};
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

/** Values of the path parameters, and valid bodies, for the default world with some extras. */
interface Example {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: object;
  readonly before?: (world: TestWorld) => Promise<Readonly<Record<string, string>>>;
}

const shop = 'spring-example-302709';
const contents = { branch_id: MAIN, role_name: 'shop_owner', database_name: 'shopdb' };
const ids = { project_id: shop, endpoint_id: PRIMARY, ...contents };
const someone = { email: 'someone@example.com' };
const endpoint = { branch_id: STAGING, type: 'read_write' };
type Before = NonNullable<Example['before']>;
const spareBranch: Before = async (world) => {
  const { branch } = (await world.send('POST', `${SHOP}/branches`, { branch: { name: 'spare' } })).body;
  await world.pass(2000);
  return { branch_id: branch.id };
};
const spareRole: Before = async (world) => {
  await world.send('POST', `${SHOP}/branches/${MAIN}/roles`, { role: { name: 'reader' } });
  await world.pass(3000);
  return { role_name: 'reader' };
};
const someOperation: Before = async (world) => ({
  operation_id: (await world.send('GET', `${SHOP}/operations`)).body.operations[0]?.id ?? '',
});
const withActive: Before = async (world) => ({ endpoint_id: await createActive(world, STAGING) });
const organization: Before = async (world) => ({ org_id: await organizationOf(world) });
const organizationKey: Before = async (world) => {
  const { org_id: id = '' } = await organization(world);
  const made = await world.send('POST', `/organizations/${id}/api_keys`, { key_name: 'ci' });
  return { org_id: id, key_id: String(made.body.id) };
};
const granted: Before = async (world) => ({
  permission_id: String((await world.send('POST', `${SHOP}/permissions`, someone)).body.id),
});
const deleted =
  (path: string, params: Readonly<Record<string, string>> = {}): Before =>
  async (world) => {
    await world.send('DELETE', path);
    return params;
  };

const ofOrganizations = routes.filter((route) => route.emptyList !== undefined && route.path.startsWith('/org'));
const emptyList: Example = { before: organization, params: { region_id: 'aws-us-east-2' } };

/** Operations that are not here need neither a body nor anything beforehand. */
const examples: Readonly<Record<string, Example>> = {
  ...Object.fromEntries(ofOrganizations.map(({ id }) => [id, emptyList])),
  createApiKey: { body: { key_name: 'ci' } },
  revokeApiKey: { params: { key_id: '165001' } },
  listProjects: { query: '?limit=1&search=shop' },
  createProject: { body: { project: { name: 'fresh' } } },
  updateProject: { body: { project: { history_retention_seconds: 60 } } },
  createProjectEndpoint: { body: { endpoint } },
  updateProjectEndpoint: { body: { endpoint: { pooler_enabled: true } } },
  suspendProjectEndpoint: { before: withActive },
  restartProjectEndpoint: { before: withActive },
  listProjectOperations: { query: '?limit=2' },
  getProjectOperation: { before: someOperation },
  listProjectBranches: { query: '?sort_by=name&sort_order=asc' },
  createProjectBranch: { body: { branch: { name: 'feature' }, endpoints: [{ type: 'read_write' }] } },
  updateProjectBranch: { body: { branch: { name: 'renamed' } } },
  deleteProjectBranch: { before: spareBranch },
  setDefaultProjectBranch: { params: { branch_id: STAGING } },
  createProjectBranchRole: { body: { role: { name: 'reader' } } },
  deleteProjectBranchRole: { before: spareRole },
  createProjectBranchDatabase: { body: { database: { name: 'extra', owner_name: 'shop_owner' } } },
  updateProjectBranchDatabase: { body: { database: { name: 'renamed' } } },
  getConnectionUri: { query: '?pooled=true&role_name=shop_owner&database_name=shopdb' },
  recoverProject: { before: deleted(SHOP) },
  restoreProjectBranch: { params: { branch_id: STAGING }, body: { source_branch_id: MAIN } },
  recoverProjectBranch: { before: deleted(`${SHOP}/branches/${STAGING}`, { branch_id: STAGING }) },
  listProjectPermissions: { before: granted },
  grantPermissionToProject: { body: someone },
  revokePermissionFromProject: { before: granted },
  listOrgApiKeys: { before: organization },
  createOrgApiKey: { before: organization, body: { key_name: 'ci', project_id: shop } },
  revokeOrgApiKey: { before: organizationKey },
  getOrganization: { before: organization },
};

const fill = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(params[name] ?? 'none'));

describe('the OpenAPI document', () => {
  it('is 3.1, and every reference in it leads somewhere', () => {
    expect(publishedDocument.openapi).toBe('3.1.0');
    for (const [, target] of JSON.stringify(publishedDocument).matchAll(/"\$ref":"(#[^"]*)"/g)) {
      const found = (target ?? '')
        .slice(2)
        .split('/')
        .reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], publishedDocument);
      expect([target, typeof found]).toEqual([target, 'object']);
    }
  });

  it('has each operation of which there is an example here', () => {
    const all = operations.map(({ operation }) => operation.operationId);
    expect(Object.keys(examples).filter((id) => !all.includes(id))).toEqual([]);
  });
});

describe.each(operations)('$method $path', ({ path, method, operation }) => {
  const example = examples[operation.operationId] ?? {};

  it('answers a valid request as its schema says', async () => {
    const world = makeWorld();
    const before = await example.before?.(world);
    const target = fill(path, { ...ids, ...example.params, ...before }) + (example.query ?? '');
    const answer = await world.send(method, target, example.body);
    expect(answer.status, answer.text).toBeLessThan(300);
    expect(Object.keys(operation.responses)).toContain(String(answer.status));
    expect(replyProblems(operation, answer.status, answer.body)).toBeUndefined();
  });

  it('refuses invalid input with the schema of errors, and does nothing', async () => {
    const world = makeWorld();
    const target = fill(path, { ...ids, ...example.params });
    const attempts: [string, string | undefined][] = [];
    if (path.includes('{')) attempts.push([fill(path, {}), JSON.stringify(example.body ?? {})]);
    if (operation.requestBody !== undefined)
      for (const body of ['', '{', '[]', '"x"', '{"endpoint":7}', '{"project":[],"branch":1,"role":2,"database":3}'])
        if (operation.requestBody.required || (body !== '' && !body.startsWith('{"endpoint')))
          attempts.push([target, body]);
    for (const parameter of (operation.parameters ?? []).filter((item) => item.in === 'query'))
      if (parameter.schema.type !== 'string' || parameter.schema.enum !== undefined)
        attempts.push([`${target}?${parameter.name}=no-such-value`, undefined]);
    const before = world.plane.ledger().length;
    for (const [to, text] of attempts) {
      const sent = text === undefined ? {} : { text, headers: { 'Content-Type': 'application/json' } };
      const answer = await world.send(method, to, undefined, method === 'GET' ? {} : sent);
      if (answer.status === 204 || answer.status === 200) continue;
      expect([to, text, Math.floor(answer.status / 100)]).toEqual([to, text, 4]);
      expect(replyProblems(operation, answer.status, answer.body)).toBeUndefined();
    }
    expect(world.plane.ledger().length).toBe(before);
  });

  it('answers 401 without a key', async () => {
    const answer = await makeWorld().send(method, fill(path, ids), example.body, { key: undefined });
    expect(answer.status).toBe(401);
    expect(replyProblems(operation, 401, answer.body)).toBeUndefined();
  });
});
