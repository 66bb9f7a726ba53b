// Alchemy: infrastructure as a program; its NeonProject and NeonBranch are made, changed, adopted and destroyed.
import { strict as assert } from 'node:assert';
import { has } from '../support/api.mjs';
import { casesOf } from '../support/runner.mjs';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isolatedEnvironment, runNode } from '../support/command.mjs';
import { clientsFolder, installed } from '../support/paths.mjs';
import { projectOf } from '../support/seed.mjs';

const project = projectOf('grove');
const asked = { name: 'from-alchemy', pg_version: 16, region_id: 'aws-eu-central-1', default_branch_name: 'trunk' };
const branch = { name: 'preview', endpoints: [{ type: 'read_write', autoscaling_limit_max_cu: 2 }] };
const made = {};

const up =
  (wish, check, phase = 'up') =>
  async ({ run, api }) => {
    const { exit, stdout, stderr } = await run(phase, wish);
    assert.equal(exit, 0, (stderr || stdout).slice(0, 600));
    await check(api, JSON.parse(/^told (.*)$/m.exec(stdout)?.[1] ?? '{}'));
  };
const liveBranch = async (api) => (await api.read(`/projects/${made.project}/branches/${made.branch}`)).branch;

export const group = {
  client: 'alchemy',
  version: '0.94.0',
  package: 'alchemy',
  project,
  open: ({ url, key, api, folder }) => {
    const cwd = join(folder, 'alchemy');
    mkdirSync(cwd);
    const access = { NEON_API_KEY: key, TRUEUP_BASE_URL: url };
    const env = isolatedEnvironment(folder, { ...access, CI: '', ALCHEMY_TELEMETRY_DISABLED: '1' });
    const program = join(clientsFolder, 'support', 'alchemy-app.mjs');
    return { api, run: (phase, wish) => runNode([program, installed(), phase, JSON.stringify(wish)], { cwd, env }) };
  },
  cases: casesOf({
    'NeonProject({ name, pg_version, region_id, default_branch_name })': [
      'a project as it was asked for, and a connection string for it',
      up({ project: asked }, async (api, told) => {
        made.project = told.projectId;
        const { default_branch_name: _trunk, ...rest } = asked;
        has((await api.read(`/projects/${made.project}`)).project, rest);
        assert.equal((await api.branches(made.project))[0].name, 'trunk');
        assert.match(told.uri, /^postgresql:\/\/neondb_owner:npg_/);
      }),
    ],
    'NeonProject({ …, history_retention_seconds, settings })': [
      'the same project, changed in place',
      up(
        { project: { ...asked, history_retention_seconds: 3600, settings: { block_vpc_connections: true } } },
        async (api, told) => {
          assert.equal(told.projectId, made.project);
          const { project: live } = await api.read(`/projects/${made.project}`);
          assert.deepEqual([live.history_retention_seconds, live.settings.block_vpc_connections], [3600, true]);
        },
      ),
    ],
    'NeonBranch({ project, name, endpoints })': [
      'a branch with its compute, active when the program goes on',
      up({ project: asked, branch }, async (api, told) => {
        made.branch = told.branchId;
        assert.equal((await liveBranch(api)).name, 'preview');
        const { endpoints } = await api.read(`/projects/${made.project}/branches/${made.branch}/endpoints`);
        assert.deepEqual([endpoints[0].current_state, endpoints[0].autoscaling_limit_max_cu], ['active', 2]);
      }),
    ],
    'NeonBranch({ …, name, protected })': [
      'another name, and protection',
      up({ project: asked, branch: { ...branch, name: 'review', protected: true } }, async (api) => {
        has(await liveBranch(api), { name: 'review', protected: true });
      }),
    ],
    'NeonBranch({ …, expiresAt })': [
      'no protection, and an expiry',
      async (context) => {
        const expiresAt = new Date(Math.ceil(Date.now() / 1000) * 1000 + 3_600_000).toISOString();
        await up({ project: asked, branch: { ...branch, name: 'review', expiresAt } }, async (api) => {
          has(await liveBranch(api), { protected: false, expires_at: expiresAt });
        })(context);
      },
    ],
    'the same program without NeonBranch': [
      'the branch is deleted',
      up({ project: asked }, async (api) => {
        assert.equal((await api.branches(made.project)).map(({ name }) => name).join(), 'trunk');
      }),
    ],
    'NeonBranch({ …, adopt })': [
      'a branch that somebody else made is taken over',
      async (context) => {
        const body = { branch: { name: 'theirs' }, endpoints: [{ type: 'read_write' }] };
        const { body: reply } = await context.api.request('POST', `/projects/${made.project}/branches`, { body });
        await context.api.settled(made.project);
        await up({ project: asked, branch: { name: 'theirs', adopt: true } }, (_, told) =>
          assert.equal(told.branchId, reply.branch.id),
        )(context);
      },
    ],
    'alchemy(…, { phase: destroy })': [
      'the project is deleted with all it has',
      up(
        {},
        async (api) => assert.equal((await api.request('GET', `/projects/${made.project}`)).status, 404),
        'destroy',
      ),
    ],
  }),
};
