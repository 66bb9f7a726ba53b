// neon 6: the vendor's newest command line, over the whole account; the effect of each command is read back by plain requests.
import { strict as assert } from 'node:assert';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { commandCase, wordsOf } from '../support/command-case.mjs';
import { isolatedEnvironment, runNode } from '../support/command.mjs';
import { installed } from '../support/paths.mjs';
import { projectOf } from '../support/seed.mjs';

const project = projectOf('fern');
const HOUR_MS = 3_600_000;
const later = (ms) => new Date(Math.floor((Date.now() + ms) / 1000) * 1000).toISOString().replace('.000Z', 'Z');

const settingsOf = async ({ api, words }, id = words.PROJECT) => (await api.read(`/projects/${id}`)).project.settings;
const branchNamed = async ({ api, words }, name) =>
  (await api.branches(words.PROJECT)).find((branch) => branch.name === name);
const namesOn = async ({ api, words }, branchId, what) =>
  (await api.read(`/projects/${words.PROJECT}/branches/${branchId}/${what}`))[what].map(({ name }) => name).sort();
const allowed = async (context) => (await settingsOf(context)).allowed_ips.ips;

const projects = [
  {
    command:
      'projects create --name made-by-neon --cu 0.5-2 --database app --role app --region-id aws-eu-central-1 --pg-version 16 -o json',
    shows: 'a project with the names, size, place and version that were asked for',
    check: async ({ json }, { api, words }) => {
      words.MADE = json().project.id;
      await api.settled(words.MADE);
      const { project: made } = await api.read(`/projects/${words.MADE}`);
      assert.deepEqual([made.region_id, made.pg_version], ['aws-eu-central-1', 16]);
      const [compute] = await api.computes(words.MADE);
      assert.deepEqual([compute.autoscaling_limit_min_cu, compute.autoscaling_limit_max_cu], [0.5, 2]);
      const path = `/projects/${words.MADE}/branches/${compute.branch_id}/databases`;
      const [database] = (await api.read(path)).databases;
      assert.deepEqual([database.name, database.owner_name], ['app', 'app']);
    },
  },
  {
    command: 'projects update MADE --name renamed -o json',
    shows: 'another name',
    check: async (_, { api, words }) =>
      assert.equal((await api.read(`/projects/${words.MADE}`)).project.name, 'renamed'),
  },
  {
    command: 'projects update MADE --cu 1-4 -o json',
    shows: 'defaults for computes that are made later',
    check: async (_, { api, words }) => {
      const { default_endpoint_settings: defaults } = (await api.read(`/projects/${words.MADE}`)).project;
      assert.deepEqual([defaults.autoscaling_limit_min_cu, defaults.autoscaling_limit_max_cu], [1, 4]);
    },
  },
  {
    command: 'projects update MADE --block-public-connections -o json',
    shows: 'a setting',
    check: async (_, context) =>
      assert.equal((await settingsOf(context, context.words.MADE)).block_public_connections, true),
  },
  {
    command: 'projects update MADE --enable-logical-replication --yes -o json',
    shows: 'logical replication, which stays on',
    check: async (_, context) => {
      await context.api.settled(context.words.MADE);
      assert.equal((await settingsOf(context, context.words.MADE)).enable_logical_replication, true);
    },
  },
  {
    command: 'projects delete MADE -o json',
    shows: 'gone',
    check: async (_, { api, words }) => assert.equal((await api.request('GET', `/projects/${words.MADE}`)).status, 404),
  },
  {
    command: 'projects list --recoverable-only -o json',
    shows: 'and among those that can be recovered',
    check: ({ json }, { words }) => assert.ok(JSON.stringify(json()).includes(words.MADE)),
  },
  {
    command: 'projects recover MADE -o json',
    shows: 'back, with its settings',
    check: async (_, context) =>
      assert.equal((await settingsOf(context, context.words.MADE)).block_public_connections, true),
  },
  {
    command: 'projects delete no-such-project -o json',
    exit: 1,
    shows: '404, with the message of the API',
    check: ({ stderr }) => assert.match(stderr, /not found/i),
  },
];

const addresses = [
  {
    command: 'ip-allow add 203.0.113.0/24 198.51.100.7 --project-id PROJECT -o json',
    shows: 'two entries',
    check: async (_, context) => assert.deepEqual(await allowed(context), ['203.0.113.0/24', '198.51.100.7']),
  },
  {
    command: 'ip-allow add 203.0.113.0/24 --protected-only --project-id PROJECT -o json',
    shows: 'for protected branches alone',
    check: async (_, context) => assert.equal((await settingsOf(context)).allowed_ips.protected_branches_only, true),
  },
  {
    command: 'ip-allow remove 198.51.100.7 --project-id PROJECT -o json',
    shows: 'one entry less',
    check: async (_, context) => assert.deepEqual(await allowed(context), ['203.0.113.0/24']),
  },
  {
    command: 'ip-allow reset 192.0.2.9 --project-id PROJECT -o json',
    shows: 'another list',
    check: async (_, context) => assert.deepEqual(await allowed(context), ['192.0.2.9']),
  },
];

