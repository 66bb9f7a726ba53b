// neon 6 against a server with a PostgreSQL behind each compute: each command is seen in the database, by psql.
import { strict as assert } from 'node:assert';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createApi } from '../support/api.mjs';
import { commandCase, wordsOf } from '../support/command-case.mjs';
import { isolatedEnvironment, runNode } from '../support/command.mjs';
import { installed } from '../support/paths.mjs';
import { whyNoPostgres, runPsql } from '../support/psql.mjs';
import { projectOf } from '../support/seed.mjs';
import { startServer } from '../support/server.mjs';

const project = projectOf('amber');

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

/** A server of its own, and ways to look into its databases. */
async function open({ folder }) {
  const home = join(folder, 'postgres-neon');
  mkdirSync(home);
  const server = await startServer(home, ['--postgres']);
  const { url, key, postgres } = server;
  const api = createApi(server);
  const uriOf = async (query) =>
    (await api.read(`/projects/${project.id}/connection_uri?role_name=owner&database_name=shop&${query}`)).uri;
  const reach = { PGHOSTADDR: '127.0.0.1', PGPORT: postgres.split(':')[1], PGSSLMODE: 'require' };
  const env = isolatedEnvironment(home, { NEON_API_KEY: key, ...reach });
  const flags = ['--api-host', url, '--no-analytics', '--config-dir', join(home, 'config')];
  const bin = installed('neon', 'dist', 'cli.js');
  return {
    ...server,
    api,
    uriOf,
    words: { ...wordsOf(project), CHILD: undefined },
    /** The rows of a query, on the branch of this id. */
    rows: async (branch, sql) => {
      await api.settled(project.id);
      return runPsql(await uriOf(`branch_id=${branch}`), sql);
    },
    cli: async (args) => {
      await api.settled(project.id);
      return runNode([bin, ...flags, ...args], { cwd: home, env });
    },
  };
}

export const group = {
  client: 'neon, with --postgres',
  version: '6.2.3',
  package: 'neon',
  missing: whyNoPostgres,
  open,
  close: ({ stop }) => stop(),
  cases: commands.map(commandCase),
};
