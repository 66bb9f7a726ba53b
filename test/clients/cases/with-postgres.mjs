// The vendor's clients against a server with a PostgreSQL behind each compute: what they give to connect with is connected with, by psql.
import { strict as assert } from 'node:assert';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createApi } from '../support/api.mjs';
import { commandCase, wordsOf } from '../support/command-case.mjs';
import { isolatedEnvironment, runNode } from '../support/command.mjs';
import { installed, load } from '../support/paths.mjs';
import { whyNoPostgres, runPsql } from '../support/psql.mjs';
import { projectOf } from '../support/seed.mjs';
import { startServer } from '../support/server.mjs';

const project = projectOf('amber');

/** A server of its own, and ways to look into its databases. */
async function open({ folder }, name) {
  const home = join(folder, name);
  mkdirSync(home);
  const server = await startServer(home, ['--postgres']);
  const api = createApi(server);
  const uriOf = async (query) =>
    (await api.read(`/projects/${project.id}/connection_uri?role_name=owner&database_name=shop&${query}`)).uri;
  return {
    ...server,
    home,
    api,
    uriOf,
    words: { ...wordsOf(project), CHILD: undefined },
    /** The rows of a query, on the branch of this id. */
    rows: async (branch, sql) => {
      await api.settled(project.id);
      return runPsql(await uriOf(`branch_id=${branch}`), sql);
    },
  };
}

const common = { close: ({ stop }) => stop(), missing: whyNoPostgres };
const TARGET = '--project-id PROJECT';
const NEON_PSQL = `psql main --ssl omit ${TARGET}`;

const commands = [
  {
    command: `${NEON_PSQL} --role-name owner --database-name shop -- -Atc select(40+2)`,
    shows: 'with PGHOSTADDR, PGPORT and PGSSLMODE=require: psql through the one port, to the compute of that host name',
    check: ({ stdout }) => assert.match(stdout, /^42$/m),
  },
  {
    command: `roles create --name app --branch main ${TARGET} -o json`,
    shows: 'a role that exists in Postgres',
    check: async (_, { rows, words }) =>
      assert.deepEqual(await rows(words.MAIN, "SELECT count(*) FROM pg_roles WHERE rolname = 'app'"), ['1']),
  },
  {
    command: `databases create --name notes --owner-name app --branch main ${TARGET} -o json`,
    shows: 'a database that exists in Postgres, and belongs to the role',
    check: async (_, { rows, words }) =>
      assert.deepEqual(
        await rows(words.MAIN, "SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = 'notes'"),
        ['app'],
      ),
  },
  {
    command: `${NEON_PSQL} --role-name app --database-name notes -- -Atc select(current_user)`,
    shows: 'the new role in the new database, with the password that the API reveals',
    check: ({ stdout }) => assert.match(stdout, /^app$/m),
  },
  {
    command: `branches create --name child --parent main ${TARGET} -o json`,
    shows: 'a branch with a compute that has the rows of its parent',
    before: ({ rows, words }) => rows(words.MAIN, 'CREATE TABLE orders (id int); INSERT INTO orders VALUES (1), (2)'),
    check: async ({ json }, { rows, words }) => {
      words.CHILD = json().branch.id;
      assert.deepEqual(await rows(words.CHILD, 'SELECT id FROM orders ORDER BY id'), ['1', '2']);
    },
  },
  {
    command: `branches reset CHILD --parent ${TARGET} -o json`,
    shows: 'the rows that its parent has by now, under the same host',
    before: async ({ rows, words }) => {
      await rows(words.CHILD, 'INSERT INTO orders VALUES (10)');
      await rows(words.MAIN, 'INSERT INTO orders VALUES (3)');
    },
    check: async (_, { rows, words }) =>
      assert.deepEqual(await rows(words.CHILD, 'SELECT id FROM orders ORDER BY id'), ['1', '2', '3']),
  },
  {
    command: `branches delete CHILD ${TARGET} -o json`,
    shows: 'nobody gets in any more',
    before: async (context) => {
      context.gone = await context.uriOf(`branch_id=${context.words.CHILD}`);
    },
    check: async (_, { api, gone }) => {
      await api.settled(project.id);
      await assert.rejects(runPsql(gone, 'SELECT 1'), /endpoint could not be found/);
    },
  },
];

const neon = {
  ...common,
  client: 'neon, with --postgres',
  version: '6.2.3',
  package: 'neon',
  open: async (surroundings) => {
    const context = await open(surroundings, 'postgres-neon');
    const { url, key, postgres, home, api } = context;
    const port = postgres.split(':')[1];
    const reach = { PGHOSTADDR: '127.0.0.1', PGPORT: port, PGSSLMODE: 'require' };
    const env = isolatedEnvironment(home, { NEON_API_KEY: key, ...reach });
    const flags = ['--api-host', url, '--no-analytics', '--config-dir', join(home, 'config')];
    const bin = installed('neon', 'dist', 'cli.js');
    return {
      ...context,
      cli: async (args) => {
        await api.settled(project.id);
        return runNode([bin, ...flags, ...args], { cwd: home, env });
      },
    };
  },
  cases: commands.map(commandCase),
};

