// @neondatabase/api-client: the vendor's older library, on axios, without retries or waiting of its own.
import { strict as assert } from 'node:assert';
import { load } from '../support/paths.mjs';
import { CROWD } from '../support/seed.mjs';
import { accountCases } from './api-client-account.mjs';
import { computeCases } from './api-client-computes.mjs';
import { assertStatus, pages, project } from './api-client-parts.mjs';

const { id: PROJECT, main: MAIN, primary: PRIMARY } = project;
const made = {};

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
  cases: [
    {
      command: 'getCurrentUserInfo()',
      shows: 'the account behind the key',
      run: async ({ client }) => {
        assert.equal((await client.getCurrentUserInfo()).data.email, 'clients@db.localhost');
      },
    },
    {
      command: 'listProjects({ limit: 40, cursor })',
      shows: 'pages that end, without gap or overlap',
      run: async ({ client }) => {
        const projects = await pages((cursor) => client.listProjects({ limit: 40, cursor }), 'projects', 40);
        assert.equal(new Set(projects.map(({ id }) => id)).size, projects.length);
        assert.equal(projects.filter(({ name }) => name.startsWith('crowd-')).length, CROWD);
      },
    },
    {
      command: 'getProject(PROJECT)',
      shows: 'one project',
      run: async ({ client }) => {
        assert.equal((await client.getProject(PROJECT)).data.project.name, project.name);
      },
    },
    {
      command: 'createApiKey({ key_name })',
      shows: 'a key that works at once and is never shown again',
      run: async ({ client, api }) => {
        made.key = (await client.createApiKey({ key_name: 'from-api-client' })).data;
        assert.ok(await api.opens(made.key.key));
        assert.ok(!JSON.stringify(await api.keys()).includes(made.key.key));
      },
    },
    {
      command: 'listApiKeys()',
      shows: 'last use and its address',
      run: async ({ client }) => {
        const key = (await client.listApiKeys()).data.find(({ id }) => id === made.key.id);
        assert.equal(key?.name, 'from-api-client');
        assert.equal(key.last_used_from_addr, '127.0.0.1');
        assert.ok(Date.parse(key.last_used_at) > 0);
      },
    },
    {
      command: 'revokeApiKey(KEY_ID)',
      shows: 'the key fails from then on',
      run: async ({ client, api }) => {
        const { data } = await client.revokeApiKey(made.key.id);
        assert.equal(data.revoked, true);
        assert.equal(await api.opens(made.key.key), false);
      },
    },
    {
      command: 'listProjects() with a revoked key',
      shows: '401',
      run: async ({ clientOf }) => {
        await assertStatus(clientOf(made.key.key).listProjects({}), 401);
      },
    },
    ...computeCases,
    {
      command: 'createProjectBranch(PROJECT, { branch, endpoints })',
      shows: 'a branch with its primary',
      run: async ({ client, api }) => {
        const body = { branch: { name: 'preview' }, endpoints: [{ type: 'read_write', suspend_timeout_seconds: 90 }] };
        const { status, data } = await client.createProjectBranch(PROJECT, body);
        assert.equal(status, 201);
        made.branch = data.branch.id;
        assert.equal(data.branch.parent_id, MAIN);
        await api.settled(PROJECT);
        const live = await api.compute(PROJECT, data.endpoints[0].id);
        assert.deepEqual([live.branch_id, live.suspend_timeout_seconds], [made.branch, 90]);
      },
    },
    {
      command: 'listProjectBranches({ projectId: PROJECT, limit: 2, cursor })',
      shows: 'pages of branches',
      run: async ({ client }) => {
        const first = (await client.listProjectBranches({ projectId: PROJECT, limit: 2 })).data;
        const cursor = first.pagination.next;
        const second = (await client.listProjectBranches({ projectId: PROJECT, limit: 2, cursor })).data;
        const names = [...first.branches, ...second.branches].map(({ name }) => name);
        assert.deepEqual([names.length, new Set(names)], [4, new Set(['dev', 'main', 'preview', 'staging'])]);
      },
    },
    {
      command: 'countProjectBranches({ projectId: PROJECT })',
      shows: 'how many branches there are',
      run: async ({ client }) => {
        assert.equal((await client.countProjectBranches({ projectId: PROJECT })).data.count, 4);
      },
    },
    {
      command: 'deleteProjectBranch({ projectId: PROJECT, branchId: BRANCH })',
      shows: 'the branch and its compute are gone',
      run: async ({ client, api }) => {
        await client.deleteProjectBranch({ projectId: PROJECT, branchId: made.branch });
        await api.settled(PROJECT);
        assert.ok(!(await api.branches(PROJECT)).some(({ id }) => id === made.branch));
        assert.equal((await api.computes(PROJECT)).length, 1);
      },
    },
    {
      command: 'getConnectionUri({ projectId: PROJECT, database_name, role_name })',
      shows: "a URI to the default branch's primary",
      run: async ({ client }) => {
        const query = { projectId: PROJECT, database_name: 'shop', role_name: 'owner' };
        const { protocol, hostname, pathname } = new URL((await client.getConnectionUri(query)).data.uri);
        assert.deepEqual([protocol, pathname], ['postgresql:', '/shop']);
        assert.ok(hostname.startsWith(PRIMARY));
      },
    },
    ...accountCases,
  ],
};
