// The second part of the tour: the same change with a real Postgres behind the compute, seen by a session that is held meanwhile.
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WorksError } from '../control-plane/engine/works.ts';
import { serve, type Served } from '../control-plane/serve.ts';
import { findProgram } from '../base/files/find-program.ts';
import type { Io } from './process/io.ts';

export interface TourParts {
  /** Its folder is the tour's. */
  readonly io: Io;
  readonly file: string;
  readonly say: (text: string) => Promise<void>;
  /** Runs a line of trueup, with further variables of the environment. */
  readonly run: (line: string, env: Readonly<Record<string, string>>) => Promise<void>;
}

const SHOP = '/projects/spring-example-302709';
const HELD = 'SELECT pg_sleep(600)';

/** Plays the second part, or says in one sentence why not. */
export async function tourPostgres(parts: TourParts): Promise<void> {
  const { io, say } = parts;
  const dataDir = join(io.cwd, 'with-postgres');
  let served: Served;
  try {
    if ((await psql(['--version'], io)).code !== 0)
      return await say('The second part is left out: there is no psql here.');
    served = await serve({ dataDir, postgres: {}, clock: io.clock, random: io.random });
  } catch (error) {
    if (!(error instanceof WorksError)) throw error;
    return say(`The second part is left out: ${error.message}.`);
  }
  try {
    await play(parts, served);
  } finally {
    await served.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function play({ io, file, say, run }: TourParts, served: Served): Promise<void> {
  const uri = new URL(await uriOf(served));
  // The password goes by the environment: other users see the arguments of a process.
  const surroundings = { ...io.env, PGPASSWORD: decodeURIComponent(uri.password) };
  uri.password = '';
  const query = (text: string): Promise<Ran> => psql(['-X', uri.href, '-c', text], { cwd: io.cwd, env: surroundings });
  const ask = async (text: string): Promise<void> => {
    await io.stdout.write(`$ psql "$URI" -c '${text}'\n`);
    const { out, err } = await query(text);
    await io.stdout.write(out + err);
  };
  const version = served.postgresOf?.version ?? '';
  await say(`The same account again, served with a PostgreSQL ${version} behind each compute. Its data are real.`);
  await ask('CREATE TABLE orders AS SELECT generate_series(1, 3) AS id');
  await ask('SHOW max_connections');
  await say('Somebody holds a session on the primary, and the plan says what will become of it.');
  const held = query(HELD);
  writeFileSync(join(io.cwd, 'trueup.yaml'), file);
  const env = { TRUEUP_BASE_URL: `${served.url}/api/v2`, TRUEUP_API_KEY: served.key };
  await run('plan', env);
  await run('apply --auto-approve', env);
  await say('The session was dropped, as the plan had said. This is what it saw:');
  const { out, err } = await held;
  await io.stdout.write(out + err);
  await say('The host is the same, the size is the new one, and no row is gone.');
  await ask('SHOW max_connections');
  await ask('SELECT count(*) FROM orders');
}

/** The connection string of the primary, as the API gives it. */
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
  const found = findProgram('psql', cwd, env['PATH']);
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
