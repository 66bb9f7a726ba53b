// neon 6: the vendor's newest command line, over the whole account; the effect of each command is read back by plain requests.
import { strict as assert } from 'node:assert';
import { has } from '../support/api.mjs';
import { commandCases, openCommandLine, refused } from '../support/command-case.mjs';
import { projectOf } from '../support/seed.mjs';

const project = projectOf('fern');
const HOUR_MS = 3_600_000;
const later = (ms) => new Date(Math.floor((Date.now() + ms) / 1000) * 1000).toISOString().replace('.000Z', 'Z');

const branchNamed = async ({ api, words }, name) =>
  (await api.branches(words.PROJECT)).find((branch) => branch.name === name);
const namesOn = async ({ read }, branchId, what) =>
  (await read(`/branches/${branchId}/${what}`))[what].map(({ name }) => name).sort();
const addRole = async ({ api, words }, branchId, name) =>
  api.request('POST', `/projects/${words.PROJECT}/branches/${branchId}/roles`, { body: { role: { name } } });

/** Commands about the project, which print JSON unless they name the project by themselves. */
const inProject = (commands) =>
  Object.fromEntries(
    Object.entries(commands).map(([command, entry]) => [
      command.endsWith('PROJECT') ? command : `${command} --project-id PROJECT -o json`,
      entry,
    ]),
  );

/** Checks of what there is once the command has ended. */
const madeHas =
  (members, settings = {}) =>
  async (_, { api, words }) => {
    await api.settled(words.MADE);
    const { project: live } = await api.read(`/projects/${words.MADE}`);
    has({ ...live, ...live.default_endpoint_settings }, members);
    has(live.settings, settings);
  };
const allows =
  (ips, protectedOnly) =>
  async (_, { read }) =>
    has((await read('')).project.settings.allowed_ips, { ips, protected_branches_only: protectedOnly });
const branchHas = (name, members) => async (_, context) => has(await branchNamed(context, name), members);
const mainHas = (what, names) => async (_, context) =>
  assert.deepEqual(await namesOn(context, context.words.MAIN, what), names);

const projects = {
  'projects create --name made-by-neon --cu 0.5-2 --database app --role app --region-id aws-eu-central-1 --pg-version 16 -o json':
    [
      'a project with the names, size, place and version that were asked for',
      async ({ json }, context) => {
        const { api, words } = context;
        words.MADE = json().project.id;
        await madeHas({ region_id: 'aws-eu-central-1', pg_version: 16 })(undefined, context);
        const [compute] = await api.computes(words.MADE);
        has(compute, { autoscaling_limit_min_cu: 0.5, autoscaling_limit_max_cu: 2 });
        const path = `/projects/${words.MADE}/branches/${compute.branch_id}/databases`;
        has((await api.read(path)).databases[0], { name: 'app', owner_name: 'app' });
      },
    ],
  'projects update MADE --name renamed -o json': ['another name', madeHas({ name: 'renamed' })],
  'projects update MADE --cu 1-4 -o json': [
    'defaults for computes that are made later',
    madeHas({ autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 4 }),
  ],
  'projects update MADE --block-public-connections -o json': [
    'a setting',
    madeHas({}, { block_public_connections: true }),
  ],
  'projects update MADE --enable-logical-replication --yes -o json': [
    'logical replication, which stays on',
    madeHas({}, { enable_logical_replication: true }),
  ],
  'projects delete MADE -o json': [
    'gone',
    async (_, { api, words }) => assert.equal((await api.request('GET', `/projects/${words.MADE}`)).status, 404),
  ],
  'projects list --recoverable-only -o json': [
    'and among those that can be recovered',
    ({ json }, { words }) => assert.ok(JSON.stringify(json()).includes(words.MADE)),
  ],
  'projects recover MADE -o json': ['back, with its settings', madeHas({}, { block_public_connections: true })],
  'projects delete no-such-project -o json': refused('404, with the message of the API', /not found/i),
};

const addresses = inProject({
  'ip-allow add 203.0.113.0/24 198.51.100.7': ['two entries', allows(['203.0.113.0/24', '198.51.100.7'], false)],
  'ip-allow add 203.0.113.0/24 --protected-only': [
    'for protected branches alone',
    allows(['203.0.113.0/24', '198.51.100.7'], true),
  ],
  'ip-allow remove 198.51.100.7': ['one entry less', allows(['203.0.113.0/24'], true)],
  'ip-allow reset 192.0.2.9': ['another list', allows(['192.0.2.9'], false)],
});