const branches = [
  {
    command: 'branches create --name feature --expires-at SOON --project-id PROJECT -o json',
    shows: 'a branch with a compute, which expires',
    check: async ({ json }, context) => {
      const live = await branchNamed(context, 'feature');
      assert.equal(json().branch.id, live.id);
      assert.equal(Date.parse(live.expires_at), Date.parse(context.words.SOON));
      assert.equal(
        (await context.api.read(`/projects/${context.words.PROJECT}/branches/${live.id}/endpoints`)).endpoints.length,
        1,
      );
    },
  },
  {
    command: 'branches create --name guarded --protected --no-compute --project-id PROJECT -o json',
    shows: 'a protected branch without a compute',
    check: async (_, context) => assert.equal((await branchNamed(context, 'guarded')).protected, true),
  },
  {
    command: 'branches set-expiration feature --expires-at LATER --project-id PROJECT -o json',
    shows: 'another expiry',
    check: async (_, context) =>
      assert.equal(Date.parse((await branchNamed(context, 'feature')).expires_at), Date.parse(context.words.LATER)),
  },
  {
    command: 'branches set-expiration feature --project-id PROJECT -o json',
    shows: 'no expiry',
    check: async (_, context) => assert.equal((await branchNamed(context, 'feature')).expires_at, undefined),
  },
  {
    command: 'branches rename feature work --project-id PROJECT -o json',
    shows: 'another name',
    check: async (_, context) => assert.ok(await branchNamed(context, 'work')),
  },
  {
    command: 'branches add-compute work --type read_only --cu 2 --project-id PROJECT -o json',
    shows: 'a replica of that size',
    check: async ({ json }, { api, words }) => {
      await api.settled(words.PROJECT);
      const live = await api.compute(words.PROJECT, json().id);
      assert.deepEqual([live.type, live.autoscaling_limit_max_cu], ['read_only', 2]);
    },
  },
  {
    command: 'branches set-default work --project-id PROJECT -o json',
    shows: 'the default branch',
    check: async (_, context) => assert.equal((await branchNamed(context, 'work')).default, true),
  },
  {
    command: 'branches set-default main --project-id PROJECT -o json',
    shows: 'and back',
    check: async (_, context) => assert.equal((await branchNamed(context, 'work')).default, false),
  },
  {
    command: 'branches reset work --parent --project-id PROJECT -o json',
    before: async ({ api, words }) => {
      const id = (await api.branches(words.PROJECT)).find(({ name }) => name === 'work').id;
      const body = { role: { name: 'stray' } };
      await api.request('POST', `/projects/${words.PROJECT}/branches/${id}/roles`, { body });
      await api.settled(words.PROJECT);
    },
    shows: 'the state of the parent: what was made since is gone',
    check: async (_, context) => {
      await context.api.settled(context.words.PROJECT);
      const live = await branchNamed(context, 'work');
      assert.ok(live.last_reset_at !== undefined && live.current_state === 'ready');
      assert.deepEqual(await namesOn(context, live.id, 'roles'), ['owner']);
    },
  },
  {
    command: 'branches reset work --parent --preserve-under-name kept --project-id PROJECT -o json',
    shows: 'the same, and the old state as a branch',
    check: async (_, context) => {
      await context.api.settled(context.words.PROJECT);
      assert.ok(await branchNamed(context, 'kept'));
    },
  },
  {
    command: 'branches restore work main --project-id PROJECT -o json',
    shows: 'the head of another branch',
    check: async (_, context) => {
      await context.api.settled(context.words.PROJECT);
      assert.equal((await branchNamed(context, 'work')).parent_id, context.words.MAIN);
    },
  },
  {
    command: 'branches restore main ^self@PAST --preserve-under-name main-before --project-id PROJECT -o json',
    before: async ({ api, words }) => {
      const body = { role: { name: 'mistake' } };
      await api.request('POST', `/projects/${words.PROJECT}/branches/${words.MAIN}/roles`, { body });
      await api.settled(words.PROJECT);
    },
    shows: 'its own past: the role that came since is on the preserved branch alone',
    check: async (_, context) => {
      await context.api.settled(context.words.PROJECT);
      const before = await branchNamed(context, 'main-before');
      assert.deepEqual(await namesOn(context, context.words.MAIN, 'roles'), ['owner']);
      assert.deepEqual(await namesOn(context, before.id, 'roles'), ['mistake', 'owner']);
    },
  },
  {
    command: 'branches create --name schema --schema-only --parent main --project-id PROJECT -o json',
    shows: 'a root branch with the schema of main',
    check: async (_, context) => {
      const live = await branchNamed(context, 'schema');
      assert.deepEqual([live.init_source, live.parent_id], ['schema-only', undefined]);
    },
  },
  {
    command: 'branches delete main --project-id PROJECT',
    exit: 1,
    shows: 'the default branch is not deleted, with the message of the API',
    check: ({ stderr }) => assert.match(stderr, /default branch/),
  },
  {
    command: 'branches delete guarded --project-id PROJECT',
    exit: 1,
    shows: 'nor is a protected one',
    check: ({ stderr }) => assert.match(stderr, /protected/),
  },
];

