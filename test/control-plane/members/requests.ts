// How each request with a body is sent, and where everything can be read that it may have changed.
import { ENDPOINTS, MAIN, ONE, SHOP, STAGING, organizationOf, type Answer, type TestWorld } from '../world.ts';
import { BRANCHES, DATABASES, ROLES } from '../account/row.ts';

/** All that the API shows of what a request has made or changed. */
export type View = Readonly<Record<string, unknown>>;

export interface Request {
  /** Members that a body must have, or that the others need. */
  readonly base: object;
  send(world: TestWorld, body: object): Promise<Answer>;
  view(world: TestWorld, answer: Answer): Promise<View>;
}

const get = async (world: TestWorld, path: string): Promise<View> => (await world.send('GET', path)).body;

/** A branch with what is on it. */
async function branchView(world: TestWorld, path: string): Promise<View> {
  const { branch, annotation } = await get(world, path);
  const [{ roles }, { databases }, { endpoints }] = [
    await get(world, `${path}/roles`),
    await get(world, `${path}/databases`),
    await get(world, `${path}/endpoints`),
  ];
  return { branch, annotation, roles, databases, endpoints };
}

const projectView = async (world: TestWorld, { body }: Answer): Promise<View> => {
  const path = `/projects/${body.project.id}`;
  const { project } = await get(world, path);
  const { branches } = await get(world, `${path}/branches`);
  const main = (branches as readonly { id: string; default: boolean }[]).find((branch) => branch.default);
  return { project, ...(await branchView(world, `${path}/branches/${main?.id}`)) };
};
const branchOf = (world: TestWorld, { body }: Answer): Promise<View> =>
  branchView(world, `${BRANCHES}/${body.branch.id}`);
/** The role or database that a reply tells of, as it is read again. */
const named =
  (what: 'role' | 'database') =>
  (world: TestWorld, { body }: Answer): Promise<View> =>
    get(world, `${BRANCHES}/${MAIN}/${what}s/${(body[what] as { readonly name: string }).name}`);

type Path = string | ((world: TestWorld) => Promise<string>);
const request = (method: string, path: Path, base: object, view: Request['view']): Request => ({
  base,
  send: async (world, body) => world.send(method, typeof path === 'string' ? path : await path(world), body),
  view,
});
const keys = (path: Path): Request =>
  request('POST', path, { key_name: 'a key' }, async (world, { body }) => {
    const { list } = await world.send('GET', typeof path === 'string' ? path : await path(world));
    return { key: list.find(({ id }) => id === body.id) };
  });

const PERMISSIONS = `${SHOP}/permissions`;
const APPDB = { database: { name: 'appdb', owner_name: 'shop_owner' } };
const REPLICA = { endpoint: { branch_id: STAGING, type: 'read_only' } };
export const requests: Readonly<Record<string, Request>> = {
  createApiKey: keys('/api_keys'),
  createOrgApiKey: keys(async (world) => `/organizations/${await organizationOf(world)}/api_keys`),
  createProject: request('POST', '/projects', { project: {} }, projectView),
  updateProject: request('PATCH', SHOP, { project: {} }, projectView),
  grantPermissionToProject: request('POST', PERMISSIONS, { email: 'somebody@example.com' }, async (world) => ({
    permission: ((await get(world, PERMISSIONS))['project_permissions'] as unknown[])[0],
  })),
  createProjectEndpoint: request('POST', ENDPOINTS, REPLICA, (world, { body }) =>
    get(world, `${ENDPOINTS}/${body.endpoint.id}`),
  ),
  updateProjectEndpoint: request('PATCH', ONE, { endpoint: {} }, (world) => get(world, ONE)),
  createProjectBranch: request('POST', BRANCHES, {}, branchOf),
  updateProjectBranch: request('PATCH', `${BRANCHES}/${STAGING}`, { branch: {} }, branchOf),
  restoreProjectBranch: request(
    'POST',
    `${BRANCHES}/${MAIN}/restore`,
    { source_branch_id: STAGING, preserve_under_name: 'kept' },
    async (world, answer) => {
      const { branches } = (await world.send('GET', BRANCHES)).body;
      const known = new Set(['main', 'staging', 'dev']);
      return { ...(await branchOf(world, answer)), preserved: branches.find(({ name }) => !known.has(name)) };
    },
  ),
  createProjectBranchRole: request('POST', ROLES, { role: { name: 'reader' } }, named('role')),
  createProjectBranchDatabase: request('POST', DATABASES, APPDB, named('database')),
  updateProjectBranchDatabase: request('PATCH', `${DATABASES}/shopdb`, { database: {} }, named('database')),
};

/** `body` with the value at a dotted path; `[]` is the first item of a list. */
export function withValue(body: object, path: string, value: unknown): object {
  const copy = structuredClone(body) as Record<string, unknown>;
  const steps = path.split('.').flatMap((step) => (step.endsWith('[]') ? [step.slice(0, -2), '0'] : [step]));
  let at: Record<string, unknown> = copy;
  for (const [place, step] of steps.slice(0, -1).entries()) {
    at[step] ??= steps[place + 1] === '0' ? [{ type: 'read_write' }] : {};
    at = at[step] as Record<string, unknown>;
  }
  at[steps.at(-1) ?? ''] = value;
  return copy;
}
