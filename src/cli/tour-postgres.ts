// The second part of the tour: the same change with a real Postgres behind the compute, seen by an open session.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { WorksError } from '../control-plane/resources/engine/works.ts';
import { serve, type Served } from '../control-plane/serve/serve.ts';
import { findProgram } from '../base/files/find-program.ts';
import { treesOf } from '../base/files/work-tree.ts';
import type { Io } from './process/io.ts';

export interface TourParts {
  /** Its working folder has the tour's trueup.yaml. */
  readonly io: Io;
  readonly say: (text: string) => Promise<void>;
  /** Runs trueup with the words of a line and further variables of the environment. */
  readonly run: (line: string, env: Readonly<Record<string, string>>) => Promise<void>;
}

const SHOP = '/projects/spring-example-302709';
const HELD = 'SELECT pg_sleep(600)';

/** Plays the second part, or says why it cannot. */
export async function tourPostgres(parts: TourParts): Promise<void> {
  const { io, say } = parts;
  const dataDir = join(io.cwd, 'with-postgres');
  let served: Served;
  try {
    if ((await psql(['--version'], io)).code !== 0)
      return await say('There is no psql here: the second part needs it.');
    served = await serve({ dataDir, postgres: {}, clock: io.clock, random: io.random });
  } catch (error) {
    if (!(error instanceof WorksError)) throw error;
    return say(`The second part cannot start: ${error.message}.`);
  }
  try {
    await play(parts, served);
  } finally {
    await served.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function play({ io, say, run }: TourParts, served: Served): Promise<void> {
  const uri = new URL(await uriOf(served));
  // Other users see the arguments of a process: the password goes through the environment.
  const surroundings = { ...io.env, PGPASSWORD: decodeURIComponent(uri.password) };
  uri.password = '';
  const query = (text: string): Promise<Ran> => psql(['-X', uri.href, '-c', text], { cwd: io.cwd, env: surroundings });
  const ask = async (text: string): Promise<void> => {
    await io.stdout.write(`$ psql "$URI" -c '${text}'\n`);
    const { out, err } = await query(text);
    await io.stdout.write(`${out}${err}\n`);
  };
  const version = served.postgresOf?.version ?? '';
  await say(`The same account on a new local server, with a PostgreSQL ${version} behind each compute.`);
  await ask('CREATE TABLE orders AS SELECT generate_series(1, 3) AS id');
  await ask('SHOW max_connections');
  await say('A client keeps a session open on the primary. The plan shows whether the change drops this session.');
  const held = query(HELD);
  const env = { TRUEUP_BASE_URL: `${served.url}/api/v2`, TRUEUP_API_KEY: served.key };
  await run('plan', env);
  await run('apply --auto-approve', env);
  await say('The session was dropped, as the plan showed. The client saw:');
  const { out, err } = await held;
  await io.stdout.write(`${out}${err}\n`);
  await say('The host is the same, the size is new, and every row is there.');
  await ask('SHOW max_connections');
  await ask('SELECT count(*) FROM orders');
}

/** The connection string of the primary, from the API. */
async function uriOf({ controlPlane, key }: Served): Promise<string> {
  const names = 'role_name=shop_owner&database_name=shopdb';
  const reply = await controlPlane.handle(
    new Request(`http://localhost/api/v2${SHOP}/connection_uri?${names}`, {
      headers: { authorization: `Bearer ${key}` },
    }),
  );
  return ((await reply.json()) as { readonly uri: string }).uri;
}

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function psql(args: readonly string[], { cwd, env }: Pick<Io, 'cwd' | 'env'>): Promise<Ran> {
  const found = findProgram('psql', { workDir: cwd, trees: treesOf(cwd) }, env['PATH']);
  if (found.state !== 'found') return Promise.resolve({ code: null, out: '', err: '' });
  return new Promise((resolve) => {
    const child = spawn(found.path, [...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    child.once('error', () => resolve({ code: null, out, err }));
    child.once('close', (code) => resolve({ code, out, err }));
  });
}
