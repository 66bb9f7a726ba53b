// neonctl 5: the vendor's command line of today, and its configuration as code (`config plan`, `config apply`).
import { strict as assert } from 'node:assert';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandCase, wordsOf } from '../support/command-case.mjs';
import { isolatedEnvironment, runNode } from '../support/command.mjs';
import { installed } from '../support/paths.mjs';
import { CROWD, FEATURES, projectOf } from '../support/seed.mjs';

const project = projectOf('coral');
const POLICY = `import { defineConfig } from '@neon/config/v1';

const computeSettings = { autoscalingLimitMinCu: 0.5, autoscalingLimitMaxCu: 2, suspendTimeout: '10m' };
export default defineConfig({ branch: () => ({ postgres: { computeSettings } }) });
`;
/** Counts what a plan or apply says it does. */
const updates = ({ applied }) => applied.filter(({ action }) => action === 'update').length;

const cases = [
  {
    command: 'projects list -o json',
    shows: 'all projects, over several pages',
    check: ({ json }) => {
      const { projects } = json();
      assert.equal(new Set(projects.map(({ id }) => id)).size, projects.length);
      assert.equal(projects.filter(({ name }) => name.startsWith('crowd-')).length, CROWD);
    },
  },
  {
    command: 'projects list --api-key wrong',
    exit: 1,
    shows: '401 is told as a refused key',
    check: ({ stderr }) => assert.match(stderr, /Authentication failed/),
  },
  {
    command: 'branches list --project-id PROJECT -o json',
    shows: 'all branches',
    check: ({ json }) => assert.equal(json().length, FEATURES + 3),
  },
  {
    command: 'branches add-compute staging --type read_only --cu 0.5-2 --project-id PROJECT -o json',
    shows: 'a replica of that size, active in the end',
    check: async ({ json }, { api }) => {
      const { id } = json();
      await api.settled(project.id);
      const live = await api.compute(project.id, id);
      assert.deepEqual([live.branch_id, live.type, live.current_state], [project.staging, 'read_only', 'active']);
      assert.deepEqual([live.autoscaling_limit_min_cu, live.autoscaling_limit_max_cu], [0.5, 2]);
    },
  },
  {
    command: 'branches add-compute MAIN --type read_write --project-id PROJECT',
    exit: 1,
    shows: 'a second primary is refused, with the message of the API',
    check: ({ stderr }) => assert.match(stderr, /read_write endpoint/),
  },
  {
    command: 'branches create --name preview --cu 1 --suspend-timeout 120 --project-id PROJECT -o json',
    shows: 'a branch with its primary',
    check: async ({ json }, { api }) => {
      const [{ id }] = json().endpoints;
      const live = await api.compute(project.id, id);
      assert.deepEqual([live.autoscaling_limit_max_cu, live.suspend_timeout_seconds], [1, 120]);
    },
  },
  {
    command: 'config plan --project-id PROJECT --branch main -o json',
    shows: 'the primary differs from the policy; nothing is changed',
    check: async ({ json }, { api }) => {
      assert.equal(updates(json()), 1);
      assert.equal((await api.compute(project.id, project.primary)).autoscaling_limit_max_cu, 0.25);
    },
  },
  {
    command: 'config apply --no-env-pull --project-id PROJECT --branch main -o json',
    exit: 1,
    shows: 'refused by the client without --update-existing',
    check: ({ json }) => assert.equal(json().conflicts[0].field, 'computeSettings'),
  },
  {
    command: 'config apply --update-existing --no-env-pull --project-id PROJECT --branch main -o json',
    shows: 'the primary has the size and autosuspend of the policy',
    check: async ({ json }, { api }) => {
      assert.equal(updates(json()), 1);
      await api.settled(project.id);
      const live = await api.compute(project.id, project.primary);
      const { autoscaling_limit_min_cu: min, autoscaling_limit_max_cu: max, suspend_timeout_seconds: delay } = live;
      assert.deepEqual([min, max, delay], [0.5, 2, 600]);
    },
  },
  {
    command: 'config plan --project-id PROJECT --branch MAIN -o json',
    shows: 'no difference any more',
    check: ({ json }) => assert.equal(updates(json()), 0),
  },
  {
    command: 'config status --project-id PROJECT --branch main -o json',
    shows: 'the branch as its file would describe it',
    check: ({ json }, { words }) => assert.equal(json().project.id, words.PROJECT),
  },
  {
    command: 'api /projects/PROJECT/endpoints/PRIMARY -X PATCH -F endpoint.pooler_enabled=true',
    shows: 'a request written by hand',
    check: async (_, { api }) => {
      await api.settled(project.id);
      assert.equal((await api.compute(project.id, project.primary)).pooler_enabled, true);
    },
  },
];

export const group = {
  client: 'neonctl',
  version: '5.0.1',
  package: 'neonctl',
  project,
  open: ({ url, key, api, folder }) => {
    const cwd = join(folder, 'neonctl-5');
    mkdirSync(cwd);
    writeFileSync(join(cwd, 'neon.ts'), POLICY);
    symlinkSync(installed(), join(cwd, 'node_modules'), 'junction');
    const env = isolatedEnvironment(folder, { NEON_API_KEY: key });
    const flags = ['--api-host', url, '--no-analytics', '--config-dir', join(cwd, 'config')];
    const bin = installed('neonctl', 'bin', 'cli.js');
    return {
      api,
      words: wordsOf(project),
      cli: (args) => runNode([bin, ...flags, ...args], { cwd, env }),
    };
  },
  cases: cases.map(commandCase),
};
