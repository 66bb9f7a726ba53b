// neonctl 5: the vendor's command line of today, and its configuration as code (`config plan`, `config apply`).
import { strict as assert } from 'node:assert';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { has } from '../support/api.mjs';
import { commandCases, openCommandLine, refused } from '../support/command-case.mjs';
import { installed } from '../support/paths.mjs';
import { CROWD, FEATURES, projectOf } from '../support/seed.mjs';

const project = projectOf('coral');
const POLICY = `import { defineConfig } from '@neon/config/v1';

const computeSettings = { autoscalingLimitMinCu: 0.5, autoscalingLimitMaxCu: 2, suspendTimeout: '10m' };
export default defineConfig({ branch: () => ({ postgres: { computeSettings } }) });
`;
/** Counts what a plan or apply says it does. */
const updates = ({ applied }) => applied.filter(({ action }) => action === 'update').length;

const cases = {
  'projects list -o json': [
    'all projects, over several pages',
    ({ json }) => {
      const { projects } = json();
      assert.equal(new Set(projects.map(({ id }) => id)).size, projects.length);
      assert.equal(projects.filter(({ name }) => name.startsWith('crowd-')).length, CROWD);
    },
  ],
  'projects list --api-key wrong': refused('401 is told as a refused key', /Authentication failed/),
  'branches list --project-id PROJECT -o json': [
    'all branches',
    ({ json }) => assert.equal(json().length, FEATURES + 3),
  ],
  'branches add-compute staging --type read_only --cu 0.5-2 --project-id PROJECT -o json': [
    'a replica of that size, active in the end',
    async ({ json }, { api }) => {
      const live = await api.compute(project.id, json().id);
      has(live, { branch_id: project.staging, type: 'read_only', current_state: 'active' });
      has(live, { autoscaling_limit_min_cu: 0.5, autoscaling_limit_max_cu: 2 });
    },
  ],
  'branches add-compute MAIN --type read_write --project-id PROJECT': refused(
    'a second primary is refused, with the message of the API',
    /read_write endpoint/,
  ),
  'branches create --name preview --cu 1 --suspend-timeout 120 --project-id PROJECT -o json': [
    'a branch with its primary',
    async ({ json }, { api }) => {
      const [{ id }] = json().endpoints;
      has(await api.compute(project.id, id), { autoscaling_limit_max_cu: 1, suspend_timeout_seconds: 120 });
    },
  ],
  'config plan --project-id PROJECT --branch main -o json': [
    'the primary differs from the policy; nothing is changed',
    async ({ json }, { api }) => {
      assert.equal(updates(json()), 1);
      assert.equal((await api.compute(project.id, project.primary)).autoscaling_limit_max_cu, 0.25);
    },
  ],
  'config apply --no-env-pull --project-id PROJECT --branch main -o json': [
    'refused by the client without --update-existing',
    ({ json }) => assert.equal(json().conflicts[0].field, 'computeSettings'),
    { exit: 1 },
  ],
  'config apply --update-existing --no-env-pull --project-id PROJECT --branch main -o json': [
    'the primary has the size and autosuspend of the policy',
    async ({ json }, { api }) => {
      assert.equal(updates(json()), 1);
      const policy = { autoscaling_limit_min_cu: 0.5, autoscaling_limit_max_cu: 2, suspend_timeout_seconds: 600 };
      has(await api.compute(project.id, project.primary), policy);
    },
  ],
  'config plan --project-id PROJECT --branch MAIN -o json': [
    'no difference any more',
    ({ json }) => assert.equal(updates(json()), 0),
  ],
  'config status --project-id PROJECT --branch main -o json': [
    'the branch as its file would describe it',
    ({ json }, { words }) => assert.equal(json().project.id, words.PROJECT),
  ],
  'api /projects/PROJECT/endpoints/PRIMARY -X PATCH -F endpoint.pooler_enabled=true': [
    'a request written by hand',
    async (_, { api }) => has(await api.compute(project.id, project.primary), { pooler_enabled: true }),
  ],
};

export const group = {
  client: 'neonctl',
  version: '5.0.1',
  package: 'neonctl',
  project,
  open: (surroundings) => {
    const opened = openCommandLine(surroundings, { home: 'neonctl-5', bin: ['neonctl', 'bin', 'cli.js'], project });
    writeFileSync(join(opened.cwd, 'neon.ts'), POLICY);
    symlinkSync(installed(), join(opened.cwd, 'node_modules'), 'junction');
    return opened;
  },
  cases: commandCases(cases),
};
