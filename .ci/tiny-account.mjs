// The account that short commands speak to while the build learns what to compile ahead: one project, and one compute once it is made.
const AT = '2026-01-01T00:00:00Z';
const BRANCH = 'br-wispy-meadow-118737';

/** The wish that fits it. */
export const WISH = `version: 1
projects:
  shop:
    branches: { main: ${BRANCH} }
    computes:
      primary: { branch: main, autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 4 }
`;

const PROJECT = { id: 'shop-1', name: 'shop' };
const COMPUTE = {
  id: 'ep-cool-darkness-123456',
  project_id: PROJECT.id,
  branch_id: BRANCH,
  type: 'read_write',
  current_state: 'active',
  autoscaling_limit_min_cu: 1,
  autoscaling_limit_max_cu: 4,
  settings: {},
  created_at: AT,
  updated_at: AT,
};

const operation = (status) => ({
  id: '00000000-0000-4000-8000-000000000001',
  project_id: PROJECT.id,
  endpoint_id: COMPUTE.id,
  action: 'start_compute',
  status,
  failures_count: 0,
  created_at: AT,
  updated_at: AT,
});

/** A request listener of `node:http`. */
export function tinyAccount() {
  const made = [];
  const answerTo = ({ method, url }) => {
    if (method === 'POST') {
      made.push(COMPUTE);
      return { endpoint: COMPUTE, operations: [operation('running')] };
    }
    if (url.includes('/operations')) return { operations: made.map(() => operation('finished')), pagination: {} };
    return url.includes('/endpoints') ? { endpoints: made } : { projects: [PROJECT], pagination: {} };
  };
  return (request, reply) => {
    const headers = { 'content-type': 'application/json', connection: 'close' };
    reply.writeHead(request.method === 'POST' ? 201 : 200, headers).end(JSON.stringify(answerTo(request)));
  };
}
