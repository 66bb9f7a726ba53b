// How each request with a body is sent, and where everything can be read that it may have changed.
import { MAIN, ONE, PRIMARY, SHOP, STAGING, type Answer, type TestWorld } from '../world.ts';

/** All that the API shows of what a request has made or changed. */
export type View = Readonly<Record<string, unknown>>;

export interface Request {
  /** Members that a body must have, or that the others need. */
  readonly base: object;
  send(world: TestWorld, body: object): Promise<Answer>;
  view(world: TestWorld, answer: Answer): Promise<View>;
}

const BRANCHES = `${SHOP}/branches`;
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
const organization = async (world: TestWorld): Promise<string> => {
  const { organizations } = await get(world, '/users/me/organizations');
  return (organizations as readonly { readonly id: string }[])[0]?.id ?? '';
};
const keyView =
  (pathOf: (world: TestWorld) => Promise<string>) =>
  async (world: TestWorld, { body }: Answer): Promise<View> => {
    const keys = (await world.send('GET', await pathOf(world))).list;
    return { key: keys.find(({ id }) => id === body.id) };
  };
const organizationKeys = async (world: TestWorld): Promise<string> =>
  `/organizations/${await organization(world)}/api_keys`;

export const requests: Readonly<Record<string, Request>> = {
  createApiKey: {
    base: { key_name: 'a key' },
    send: (world, body) => world.send('POST', '/api_keys', body),
    view: keyView(() => Promise.resolve('/api_keys')),
  },
  createOrgApiKey: {
    base: { key_name: 'a key' },
    send: async (world, body) => world.send('POST', await organizationKeys(world), body),
    view: keyView(organizationKeys),
  },
  createProject: {
    base: { project: {} },
    send: (world, body) => world.send('POST', '/projects', body),
    view: projectView,
  },
  updateProject: {
    base: { project: {} },
    send: (world, body) => world.send('PATCH', SHOP, body),
    view: projectView,
  },
  grantPermissionToProject: {
    base: { email: 'somebody@example.com' },
    send: (world, body) => world.send('POST', `${SHOP}/permissions`, body),
    view: async (world) => ({
      permission: ((await get(world, `${SHOP}/permissions`))['project_permissions'] as unknown[])[0],
    }),
  },
  createProjectEndpoint: {
    base: { endpoint: { branch_id: STAGING, type: 'read_only' } },
    send: (world, body) => world.send('POST', `${SHOP}/endpoints`, body),
    view: async (world, { body }) => get(world, `${SHOP}/endpoints/${body.endpoint.id}`),
  },
  updateProjectEndpoint: {
    base: { endpoint: {} },
    send: (world, body) => world.send('PATCH', ONE, body),
    view: (world) => get(world, `${SHOP}/endpoints/${PRIMARY}`),
  },
  createProjectBranch: {
    base: {},
    send: (world, body) => world.send('POST', BRANCHES, body),
    view: branchOf,
  },
  updateProjectBranch: {
    base: { branch: {} },
    send: (world, body) => world.send('PATCH', `${BRANCHES}/${STAGING}`, body),
    view: branchOf,
  },
  restoreProjectBranch: {
    base: { source_branch_id: STAGING, preserve_under_name: 'kept' },
    send: (world, body) => world.send('POST', `${BRANCHES}/${MAIN}/restore`, body),
    view: async (world, answer) => {
      const { branches } = (await world.send('GET', BRANCHES)).body;
      const known = new Set(['main', 'staging', 'dev']);
      return { ...(await branchOf(world, answer)), preserved: branches.find(({ name }) => !known.has(name)) };
    },
  },
  createProjectBranchRole: {
    base: { role: { name: 'reader' } },
    send: (world, body) => world.send('POST', `${BRANCHES}/${MAIN}/roles`, body),
    view: async (world, { body }) =>
      get(world, `${BRANCHES}/${MAIN}/roles/${(body['role'] as { readonly name: string }).name}`),
  },
  createProjectBranchDatabase: {
    base: { database: { name: 'appdb', owner_name: 'shop_owner' } },
    send: (world, body) => world.send('POST', `${BRANCHES}/${MAIN}/databases`, body),
    view: async (world, { body }) =>
      get(world, `${BRANCHES}/${MAIN}/databases/${(body['database'] as { readonly name: string }).name}`),
  },
  updateProjectBranchDatabase: {
    base: { database: {} },
    send: (world, body) => world.send('PATCH', `${BRANCHES}/${MAIN}/databases/shopdb`, body),
    view: async (world, { body }) =>
      get(world, `${BRANCHES}/${MAIN}/databases/${(body['database'] as { readonly name: string }).name}`),
  },
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
