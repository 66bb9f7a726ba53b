// @neon/sdk over the whole account: projects, branches, roles and databases, and what they hand back to connect.
import { strict as assert } from 'node:assert';
import { projectOf } from '../support/seed.mjs';

const { id: projectId } = projectOf('birch');
const made = {};
const branchPath = () => `/projects/${projectId}/branches/${made.branch}`;

export const accountCases = [
  {
    command: 'projects.createAndConnect({ name, region_id, pooled })',
    shows: 'a project that is ready, and a pooled connection string for it',
    run: async ({ client, api }) => {
      const input = { name: 'tenant', region_id: 'aws-eu-central-1', pooled: true };
      const { project, connectionString } = await client.projects.createAndConnect(input);
      made.project = project.id;
      const [compute] = await api.computes(made.project);
      assert.equal(compute.current_state, 'active');
      assert.match(new URL(connectionString).hostname, new RegExp(`^${compute.id}-pooler\\.eu-central-1`));
    },
  },
  {
    command: 'projects.update({ projectId, name, settings })',
    shows: 'another name and another setting',
    run: async ({ client, api }) => {
      const settings = { allowed_ips: { ips: ['192.0.2.1'], protected_branches_only: false } };
      await client.projects.update({ projectId: made.project, name: 'tenant-2', settings });
      const { project } = await api.read(`/projects/${made.project}`);
      assert.deepEqual([project.name, project.settings.allowed_ips], ['tenant-2', settings.allowed_ips]);
    },
  },
  {
    command: 'projects.delete({ projectId }), projects.recover({ projectId })',
    shows: 'gone, and back',
    run: async ({ client, api }) => {
      await client.projects.delete({ projectId: made.project });
      assert.equal((await api.request('GET', `/projects/${made.project}`)).status, 404);
      await client.projects.recover({ projectId: made.project });
      assert.equal((await api.read(`/projects/${made.project}`)).project.name, 'tenant-2');
    },
  },
  {
    command: 'branches.create({ projectId: PROJECT, name, expires_at, noCompute })',
    shows: 'a branch that expires, without a compute',
    run: async ({ client, api }) => {
      const expires_at = new Date(Math.ceil(Date.now() / 1000) * 1000 + 3_600_000).toISOString();
      made.branch = (await client.branches.create({ projectId, name: 'sdk-work', expires_at, noCompute: true })).id;
      const { branch } = await api.read(branchPath());
      assert.deepEqual([branch.name, branch.expires_at], ['sdk-work', expires_at]);
    },
  },
  {
    command: 'branches.update({ branchId: BRANCH, name, expires_at: null })',
    shows: 'another name, and no expiry',
    run: async ({ client, api }) => {
      await client.branches.update({ projectId, branchId: made.branch, name: 'sdk-review', expires_at: null });
      const { branch } = await api.read(branchPath());
      assert.deepEqual([branch.name, branch.expires_at], ['sdk-review', undefined]);
    },
  },
  {
    command: 'postgres.roles.create({ branchId: BRANCH, name })',
    shows: 'a role with a password, told once',
    run: async ({ client, api }) => {
      const role = await client.postgres.roles.create({ projectId, branchId: made.branch, name: 'app' });
      assert.match(role.password, /^npg_/);
      assert.equal((await api.read(`${branchPath()}/roles/app`)).role.password, undefined);
    },
  },
  {
    command: 'postgres.roles.resetPassword({ roleName }), postgres.roles.password({ roleName })',
    shows: 'another password, which can be read again',
    run: async ({ client }) => {
      const input = { projectId, branchId: made.branch, roleName: 'app' };
      const before = await client.postgres.roles.password(input);
      const { password } = await client.postgres.roles.resetPassword(input);
      assert.notEqual(password, before);
      assert.equal(await client.postgres.roles.password(input), password);
    },
  },
  {
    command: 'postgres.databases.create({ name, owner_name })',
    shows: 'a database of that role',
    run: async ({ client, api }) => {
      const input = { projectId, branchId: made.branch, name: 'appdb', owner_name: 'app' };
      await client.postgres.databases.create(input);
      assert.equal((await api.read(`${branchPath()}/databases/appdb`)).database.owner_name, 'app');
    },
  },
  {
    command: 'postgres.databases.update({ databaseName, name })',
    shows: 'another name, in place',
    run: async ({ client, api }) => {
      const input = { projectId, branchId: made.branch, databaseName: 'appdb', name: 'renamed' };
      const { id } = await client.postgres.databases.update(input);
      assert.equal((await api.read(`${branchPath()}/databases/renamed`)).database.id, id);
    },
  },
  {
    command: 'branches.resetFromParent({ branchId: BRANCH })',
    shows: 'what was made since is gone',
    run: async ({ client, api }) => {
      await client.branches.resetFromParent({ projectId, branchId: made.branch }, { waitForReadiness: true });
      const { databases } = await api.read(`${branchPath()}/databases`);
      assert.deepEqual(
        databases.map(({ name }) => name),
        ['shop'],
      );
    },
  },
  {
    command: 'branches.resetFromParent({ branchId: BRANCH, preserveUnderName })',
    shows: 'the old state stays as a branch',
    run: async ({ client, api }) => {
      const input = { projectId, branchId: made.branch, preserveUnderName: 'sdk-kept' };
      await client.branches.resetFromParent(input, { waitForReadiness: true });
      assert.ok((await api.branches(projectId)).some(({ name }) => name === 'sdk-kept'));
    },
  },
  {
    command: 'branches.list({ search, include_deleted }).all()',
    shows: 'also a branch that was deleted',
    run: async ({ client }) => {
      await client.branches.delete({ projectId, branchId: made.branch });
      const found = await client.branches.list({ projectId, search: 'sdk-review', include_deleted: true }).all();
      assert.equal(found[0]?.recovery.deletion_method, 'user');
    },
  },
  {
    command: 'client.post({ url: …/recover })',
    shows: 'the branch is back: the route still answers',
    run: async ({ client, api }) => {
      const path = { project_id: projectId, branch_id: made.branch };
      const security = [{ scheme: 'bearer', type: 'http' }];
      await client.client.post({ security, url: '/projects/{project_id}/branches/{branch_id}/recover', path });
      assert.equal((await api.read(branchPath())).branch.name, 'sdk-review');
    },
  },
];