const contents = [
  {
    command: 'roles create --name app --branch main --project-id PROJECT -o json',
    shows: 'a role',
    check: async (_, context) => {
      await context.api.settled(context.words.PROJECT);
      assert.deepEqual(await namesOn(context, context.words.MAIN, 'roles'), ['app', 'owner']);
    },
  },
  {
    command: 'roles create --name group --noLogin --branch main --project-id PROJECT -o json',
    shows: 'a role that cannot log in',
    check: async (_, { api, words }) => {
      await api.settled(words.PROJECT);
      const { role } = await api.read(`/projects/${words.PROJECT}/branches/${words.MAIN}/roles/group`);
      assert.equal(role.authentication_method, 'no_login');
    },
  },
  {
    command: 'roles delete group --branch main --project-id PROJECT -o json',
    shows: 'gone',
    check: async (_, context) => {
      await context.api.settled(context.words.PROJECT);
      assert.deepEqual(await namesOn(context, context.words.MAIN, 'roles'), ['app', 'owner']);
    },
  },
  {
    command: 'databases create --name appdb --owner-name app --branch main --project-id PROJECT -o json',
    shows: 'a database of that role',
    check: async (_, { api, words }) => {
      await api.settled(words.PROJECT);
      const { database } = await api.read(`/projects/${words.PROJECT}/branches/${words.MAIN}/databases/appdb`);
      assert.equal(database.owner_name, 'app');
    },
  },
  {
    command: 'roles delete app --branch main --project-id PROJECT',
    exit: 1,
    shows: 'the owner of a database is not deleted, with the message of the API',
    check: ({ stderr }) => assert.match(stderr, /owns databases/),
  },
  {
    command: 'connection-string main --role-name app --database-name appdb --project-id PROJECT',
    shows: 'a URI with the password that the API reveals',
    check: async ({ stdout }, { api, words }) => {
      const url = new URL(stdout.trim());
      const path = `/projects/${words.PROJECT}/branches/${words.MAIN}/roles/app/reveal_password`;
      assert.deepEqual([url.username, url.password, url.pathname], ['app', (await api.read(path)).password, '/appdb']);
    },
  },
  {
    command: 'connection-string main --role-name app --database-name appdb --pooled --project-id PROJECT',
    shows: 'the same through the pooler',
    check: ({ stdout }) => assert.match(new URL(stdout.trim()).hostname, /^ep-[a-z0-9-]+-pooler\./),
  },
  {
    command: 'databases delete appdb --branch main --project-id PROJECT -o json',
    shows: 'gone',
    check: async (_, context) => {
      await context.api.settled(context.words.PROJECT);
      assert.deepEqual(await namesOn(context, context.words.MAIN, 'databases'), ['shop']);
    },
  },
  {
    command: 'operations list --project-id PROJECT -o json',
    shows: 'what the commands above have started; all have finished',
    check: ({ json }) => {
      const actions = new Set(json().map(({ action }) => action));
      for (const action of ['create_branch', 'apply_config', 'delete_timeline']) assert.ok(actions.has(action), action);
      assert.ok(json().every(({ status }) => status === 'finished'));
    },
  },
  {
    command: 'snapshots list --project-id PROJECT',
    shows: 'none: nothing here makes any',
    check: ({ stdout, stderr }) => assert.match(stdout + stderr, /No snapshots found/),
  },
  {
    command: 'snapshots create --branch main --project-id PROJECT',
    exit: 1,
    shows: 'a route that is not modelled is told by its name',
    check: ({ stderr }) => assert.match(stderr, /snapshot is not modelled/),
  },
];

const keys = [
  {
    command: 'api-keys create --name from-neon -o json',
    shows: 'a key that works at once',
    check: async ({ json }, context) => {
      context.key = json().key;
      context.words.KEY_ID = String(json().id);
      assert.ok(await context.api.opens(context.key));
    },
  },
  {
    command: 'api-keys revoke KEY_ID -o json',
    shows: 'the key fails from then on',
    check: async (_, { api, key }) => assert.equal(await api.opens(key), false),
  },
];

export const group = {
  client: 'neon',
  version: '6.2.3',
  package: 'neon',
  project,
  open: ({ url, key, api, folder }) => {
    const cwd = join(folder, 'neon-6');
    mkdirSync(cwd);
    const env = isolatedEnvironment(folder, { NEON_API_KEY: key });
    const flags = ['--api-host', url, '--no-analytics', '--config-dir', join(cwd, 'config')];
    const bin = installed('neon', 'dist', 'cli.js');
    const times = { SOON: later(HOUR_MS), LATER: later(48 * HOUR_MS), PAST: later(-HOUR_MS) };
    return {
      api,
      words: { ...wordsOf(project), ...times, KEY_ID: undefined, MADE: undefined },
      cli: (args) => runNode([bin, ...flags, ...args], { cwd, env }),
    };
  },
  cases: [...projects, ...addresses, ...branches, ...contents, ...keys].map(commandCase),
};
