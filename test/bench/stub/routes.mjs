// The routes of the described API, and below them, marked, those that only the other tools need.
import { branchOf, computeOf, isBusy, projectOnWire, startOperation } from './world.mjs';

const ok = (body, status = 200) => ({ status, body });
const refusal = (status, message) => ({ status, body: { code: '', message, request_id: 'bench' } });
const unknown = refusal(404, 'not found');

/** Each route: method, pattern (its groups are the ids), handler `(world, ids, { query, body, fault })`, name for the counters. */
const described = [
  ['GET', /^\/projects$/, listProjects, 'list projects'],
  ['GET', /^\/projects\/([^/]+)\/endpoints$/, withProject(listComputes), 'list computes'],
  ['POST', /^\/projects\/([^/]+)\/endpoints$/, withProject(whenFree(createCompute)), 'create compute'],
  ['PATCH', /^\/projects\/([^/]+)\/endpoints\/([^/]+)$/, withProject(whenFree(updateCompute)), 'update compute'],
  ['DELETE', /^\/projects\/([^/]+)\/endpoints\/([^/]+)$/, withProject(whenFree(deleteCompute)), 'delete compute'],
  ['GET', /^\/projects\/([^/]+)\/operations$/, withProject(listOperations), 'list operations'],
  ['GET', /^\/projects\/([^/]+)\/operations\/([^/]+)$/, withProject(getOperation), 'get operation'],
  ['GET', /^\/api_keys$/, () => ok([]), 'list keys'],
];

const peerOnly = [
  ['GET', /^\/projects\/([^/]+)$/, withProject((_, project) => ok({ project: projectOnWire(project) })), 'get project'],
  ['GET', /^\/projects\/([^/]+)\/endpoints\/([^/]+)$/, withProject(getCompute), 'get compute'],
  ['GET', /^\/projects\/([^/]+)\/branches$/, withProject(listBranches), 'list branches'],
  ['POST', /^\/projects\/([^/]+)\/branches$/, withProject(whenFree(createBranch)), 'create branch'],
  ['GET', /^\/projects\/([^/]+)\/branches\/([^/]+)$/, withProject(getBranch), 'get branch'],
  [
    'GET',
    /^\/projects\/([^/]+)\/branches\/([^/]+)\/endpoints$/,
    withProject(listComputesOfBranch),
    'list computes of branch',
  ],
  [
    'GET',
    /^\/projects\/([^/]+)\/branches\/([^/]+)\/databases$/,
    withProject(() => ok({ databases: [] })),
    'list databases',
  ],
  ['GET', /^\/projects\/([^/]+)\/branches\/([^/]+)\/roles$/, withProject(() => ok({ roles: [] })), 'list roles'],
  ['GET', /^\/projects\/([^/]+)\/branches\/([^/]+)\/(?:auth|data-api\/[^/]+)$/, () => unknown, 'get other service'],
  [
    'GET',
    /^\/users\/me$/,
    () => ok({ id: 'bench', email: 'bench@db.localhost', login: 'bench', name: 'bench' }),
    'get user',
  ],
  ['GET', /^\/users\/me\/organizations$/, () => ok({ organizations: [] }), 'list organizations'],
];

const routes = [...described, ...peerOnly];

/** `{ name, run(world, input) }` of a request, or the name `other` and 404. */
export function routeOf(method, path) {
  for (const [its, pattern, handler, name] of routes) {
    const ids = its === method ? pattern.exec(path)?.slice(1) : undefined;
    if (ids !== undefined) return { name, run: (world, input) => handler(world, ids, input) };
  }
  return { name: `other: ${method} ${path.replace(/[a-z]+-p?\d{5}(-\d+)?/g, 'ID')}`, run: () => unknown };
}

function withProject(handler) {
  return (world, [projectId, ...ids], input) => {
    const project = world.projects.get(projectId);
    return project === undefined ? unknown : handler(world, project, ids, input);
  };
}

/** With locking, a project under an open operation refuses writes. */
function whenFree(handler) {
  return (world, project, ids, input) =>
    world.shape.isLocking && isBusy(project)
      ? refusal(423, 'project already has running operations')
      : handler(world, project, ids, input);
}

