// @neondatabase/api-client over the whole account: branches with their past, roles, databases, permissions and keys of the organization.
import { strict as assert } from 'node:assert';
import { project } from './api-client-parts.mjs';

const { id: PROJECT, main: MAIN } = project;
const made = {};
const branchPath = () => `/projects/${PROJECT}/branches/${made.branch}`;

export const accountCases = [
  {
    command: 'createProjectBranch(PROJECT, { branch, endpoints, annotation_value })',
    shows: 'a branch with its compute and annotations',
    run: async ({ client, api }) => {
      const body = { branch: { name: 'noted' }, endpoints: [{ type: 'read_write' }], annotation_value: { run: 'r1' } };
      const { data } = await client.createProjectBranch(PROJECT, body);
      made.branch = data.branch.id;
      await api.settled(PROJECT);
      assert.deepEqual((await api.read(branchPath())).annotation.value, { run: 'r1' });
    },
  },
  {
    command: 'updateProjectBranch(PROJECT, BRANCH, { branch: { expires_at } })',
    shows: 'an expiry',
    run: async ({ client, api }) => {
      const expires_at = new Date(Math.ceil(Date.now() / 1000) * 1000 + 3_600_000).toISOString();
      await client.updateProjectBranch(PROJECT, made.branch, { branch: { expires_at } });
      assert.equal((await api.read(branchPath())).branch.expires_at, expires_at);
    },
  },
  {
    command: 'restoreProjectBranch(PROJECT, BRANCH, { source_branch_id, preserve_under_name })',
    shows: 'the state of the parent, the old one under another name',
    run: async ({ client, api }) => {
      const body = { source_branch_id: MAIN, preserve_under_name: 'noted-before' };
      await client.restoreProjectBranch(PROJECT, made.branch, body);
      await api.settled(PROJECT);
      assert.ok((await api.branches(PROJECT)).some(({ name }) => name === 'noted-before'));
    },
  },
  {
    command: 'createProjectBranchRole(PROJECT, BRANCH, { role })',
    shows: 'a role with a password',
    run: async ({ client, api }) => {
      const { data } = await client.createProjectBranchRole(PROJECT, made.branch, { role: { name: 'app' } });
      await api.settled(PROJECT);
      const { password } = await api.read(`${branchPath()}/roles/app/reveal_password`);
      assert.equal(data.role.password, password);
    },
  },
  {
    command: 'createProjectBranchDatabase(PROJECT, BRANCH, { database })',
    shows: 'a database of that role',
    run: async ({ client, api }) => {
      const database = { name: 'appdb', owner_name: 'app' };
      await client.createProjectBranchDatabase(PROJECT, made.branch, { database });
      await api.settled(PROJECT);
      assert.equal((await api.read(`${branchPath()}/databases/appdb`)).database.owner_name, 'app');
    },
  },
  {
    command: 'deleteProjectBranchDatabase(PROJECT, BRANCH, appdb)',
    shows: 'gone',
    run: async ({ client, api }) => {
      await client.deleteProjectBranchDatabase(PROJECT, made.branch, 'appdb');
      await api.settled(PROJECT);
      assert.equal((await api.request('GET', `${branchPath()}/databases/appdb`)).status, 404);
    },
  },
  {
    command: 'getConnectionUri({ projectId, branch_id, database_name, role_name })',
    shows: 'a string with the password of the role',
    run: async ({ client, api }) => {
      const query = { branch_id: made.branch, database_name: 'shop', role_name: 'app' };
      const { data } = await client.getConnectionUri({ projectId: PROJECT, ...query });
      const { password } = await api.read(`${branchPath()}/roles/app/reveal_password`);
      assert.equal(new URL(data.uri).password, password);
    },
  },
  {
    command: 'deleteProjectBranch({ projectId: PROJECT, branchId: BRANCH }) of a branch that expires',
    shows: 'gone, with its compute',
    run: async ({ client, api }) => {
      await client.deleteProjectBranch({ projectId: PROJECT, branchId: made.branch });
      await api.settled(PROJECT);
      assert.ok((await api.computes(PROJECT)).every(({ branch_id: id }) => id !== made.branch));
    },
  },
  {
    command: 'grantPermissionToProject(PROJECT, { email })',
    shows: 'a permission',
    run: async ({ client, api }) => {
      made.grant = (await client.grantPermissionToProject(PROJECT, { email: 'friend@example.com' })).data.id;
      const { project_permissions: all } = await api.read(`/projects/${PROJECT}/permissions`);
      assert.deepEqual(
        all.map(({ granted_to_email: email }) => email),
        ['friend@example.com'],
      );
    },
  },
  {
    command: 'revokePermissionFromProject(PROJECT, PERMISSION)',
    shows: 'no permission',
    run: async ({ client, api }) => {
      await client.revokePermissionFromProject(PROJECT, made.grant);
      assert.deepEqual((await api.read(`/projects/${PROJECT}/permissions`)).project_permissions, []);
    },
  },
  {
    command: 'createOrgApiKey(ORG, { key_name, project_id })',
    shows: 'a key that opens this project alone',
    run: async ({ client, api }) => {
      const [{ id }] = (await client.getCurrentUserOrganizations()).data.organizations;
      const { data } = await client.createOrgApiKey(id, { key_name: 'scoped', project_id: PROJECT });
      const status = async (path) => (await api.request('GET', path, { withKey: data.key })).status;
      assert.deepEqual([await status(`/projects/${PROJECT}`), await status('/projects/crowd-row-001')], [200, 404]);
    },
  },
];
