// neon 6 against a server with a PostgreSQL behind each compute: each command is seen in the database, by psql.
import { strict as assert } from 'node:assert';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createApi } from '../support/api.mjs';
import { commandCases, openCommandLine } from '../support/command-case.mjs';
import { whyNoPostgres, runPsql } from '../support/psql.mjs';
import { projectOf } from '../support/seed.mjs';
import { startServer } from '../support/server.mjs';

const project = projectOf('amber');

const TARGET = '--project-id PROJECT';
const NEON_PSQL = `psql main --ssl omit ${TARGET}`;

const commands = {
  [`${NEON_PSQL} --role-name owner --database-name shop -- -Atc select(40+2)`]: [
    'with PGHOSTADDR, PGPORT and PGSSLMODE=require: psql through the one port, to the compute of that host name',
    ({ stdout }) => assert.match(stdout, /^42$/m),
  ],
  [`roles create --name app --branch main ${TARGET} -o json`]: [
    'a role that exists in Postgres',
    async (_, { rows, words }) =>
      assert.deepEqual(await rows(words.MAIN, "SELECT count(*) FROM pg_roles WHERE rolname = 'app'"), ['1']),
  ],
  [`databases create --name notes --owner-name app --branch main ${TARGET} -o json`]: [
    'a database that exists in Postgres, and belongs to the role',
    async (_, { rows, words }) =>
      assert.deepEqual(
        await rows(words.MAIN, "SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = 'notes'"),
        ['app'],
      ),
  ],
  [`${NEON_PSQL} --role-name app --database-name notes -- -Atc select(current_user)`]: [
    'the new role in the new database, with the password that the API reveals',
    ({ stdout }) => assert.match(stdout, /^app$/m),
  ],
  [`branches create --name child --parent main ${TARGET} -o json`]: [
    'a branch with a compute that has the rows of its parent',
    async ({ json }, { rows, words }) => {
      words.CHILD = json().branch.id;
      assert.deepEqual(await rows(words.CHILD, 'SELECT id FROM orders ORDER BY id'), ['1', '2']);
    },
    {
      before: ({ rows, words }) => rows(words.MAIN, 'CREATE TABLE orders (id int); INSERT INTO orders VALUES (1), (2)'),
    },
  ],
  [`branches reset CHILD --parent ${TARGET} -o json`]: [
    'the rows that its parent has by now, under the same host',
    async (_, { rows, words }) =>
      assert.deepEqual(await rows(words.CHILD, 'SELECT id FROM orders ORDER BY id'), ['1', '2', '3']),
    {
      before: async ({ rows, words }) => {
        await rows(words.CHILD, 'INSERT INTO orders VALUES (10)');
        await rows(words.MAIN, 'INSERT INTO orders VALUES (3)');
      },
    },
  ],
  [`branches delete CHILD ${TARGET} -o json`]: [
    'nobody gets in any more',
    async (_, { gone }) => {
      await assert.rejects(runPsql(gone, 'SELECT 1'), /endpoint could not be found/);
    },
    {
      before: async (context) => {
        context.gone = await context.uriOf(`branch_id=${context.words.CHILD}`);
      },
    },
  ],
};

/** A server of its own, and ways to look into its databases. */
async function open({ folder }) {
  const home = join(folder, 'postgres');
  mkdirSync(home);
  const server = await startServer(home, ['--postgres']);
  const api = createApi(server);
  const uriOf = async (query) =>
    (await api.read(`/projects/${project.id}/connection_uri?role_name=owner&database_name=shop&${query}`)).uri;
  const env = { PGHOSTADDR: '127.0.0.1', PGPORT: server.postgres.split(':')[1], PGSSLMODE: 'require' };
  const line = { home: 'neon', bin: ['neon', 'dist', 'cli.js'], project, words: { CHILD: undefined }, env };
  return {
    ...openCommandLine({ ...server, api, folder: home }, line),
    uriOf,
    stop: server.stop,
    /** The rows of a query, on the branch of this id. */
    rows: async (branch, sql) => runPsql(await uriOf(`branch_id=${branch}`), sql),
  };
}

export const group = {
  client: 'neon, with --postgres',
  version: '6.2.3',
  package: 'neon',
  missing: whyNoPostgres,
  open,
  close: ({ stop }) => stop(),
  cases: commandCases(commands),
};