function listProjects(world, _, { query }) {
  const limit = Number(query.get('limit') ?? 10);
  const all = [...world.projects.values()];
  const after = query.get('cursor');
  const start = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
  const page = all.slice(start, start + limit);
  const cursor = page.at(-1)?.id ?? after ?? '';
  const isLast = start + page.length >= all.length;
  return ok({ projects: page.map(projectOnWire), ...(isLast ? {} : { pagination: { cursor, next: cursor } }) });
}

function listComputes(_, project) {
  return ok({ endpoints: [...project.computes.values()] });
}

function listComputesOfBranch(_, project, [branchId]) {
  return ok({ endpoints: [...project.computes.values()].filter(({ branch_id }) => branch_id === branchId) });
}

function getCompute(_, project, [id]) {
  const endpoint = project.computes.get(id);
  return endpoint === undefined ? unknown : ok({ endpoint });
}

function createCompute(world, project, _, { body: { endpoint: asked }, fault }) {
  const taken = [...project.computes.values()].some(
    ({ branch_id, type }) => branch_id === asked.branch_id && type === 'read_write',
  );
  if (asked.type === 'read_write' && taken) return refusal(409, 'the branch has a read_write compute already');
  const { compute, operation } = addCompute(world, project, asked, fault);
  return ok({ endpoint: { ...compute, pending_state: 'active' }, operations: [operation] }, 201);
}

function addCompute(world, project, asked, fault) {
  const id = `ep-made-compute-${String(++world.made).padStart(8, '0')}`;
  const compute = computeOf(project.id, asked, id, 'init');
  project.computes.set(id, compute);
  const operation = startOperation(world, project, {
    branch_id: asked.branch_id,
    endpoint_id: id,
    action: 'start_compute',
    endsAs: fault === 'operation fails' ? 'failed' : 'finished',
  });
  return { compute, operation };
}

function updateCompute(world, project, [id], { body: { endpoint: asked } }) {
  const endpoint = project.computes.get(id);
  if (endpoint === undefined) return unknown;
  Object.assign(endpoint, asked, { updated_at: new Date().toISOString() });
  const about = { branch_id: endpoint.branch_id, endpoint_id: id, action: 'apply_config' };
  return ok({ endpoint, operations: [startOperation(world, project, about)] });
}

function deleteCompute(_, project, [id]) {
  const endpoint = project.computes.get(id);
  if (endpoint === undefined) return unknown;
  project.computes.delete(id);
  return ok({ endpoint, operations: [] });
}

function listOperations(_, project, __, { query }) {
  const limit = Number(query.get('limit') ?? 100);
  const after = query.get('cursor');
  const start = after === null ? 0 : project.operations.findIndex(({ id }) => id === after) + 1;
  const page = project.operations.slice(start, start + limit);
  return ok({ operations: page, pagination: { cursor: page.at(-1)?.id ?? after ?? '' } });
}

function getOperation(_, project, [id]) {
  const operation = project.operations.find((one) => one.id === id);
  return operation === undefined ? unknown : ok({ operation });
}

function listBranches(_, project) {
  return ok({ branches: [...project.branches.values()], annotations: {}, pagination: {} });
}

function getBranch(_, project, [id]) {
  const branch = project.branches.get(id);
  return branch === undefined ? unknown : ok({ branch, annotation: { object: {}, value: {} } });
}

function createBranch(world, project, _, { body, fault }) {
  const id = `br-made-branch-${String(++world.made).padStart(8, '0')}`;
  const branch = branchOf(project.id, id, body.branch?.name ?? id, false);
  project.branches.set(id, branch);
  const made = (body.endpoints ?? []).map((asked) => addCompute(world, project, { ...asked, branch_id: id }, fault));
  const operations = [
    startOperation(world, project, { branch_id: id, action: 'create_branch' }),
    ...made.map(({ operation }) => operation),
  ];
  const endpoints = made.map(({ compute }) => compute);
  return ok({ branch, endpoints, operations, roles: [], databases: [], connection_uris: [] }, 201);
}
