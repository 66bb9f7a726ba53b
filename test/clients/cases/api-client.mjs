// @neondatabase/api-client: the vendor's older library, on axios, without retries or waiting of its own; what no other client here shows.
import { strict as assert } from 'node:assert';
import { has } from '../support/api.mjs';
import { casesOf } from '../support/runner.mjs';
import { load } from '../support/paths.mjs';
import { CROWD, projectOf } from '../support/seed.mjs';

const project = projectOf('amber');
const { id: PROJECT, main: MAIN, staging: STAGING, primary: PRIMARY } = project;
const made = {};
const branchPath = () => `/projects/${PROJECT}/branches/${made.branch}`;

export const group = {
  client: '@neondatabase/api-client',
  version: '2.7.3',
  package: '@neondatabase/api-client',
  project,
  open: async ({ url, key, api }) => {
    const { createApiClient } = (await load('@neondatabase/api-client', 'dist/index.js')).default;
    const clientOf = (apiKey) => createApiClient({ apiKey, baseURL: url });
    return { api, clientOf, client: clientOf(key) };
  },
  cases: casesOf({
    'getCurrentUserInfo()': [
      'the account behind the key',
      async ({ client }) => {
        assert.equal((await client.getCurrentUserInfo()).data.email, 'clients@db.localhost');
      },
    ],
    'listProjects({ limit: 40, cursor })': [
      'pages that end, without gap or overlap',
      async ({ client }) => {
        const projects = await pages((cursor) => client.listProjects({ limit: 40, cursor }), 'projects', 40);
        assert.equal(new Set(projects.map(({ id }) => id)).size, projects.length);
        assert.equal(projects.filter(({ name }) => name.startsWith('crowd-')).length, CROWD);
      },
    ],
    'createApiKey({ key_name })': [
      'a key that works at once and is never shown again',
      async ({ client, api }) => {
        made.key = (await client.createApiKey({ key_name: 'from-api-client' })).data;
        assert.ok(await api.opens(made.key.key));
        assert.ok(!JSON.stringify(await api.keys()).includes(made.key.key));
      },
    ],
    'listApiKeys()': [
      'last use and its address',
      async ({ client }) => {
        const key = (await client.listApiKeys()).data.find(({ id }) => id === made.key.id);
        has(key, { name: 'from-api-client', last_used_from_addr: '127.0.0.1' });
        assert.ok(Date.parse(key.last_used_at) > 0);
      },
    ],
    'listProjects() with a revoked key': [
      '401',
      async ({ client, clientOf }) => {
        assert.equal((await client.revokeApiKey(made.key.id)).data.revoked, true);
        await assertStatus(clientOf(made.key.key).listProjects({}), 401);
      },
    ],
    'createProjectEndpoint(PROJECT, { endpoint: { type: read_only, … } })': [
      'a replica that becomes active, in the size asked for',
      async ({ client, api }) => {
        const size = { autoscaling_limit_min_cu: 0.5, autoscaling_limit_max_cu: 2, suspend_timeout_seconds: 600 };
        const endpoint = { branch_id: STAGING, type: 'read_only', ...size };
        const { status, data } = await client.createProjectEndpoint(PROJECT, { endpoint });
        assert.deepEqual([status, data.endpoint.pending_state, actions(data)], [201, 'active', ['start_compute']]);
        made.replica = data.endpoint.id;
        await api.settled(PROJECT);
        has(await api.compute(PROJECT, made.replica), { ...endpoint, current_state: 'active' });
      },
    ],
    'updateProjectEndpoint(PROJECT, REPLICA, { endpoint: { autoscaling_limit_max_cu: 4 } })': [
      'a resize; meanwhile a second change gets 423',
      async ({ client, api }) => {
        const endpoint = { autoscaling_limit_max_cu: 4 };
        const { data } = await client.updateProjectEndpoint(PROJECT, made.replica, { endpoint });
        assert.ok(data.operations.length > 0);
        await assertStatus(client.updateProjectEndpoint(PROJECT, made.replica, { endpoint }), 423);
        await api.settled(PROJECT);
        assert.equal((await api.compute(PROJECT, made.replica)).autoscaling_limit_max_cu, 4);
      },
    ],
    'deleteProjectEndpoint(PROJECT, REPLICA)': [
      'gone for good; a second delete finds nothing',
      async ({ client, api }) => {
        assert.equal((await client.deleteProjectEndpoint(PROJECT, made.replica)).data.endpoint.id, made.replica);
        await api.settled(PROJECT);
        assert.equal((await client.deleteProjectEndpoint(PROJECT, made.replica)).status, 204);
      },
    ],
    'startProjectEndpoint(PROJECT, PRIMARY)': [
      'a POST without a body, sent as a form; idle becomes active',
      async ({ client, api }) => {
        assert.deepEqual(actions((await client.startProjectEndpoint(PROJECT, PRIMARY)).data), ['start_compute']);
        await api.settled(PROJECT);
        assert.equal((await api.compute(PROJECT, PRIMARY)).current_state, 'active');
      },
    ],
    'listProjectOperations({ projectId: PROJECT, limit: 3, cursor })': [
      'newest first, in pages without gap or overlap',
      async ({ client, api }) => {
        const page = (cursor) => client.listProjectOperations({ projectId: PROJECT, limit: 3, cursor });
        const idsOf = (operations) => operations.map(({ id }) => id);
        assert.deepEqual(idsOf(await pages(page, 'operations', 3)), idsOf(await api.operations(PROJECT)));
      },
    ],
    'createProjectBranch(PROJECT, { branch, endpoints, annotation_value })': [
      'a branch with its compute and annotations',
      async ({ client, api }) => {
        const endpoints = [{ type: 'read_write', suspend_timeout_seconds: 90 }];
        const body = { branch: { name: 'noted' }, endpoints, annotation_value: { run: 'r1' } };
        const { status, data } = await client.createProjectBranch(PROJECT, body);
        made.branch = data.branch.id;
        assert.deepEqual([status, data.branch.parent_id], [201, MAIN]);
        await api.settled(PROJECT);
        assert.deepEqual((await api.read(branchPath())).annotation.value, { run: 'r1' });
        assert.equal((await api.compute(PROJECT, data.endpoints[0].id)).suspend_timeout_seconds, 90);
      },
    ],
    'listProjectBranches({ projectId: PROJECT, limit: 2, cursor }), countProjectBranches({ projectId: PROJECT })': [
      'pages of branches, and how many there are',
      async ({ client }) => {
        const first = (await client.listProjectBranches({ projectId: PROJECT, limit: 2 })).data;
        const cursor = first.pagination.next;
        const second = (await client.listProjectBranches({ projectId: PROJECT, limit: 2, cursor })).data;
        const names = [...first.branches, ...second.branches].map(({ name }) => name);
        assert.deepEqual(new Set(names), new Set(['dev', 'main', 'noted', 'staging']));
        assert.equal((await client.countProjectBranches({ projectId: PROJECT })).data.count, 4);
      },
    ],
    'deleteProjectBranch({ projectId: PROJECT, branchId: BRANCH })': [
      'the branch and its compute are gone',
      async ({ client, api }) => {
        await client.deleteProjectBranch({ projectId: PROJECT, branchId: made.branch });
        await api.settled(PROJECT);
        assert.ok(!(await api.branches(PROJECT)).some(({ id }) => id === made.branch));
        assert.equal((await api.computes(PROJECT)).length, 1);
      },
    ],
    'getConnectionUri({ projectId: PROJECT, database_name, role_name })': [
      "a URI to the default branch's primary",
      async ({ client }) => {
        const query = { projectId: PROJECT, database_name: 'shop', role_name: 'owner' };
        const { protocol, hostname, pathname } = new URL((await client.getConnectionUri(query)).data.uri);
        assert.deepEqual([protocol, pathname], ['postgresql:', '/shop']);
        assert.ok(hostname.startsWith(PRIMARY));
      },
    ],
    'grantPermissionToProject(PROJECT, { email }), revokePermissionFromProject(PROJECT, PERMISSION)': [
      'a permission, and none',
      async ({ client, api }) => {
        const email = 'friend@example.com';
        const granted = async () =>
          (await api.read(`/projects/${PROJECT}/permissions`)).project_permissions.map((one) => one.granted_to_email);
        const { id } = (await client.grantPermissionToProject(PROJECT, { email })).data;
        assert.deepEqual(await granted(), [email]);
        await client.revokePermissionFromProject(PROJECT, id);
        assert.deepEqual(await granted(), []);
      },
    ],
    'createOrgApiKey(ORG, { key_name, project_id })': [
      'a key that opens this project alone',
      async ({ client, api }) => {
        const [{ id }] = (await client.getCurrentUserOrganizations()).data.organizations;
        const { data } = await client.createOrgApiKey(id, { key_name: 'scoped', project_id: PROJECT });
        const status = async (path) => (await api.request('GET', path, { withKey: data.key })).status;
        assert.deepEqual([await status(`/projects/${PROJECT}`), await status('/projects/crowd-row-001')], [200, 404]);
      },
    ],
  }),
};

const actions = ({ operations }) => operations.map(({ action }) => action);

async function assertStatus(sent, status) {
  await assert.rejects(sent, (error) => {
    assert.equal(error.response?.status, status, error.message);
    assert.equal(typeof error.response.data.message, 'string');
    return true;
  });
}

/** All entries, page by page; the last one is shorter than the limit or has no cursor. */
async function pages(page, member, limit) {
  const all = [];
  for (let cursor; ;) {
    const { data } = await page(cursor);
    all.push(...data[member]);
    cursor = data.pagination?.cursor;
    if (data[member].length < limit || cursor === undefined) return all;
  }
}