const branches = inProject({
  'branches create --name feature --expires-at SOON': [
    'a branch with a compute, which expires',
    async ({ json }, context) => {
      const live = await branchNamed(context, 'feature');
      has(live, { id: json().branch.id, expires_at: context.words.SOON.replace('Z', '.000Z') });
      assert.equal((await context.read(`/branches/${live.id}/endpoints`)).endpoints.length, 1);
    },
  ],
  'branches create --name guarded --protected --no-compute': [
    'a protected branch without a compute',
    branchHas('guarded', { protected: true }),
  ],
  'branches set-expiration feature --expires-at LATER': [
    'another expiry',
    async (_, context) => branchHas('feature', { expires_at: context.words.LATER.replace('Z', '.000Z') })(_, context),
  ],
  'branches set-expiration feature': ['no expiry', branchHas('feature', { expires_at: undefined })],
  'branches rename feature work': ['another name', branchHas('work', { name: 'work' })],
  'branches add-compute work --type read_only --cu 2': [
    'a replica of that size',
    async ({ json }, { api, words }) =>
      has(await api.compute(words.PROJECT, json().id), { type: 'read_only', autoscaling_limit_max_cu: 2 }),
  ],
  'branches set-default work': ['the default branch', branchHas('work', { default: true })],
  'branches set-default main': ['and back', branchHas('work', { default: false })],
  'branches reset work --parent': [
    'the state of the parent: what was made since is gone',
    async (_, context) => {
      const live = await branchNamed(context, 'work');
      assert.ok(live.last_reset_at !== undefined && live.current_state === 'ready');
      assert.deepEqual(await namesOn(context, live.id, 'roles'), ['owner']);
    },
    { before: async (context) => addRole(context, (await branchNamed(context, 'work')).id, 'stray') },
  ],
  'branches reset work --parent --preserve-under-name kept': [
    'the same, and the old state as a branch',
    branchHas('kept', { name: 'kept' }),
  ],
  'branches restore work main': ['the head of another branch', branchHas('work', { parent_id: project.main })],
  'branches restore main ^self@PAST --preserve-under-name main-before': [
    'its own past: the role that came since is on the preserved branch alone',
    async (_, context) => {
      const before = await branchNamed(context, 'main-before');
      assert.deepEqual(await namesOn(context, context.words.MAIN, 'roles'), ['owner']);
      assert.deepEqual(await namesOn(context, before.id, 'roles'), ['mistake', 'owner']);
    },
    { before: (context) => addRole(context, context.words.MAIN, 'mistake') },
  ],
  'branches create --name schema --schema-only --parent main': [
    'a root branch with the schema of main',
    branchHas('schema', { init_source: 'schema-only', parent_id: undefined }),
  ],
  'branches delete main --project-id PROJECT': refused(
    'the default branch is not deleted, with the message of the API',
    /default branch/,
  ),
  'branches delete guarded --project-id PROJECT': refused('nor is a protected one', /protected/),
});

const contents = inProject({
  'roles create --name app --branch main': ['a role', mainHas('roles', ['app', 'owner'])],
  'roles create --name group --noLogin --branch main': [
    'a role that cannot log in',
    async (_, { read }) =>
      has((await read(`/branches/${project.main}/roles/group`)).role, { authentication_method: 'no_login' }),
  ],
  'roles delete group --branch main': ['gone', mainHas('roles', ['app', 'owner'])],
  'databases create --name appdb --owner-name app --branch main': [
    'a database of that role',
    async (_, { read }) =>
      has((await read(`/branches/${project.main}/databases/appdb`)).database, { owner_name: 'app' }),
  ],
  'roles delete app --branch main --project-id PROJECT': refused(
    'the owner of a database is not deleted, with the message of the API',
    /owns databases/,
  ),
  'connection-string main --role-name app --database-name appdb --project-id PROJECT': [
    'a URI with the password that the API reveals',
    async ({ stdout }, { read }) => {
      const { password } = await read(`/branches/${project.main}/roles/app/reveal_password`);
      has(new URL(stdout.trim()), { username: 'app', password, pathname: '/appdb' });
    },
  ],
  'connection-string main --role-name app --database-name appdb --pooled --project-id PROJECT': [
    'the same through the pooler',
    ({ stdout }) => assert.match(new URL(stdout.trim()).hostname, /^ep-[a-z0-9-]+-pooler\./),
  ],
  'databases delete appdb --branch main': ['gone', mainHas('databases', ['shop'])],
  'operations list': [
    'what the commands above have started; all have finished',
    ({ json }) => {
      const actions = new Set(json().map(({ action }) => action));
      for (const action of ['create_branch', 'apply_config', 'delete_timeline']) assert.ok(actions.has(action), action);
      assert.ok(json().every(({ status }) => status === 'finished'));
    },
  ],
  'snapshots list --project-id PROJECT': [
    'none: nothing here makes any',
    ({ stdout, stderr }) => assert.match(stdout + stderr, /No snapshots found/),
  ],
  'snapshots create --branch main --project-id PROJECT': refused(
    'a route that is not modelled is told by its name',
    /snapshot is not modelled/,
  ),
});

const keys = {
  'api-keys create --name from-neon -o json': [
    'a key that works at once',
    async ({ json }, context) => {
      context.key = json().key;
      context.words.KEY_ID = String(json().id);
      assert.ok(await context.api.opens(context.key));
    },
  ],
  'api-keys revoke KEY_ID -o json': [
    'the key fails from then on',
    async (_, { api, key }) => assert.equal(await api.opens(key), false),
  ],
};

export const group = {
  client: 'neon',
  version: '6.2.3',
  package: 'neon',
  project,
  open: (surroundings) => {
    const times = { SOON: later(HOUR_MS), LATER: later(48 * HOUR_MS), PAST: later(-HOUR_MS) };
    const words = { ...times, KEY_ID: undefined, MADE: undefined };
    return openCommandLine(surroundings, { home: 'neon-6', bin: ['neon', 'dist', 'cli.js'], project, words });
  },
  cases: commandCases({ ...projects, ...addresses, ...branches, ...contents, ...keys }),
};
