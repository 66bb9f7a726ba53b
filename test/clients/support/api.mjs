// The world as the API itself tells it, by plain fetch: what a client did is checked here, not in its own words.
import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';

const SETTLE_MS = 20_000;
const OPEN = new Set(['scheduling', 'running', 'cancelling']);

/** Asserts that something has these members. */
export function has(live, members) {
  for (const [member, value] of Object.entries(members)) assert.deepEqual(live[member], value, member);
}

export function createApi({ url, key }) {
  /** Status and body of one request. */
  async function request(method, path, { body, withKey = key } = {}) {
    const headers = { authorization: `Bearer ${withKey}`, 'content-type': 'application/json' };
    const sent = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await fetch(`${url}${path}`, sent);
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  }

  async function read(path) {
    const { status, body } = await request('GET', path);
    assert.equal(status, 200, `GET ${path}`);
    return body;
  }

  const operations = async (project) => (await read(`/projects/${project}/operations?limit=1000`)).operations;

  return {
    request,
    read,
    operations,
    compute: async (project, id) => (await read(`/projects/${project}/endpoints/${id}`)).endpoint,
    computes: async (project) => (await read(`/projects/${project}/endpoints`)).endpoints,
    branches: async (project) => (await read(`/projects/${project}/branches?limit=1000`)).branches,
    keys: () => read('/api_keys'),
    /** Does a key open the API? */
    opens: async (value) => (await request('GET', '/projects?limit=1', { withKey: value })).status === 200,
    /** The status that reading a compute gets. */
    statusOfCompute: async (project, id) => (await request('GET', `/projects/${project}/endpoints/${id}`)).status,
    /** Resolves once a project has no open operation. */
    settled: async (project) => {
      for (const end = performance.now() + SETTLE_MS; performance.now() < end; await sleep(25))
        if (!(await operations(project)).some(({ status }) => OPEN.has(status))) return;
      throw new Error(`operations of ${project} are still open after ${SETTLE_MS} ms`);
    },
  };
}
