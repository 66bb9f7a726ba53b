// @neon/sdk 6: the vendor's fetch client, with its own pages, typed errors, retries and waiting.
import { strict as assert } from 'node:assert';
import { has } from '../support/api.mjs';
import { casesOf } from '../support/runner.mjs';
import { load } from '../support/paths.mjs';
import { CROWD, projectOf } from '../support/seed.mjs';

const project = projectOf('birch');
const { id: projectId, main, staging, primary } = project;
const made = {};
const branchPath = () => `/projects/${projectId}/branches/${made.branch}`;

export const group = {
  client: '@neon/sdk',
  version: '6.1.2',
  package: '@neon/sdk',
  project,
  open: async ({ url, key, api }) => {
    const { createNeonClient } = await load('@neon/sdk', 'dist/index.js');
    const wait = { pollIntervalMs: 50, timeoutMs: 20_000 };
    const clientOf = (apiKey) =>
      createNeonClient({ apiKey, baseUrl: url, throwOnError: true, waitForReadiness: true, wait, retries: 8 });
    return { api, clientOf, client: clientOf(key) };
  },
  cases: casesOf({
    'projects.list().all()': [
      'every page of the project list',
      async ({ client }) => {
        const projects = await client.projects.list().all();
        assert.equal(new Set(projects.map(({ id }) => id)).size, projects.length);
        assert.equal(projects.filter(({ name }) => name.startsWith('crowd-')).length, CROWD);
      },
    ],
    'projects.get({ projectId: UNKNOWN })': [
      "404 as the client's own NeonNotFoundError",
      async ({ client }) => {
        const { error } = await client.projects.get({ projectId: 'no-such-project' }, { throwOnError: false });
        assert.deepEqual([error?.kind, error?.status], ['not_found', 404]);
      },
    ],
    'apiKeys.create({ keyName })': [
      'a key that works at once',
      async ({ client, api }) => {
        made.key = await client.apiKeys.create({ keyName: 'from-sdk' });
        assert.ok(await api.opens(made.key.key));
      },
    ],
    'apiKeys.revoke({ keyId: KEY_ID })': [
      'the key fails from then on',
      async ({ client, api }) => {
        await client.apiKeys.revoke({ keyId: made.key.id });
        assert.equal(await api.opens(made.key.key), false);
      },
    ],
    'projects.list() with a revoked key': [
      "401 as the client's own NeonAuthError",
      async ({ clientOf }) => {
        const { error } = await clientOf(made.key.key).projects.list({}, { throwOnError: false }).page();
        assert.deepEqual([error?.kind, error?.status], ['auth', 401]);
      },
    ],
    'branches.getDefault({ projectId: PROJECT })': [
      'the default branch',
      async ({ client }) => assert.equal((await client.branches.getDefault({ projectId })).id, main),
    ],
    'postgres.endpoints.create({ type: read_write, branch_id: STAGING, … })': [
      'the client waits by itself until the compute is active',
      async ({ client, api }) => {
        const size = { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 2 };
        const input = { projectId, branch_id: staging, type: 'read_write', ...size };
        made.compute = (await client.postgres.endpoints.create(input)).id;
        has(await api.compute(projectId, made.compute), { ...size, current_state: 'active' });
      },
    ],
    'postgres.endpoints.create({ type: read_write, branch_id: MAIN })': [
      '409: a branch has one primary',
      async ({ client }) => {
        const input = { projectId, branch_id: main, type: 'read_write' };
        await assert.rejects(client.postgres.endpoints.create(input), { kind: 'api', status: 409 });
      },
    ],
    'postgres.endpoints.update(…), two at once': [
      'one gets 423 and is retried by the client until both are done',
      async ({ client, api }) => {
        const change = (endpointId, max) =>
          client.postgres.endpoints.update({ projectId, endpointId, autoscaling_limit_max_cu: max });
        await Promise.all([change(made.compute, 3), change(primary, 4)]);
        has(await api.compute(projectId, made.compute), { autoscaling_limit_max_cu: 3 });
        has(await api.compute(projectId, primary), { autoscaling_limit_max_cu: 4 });
      },
    ],
    ...Object.fromEntries(
      Object.entries({ restart: 'active', suspend: 'idle', start: 'active' }).map(([action, state]) => [
        `postgres.endpoints.${action}({ projectId: PROJECT, endpointId: COMPUTE })`,
        [
          `after it the compute is ${state}`,
          async ({ client, api }) => {
            await client.postgres.endpoints[action]({ projectId, endpointId: made.compute });
            assert.equal((await api.compute(projectId, made.compute)).current_state, state);
          },
        ],
      ]),
    ),
    'postgres.endpoints.delete({ projectId: PROJECT, endpointId: COMPUTE })': [
      'gone',
      async ({ client, api }) => {
        await client.postgres.endpoints.delete({ projectId, endpointId: made.compute });
        assert.equal(await api.statusOfCompute(projectId, made.compute), 404);
      },
    ],
    'operations.list({ projectId: PROJECT }).all()': [
      'every operation, once, newest first',
      async ({ client, api }) => {
        const ids = (await client.operations.list({ projectId }).all()).map(({ id }) => id);
        const all = (await api.operations(projectId)).map(({ id }) => id);
        assert.deepEqual(ids, all);
      },
    ],
    'operations.waitFor({ operations })': [
      'waits for what a plain request started',
      async ({ client, api }) => {
        const { body } = await api.request('POST', `/projects/${projectId}/endpoints/${primary}/restart`);
        await client.operations.waitFor({ operations: body.operations });
        for (const { id } of body.operations) {
          assert.equal((await client.operations.get({ projectId, operationId: id })).status, 'finished');
        }
      },
    ],
    'postgres.connectionString({ projectId: PROJECT })': [
      'the client finds default branch, role and database by itself',
      async ({ client }) => {
        const { hostname, pathname } = new URL(await client.postgres.connectionString({ projectId, pooled: false }));
        assert.ok(hostname.startsWith(primary));
        assert.equal(pathname, '/shop');
      },
    ],
    'projects.createAndConnect({ name, region_id, pooled })': [
      'a project that is ready, and a pooled connection string for it',
      async ({ client, api }) => {
        const input = { name: 'tenant', region_id: 'aws-eu-central-1', pooled: true };
        const { project: tenant, connectionString } = await client.projects.createAndConnect(input);
        const [compute] = await api.computes(tenant.id);
        assert.equal(compute.current_state, 'active');
        assert.match(new URL(connectionString).hostname, new RegExp(`^${compute.id}-pooler\\.eu-central-1`));
      },
    ],
    'branches.create({ projectId: PROJECT, name, expires_at, noCompute })': [
      'a branch that expires, without a compute',
      async ({ client, api }) => {
        const expires_at = new Date(Math.ceil(Date.now() / 1000) * 1000 + 3_600_000).toISOString();
        made.branch = (await client.branches.create({ projectId, name: 'sdk-work', expires_at, noCompute: true })).id;
        has((await api.read(branchPath())).branch, { name: 'sdk-work', expires_at });
      },
    ],
    'postgres.roles.resetPassword({ roleName }), postgres.roles.password({ roleName })': [
      'another password, which can be read again',
      async ({ client }) => {
        const input = { projectId, branchId: made.branch, roleName: 'owner' };
        const before = await client.postgres.roles.password(input);
        const { password } = await client.postgres.roles.resetPassword(input);
        assert.notEqual(password, before);
        assert.equal(await client.postgres.roles.password(input), password);
      },
    ],
    'postgres.databases.update({ databaseName, name })': [
      'another name, in place',
      async ({ client, api }) => {
        const input = { projectId, branchId: made.branch, databaseName: 'shop', name: 'renamed' };
        const { id } = await client.postgres.databases.update(input);
        assert.equal((await api.read(`${branchPath()}/databases/renamed`)).database.id, id);
      },
    ],
    'branches.resetFromParent({ branchId: BRANCH })': [
      'what was made since is gone',
      async ({ client, api }) => {
        await client.branches.resetFromParent({ projectId, branchId: made.branch }, { waitForReadiness: true });
        const { databases } = await api.read(`${branchPath()}/databases`);
        assert.equal(databases.map(({ name }) => name).join(), 'shop');
      },
    ],
    'branches.list({ search, include_deleted }).all()': [
      'also a branch that was deleted',
      async ({ client }) => {
        await client.branches.delete({ projectId, branchId: made.branch });
        const found = await client.branches.list({ projectId, search: 'sdk-work', include_deleted: true }).all();
        assert.equal(found[0]?.recovery.deletion_method, 'user');
      },
    ],
    'client.post({ url: …/recover })': [
      'the branch is back: the route still answers',
      async ({ client, api }) => {
        const path = { project_id: projectId, branch_id: made.branch };
        const security = [{ scheme: 'bearer', type: 'http' }];
        await client.client.post({ security, url: '/projects/{project_id}/branches/{branch_id}/recover', path });
        assert.equal((await api.read(branchPath())).branch.name, 'sdk-work');
      },
    ],
  }),
};