const sdk = {
  ...common,
  client: '@neon/sdk, with --postgres',
  version: '6.1.2',
  package: '@neon/sdk',
  open: async (surroundings) => {
    const context = await open(surroundings, 'postgres-sdk');
    const { createNeonClient } = await load('@neon/sdk', 'dist/index.js');
    const wait = { pollIntervalMs: 50, timeoutMs: 30_000 };
    const options = { throwOnError: true, waitForReadiness: true, wait, retries: 8 };
    return { ...context, client: createNeonClient({ apiKey: context.key, baseUrl: context.url, ...options }) };
  },
  cases: [
    {
      command: 'projects.createAndConnect({ name, pooled: false })',
      shows: 'a project whose connection string psql takes as it is',
      run: async ({ client }) => {
        const { connectionString } = await client.projects.createAndConnect({ name: 'tenant', pooled: false });
        assert.deepEqual(await runPsql(connectionString, 'SELECT 1'), ['1']);
      },
    },
    {
      command: 'branches.createAndConnect({ projectId: PROJECT, name, compute, pooled: false })',
      shows: 'a branch that has the rows of its parent',
      run: async ({ client, rows, words, api }) => {
        await rows(words.MAIN, 'CREATE TABLE orders (id int); INSERT INTO orders VALUES (7)');
        const compute = { minCu: 0.25, maxCu: 1 };
        const input = { projectId: project.id, name: 'preview', compute, pooled: false };
        const { branch, connectionString } = await client.branches.createAndConnect(input);
        words.CHILD = branch.id;
        assert.deepEqual(await runPsql(connectionString, 'SELECT id FROM orders'), ['7']);
        await api.settled(project.id);
      },
    },
    {
      command: 'branches.resetFromParent({ projectId: PROJECT, branchId: CHILD })',
      shows: 'what was written to it is gone',
      run: async ({ client, rows, words }) => {
        await rows(words.CHILD, 'DELETE FROM orders');
        await client.branches.resetFromParent(
          { projectId: project.id, branchId: words.CHILD },
          { waitForReadiness: true },
        );
        assert.deepEqual(await rows(words.CHILD, 'SELECT id FROM orders'), ['7']);
      },
    },
  ],
};

const apiClient = {
  ...common,
  client: '@neondatabase/api-client, with --postgres',
  version: '2.7.3',
  package: '@neondatabase/api-client',
  open: async (surroundings) => {
    const context = await open(surroundings, 'postgres-api-client');
    const { createApiClient } = (await load('@neondatabase/api-client', 'dist/index.js')).default;
    return { ...context, client: createApiClient({ apiKey: context.key, baseURL: context.url }) };
  },
  cases: [
    {
      command: 'createProject({ project })',
      shows: 'connection_uris that psql takes as they are, once the operations have finished',
      run: async ({ client, api }) => {
        const { data } = await client.createProject({ project: { name: 'one' } });
        await api.settled(data.project.id);
        assert.deepEqual(await runPsql(data.connection_uris[0].connection_uri, 'SELECT 1'), ['1']);
      },
    },
    {
      command: 'resetProjectBranchRolePassword(PROJECT, MAIN, owner)',
      shows: 'the new password gets in, and the old one does not',
      run: async ({ client, api, uriOf }) => {
        const before = await uriOf('');
        assert.deepEqual(await runPsql(before, 'SELECT 1'), ['1']);
        await client.resetProjectBranchRolePassword(project.id, project.main, 'owner');
        await api.settled(project.id);
        await assert.rejects(runPsql(before, 'SELECT 1'), /password authentication failed/);
        assert.deepEqual(await runPsql(await uriOf(''), 'SELECT 1'), ['1']);
      },
    },
    {
      command: 'suspendProjectEndpoint(PROJECT, PRIMARY)',
      shows: 'the next client wakes it',
      run: async ({ client, api, rows, words }) => {
        await client.suspendProjectEndpoint(project.id, project.primary);
        await api.settled(project.id);
        assert.equal((await api.compute(project.id, project.primary)).current_state, 'idle');
        assert.deepEqual(await rows(words.MAIN, 'SELECT 1'), ['1']);
        assert.equal((await api.compute(project.id, project.primary)).current_state, 'active');
      },
    },
  ],
};

export const groups = [neon, sdk, apiClient];
