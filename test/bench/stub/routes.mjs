// The routes of the stub: those that a plan and an apply of computes ask for.
import { computeOf, projectOnWire, startOperation } from './world.mjs';

const ok = (body, status = 200) => ({ status, body });
const refusal = (status, message) => ({ status, body: { code: '', message, request_id: 'bench' } });
const unknown = refusal(404, 'not found');

/** Each route: method, pattern (its groups are the ids), handler `(world, ids, { query, body })`. */
const routes = [
  ['GET', /^\/projects$/, listProjects],
  ['GET', /^\/projects\/([^/]+)\/endpoints$/, withProject(listComputes)],
  ['POST', /^\/projects\/([^/]+)\/endpoints$/, withProject(createCompute)],
  ['GET', /^\/projects\/([^/]+)\/operations$/, withProject(listOperations)],
  ['GET', /^\/projects\/([^/]+)\/branches$/, withProject(listBranches)],
  ['GET', /^\/api_keys$/, () => ok([])],
];

/** The handler `(world, input)` of a request; 404 for a route that the stub does not know. */
export function routeOf(method, path) {
  for (const [its, pattern, handler] of routes) {
    const ids = its === method ? pattern.exec(path)?.slice(1) : undefined;
    if (ids !== undefined) return (world, input) => handler(world, ids, input);
  }
  return () => unknown;
}

function withProject(handler) {
  return (world, [projectId, ...ids], input) => {
    const project = world.projects.get(projectId);
    return project === undefined ? unknown : handler(world, project, ids, input);
  };
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

function listOperations(_, project, __, { query }) {
  const limit = Number(query.get('limit') ?? 100);
  const after = query.get('cursor');
  const start = after === null ? 0 : project.operations.findIndex(({ id }) => id === after) + 1;
  const page = project.operations.slice(start, start + limit);
  return ok({ operations: page, pagination: { cursor: page.at(-1)?.id ?? after ?? '' } });
}

function listBranches(_, project) {
  return ok({ branches: [...project.branches.values()], annotations: {}, pagination: {} });
}

function createCompute(world, project, _, { body: { endpoint: asked } }) {
  const computes = [...project.computes.values()];
  if (computes.some(({ branch_id }) => branch_id === asked.branch_id))
    return refusal(409, 'the branch has a read_write compute already');
  const id = `ep-made-compute-${String(++world.made).padStart(8, '0')}`;
  const compute = computeOf(project.id, asked, id, 'init');
  project.computes.set(id, compute);
  const operation = startOperation(world, project, { branch_id: asked.branch_id, endpoint_id: id });
  return ok({ endpoint: { ...compute, pending_state: 'active' }, operations: [operation] }, 201);
}
