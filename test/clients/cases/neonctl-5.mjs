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
    command: 'me -o json',
    shows: 'the account behind the key',
    check: ({ json }) => assert.equal(json().email, 'clients@db.localhost'),
  },
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
    command: 'projects get PROJECT -o json',
    shows: 'one project',
    check: ({ json }) => assert.equal(json().name, project.name),
  },
  {
    command: 'projects create --name made-by-neonctl -o json',
    shows: 'a project with branch and primary',
    check: async ({ json }, { api, words }) => {
      words.MADE = json().project.id;
      await api.settled(words.MADE);
      assert.equal((await api.computes(words.MADE)).length, 1);
    },
  },
  {
    command: 'projects update MADE --name renamed -o json',
    shows: 'another name',
    check: async (_, { api, words }) => {
      assert.equal((await api.read(`/projects/${words.MADE}`)).project.name, 'renamed');
    },
  },
  {
    command: 'projects delete MADE -o json',
    shows: 'gone',
    check: async (_, { api, words }) => assert.equal((await api.request('GET', `/projects/${words.MADE}`)).status, 404),
  },
  {
    command: 'projects list --api-key wrong',
    exit: 1,
    shows: '401 is told as a refused key',
    check: ({ stderr }) => assert.match(stderr, /Authentication failed/),
  },
  {
    command: 'api-keys create --name from-neonctl -o json',
    shows: 'a key that works at once',
    check: async ({ json }, context) => {
      context.key = json().key;
      context.words.KEY_ID = String(json().id);
      assert.ok(await context.api.opens(context.key));
    },
  },
  {
    command: 'api-keys list -o json',
    shows: 'the new key with its last use, without its value',
    check: ({ stdout, json }, { key, words }) => {
      const listed = json().find(({ id }) => String(id) === words.KEY_ID);
      assert.equal(listed?.name, 'from-neonctl');
      assert.equal(listed.last_used_from_addr, '127.0.0.1');
      assert.ok(!stdout.includes(key));
    },
  },
  {
    command: 'api-keys revoke KEY_ID -o json',
    shows: 'the key fails from then on',
    check: async (_, { api, key }) => assert.equal(await api.opens(key), false),
  },
  {
    command: 'branches list --project-id PROJECT -o json',
    shows: 'all branches',
    check: ({ json }) => assert.equal(json().length, FEATURES + 3),
  },
  {
    command: 'branches get main --project-id PROJECT -o json',
    shows: 'a branch by its name',
    check: ({ json }) => assert.equal(json().id, project.main),
  },
  {
    command: 'branches get MAIN --project-id PROJECT -o json',
    shows: 'a branch by its id',
    check: ({ json }) => assert.equal(json().name, 'main'),
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
    command: 'branches rename preview review --project-id PROJECT -o json',
    shows: 'another name',
    check: async (_, { api }) => assert.ok((await api.branches(project.id)).some(({ name }) => name === 'review')),
  },
  {
    command: 'branches delete review --project-id PROJECT -o json',
    shows: 'gone, with its compute',
    check: async (_, { api }) => {
      await api.settled(project.id);
      assert.ok(!(await api.branches(project.id)).some(({ name }) => name === 'review'));
      assert.equal((await api.computes(project.id)).length, 2);
    },
  },
  {
    command: 'connection-string main --project-id PROJECT',
    shows: 'a URI to the primary, role and database found by the client',
    check: ({ stdout }) => assert.ok(new URL(stdout.trim()).hostname.startsWith(project.primary)),
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
  {
    command: 'operations list --project-id PROJECT -o json',
    shows: 'operations, newest first; all have finished',
    check: async ({ json }, { api }) => {
      const listed = json();
      const all = await api.operations(project.id);
      assert.deepEqual(
        listed.map(({ id }) => id),
        all.map(({ id }) => id).slice(0, listed.length),
      );
      assert.ok(listed.length > 5 && listed.every(({ status }) => status === 'finished'));
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
      words: { ...wordsOf(project), KEY_ID: undefined, MADE: undefined },
      cli: (args) => runNode([bin, ...flags, ...args], { cwd, env }),
    };
  },
  cases: cases.map(commandCase),
};
