// Many computes with a real Postgres for a long time: woken, suspended, full of clients, and their server killed in between.
// usage: node test/campaigns/postgres.mjs [--branches 20] [--rounds 30] [--clients 200] [--kills 5]
// Prints figures as it goes; exits with 1 where a row was lost or a process was left.
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client } from 'pg';

const { values } = parseArgs({
  options: {
    branches: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '30' },
    clients: { type: 'string', default: '200' },
    kills: { type: 'string', default: '5' },
  },
});
const [branches, rounds, clients, kills] = [values.branches, values.rounds, values.clients, values.kills].map(Number);
const bin = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'trueup-postgres-campaign-'));
// Where the server runs as root, the user of Postgres must come through.
chmodSync(folder, 0o711);
const data = join(folder, 'data');
const SHOP = '/projects/spring-example-302709';
const MAIN = 'br-wispy-meadow-118737';

let server = await start();
console.log(`first start ${Math.round(server.startMs)} ms`);
const computes = await makeBranches();
/** Rows that were committed, by compute. */
const written = new Map(computes.map((id) => [id, 0]));
const wakes = [];
let died = 0;
for (let round = 1; round <= rounds; round++) {
  await runRound(round);
  if (died < kills && round % Math.ceil(rounds / kills) === 0) await dieAndReturn();
}
await crowd();
const lost = await countLost();
const memory = memoryOf(processes());
server.child.kill('SIGTERM');
const stopMs = await timed(() => server.ended);
const left = processes();
rmSync(folder, { recursive: true, force: true });
wakes.sort((a, b) => a - b);
console.log(`wake: median ${at(wakes, 0.5)} ms, 95 % ${at(wakes, 0.95)} ms, of ${wakes.length}`);
console.log(`memory of ${memory.count} Postgres processes: ${memory.mb} MB in all (shared memory counted once)`);
console.log(
  `stopped in ${Math.round(stopMs)} ms; killed ${died} times; rows lost ${lost}; processes left ${left.length}`,
);
process.exitCode = lost === 0 && left.length === 0 ? 0 : 1;

async function start() {
  const begunMs = performance.now();
  const args = [bin, 'serve', '--port', '0', '--postgres', '--data', data];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => {
    child.once('exit', resolve);
  });
  let out = '';
  for await (const chunk of child.stdout) {
    out += String(chunk);
    if (/^postgres on /m.test(out)) break;
  }
  const url = /^listening on (\S+)$/m.exec(out)?.[1] ?? '';
  return {
    child,
    ended,
    url,
    key: readFileSync(join(data, 'root-key'), 'utf8').trim(),
    startMs: performance.now() - begunMs,
  };
}

async function request(method, path, body) {
  for (;;) {
    const response = await fetch(`${server.url}/api/v2${path}`, {
      method,
      headers: { Authorization: `Bearer ${server.key}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const reply = await response.json();
    if (response.ok) return reply;
    if (response.status !== 423) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(reply)}`);
    await sleep(20);
  }
}

async function finished({ operations }) {
  for (const { id } of operations)
    for (;;) {
      const { operation } = await request('GET', `${SHOP}/operations/${id}`);
      if (operation.status === 'finished') break;
      if (!['running', 'scheduling'].includes(operation.status))
        throw new Error(`${operation.action}: ${operation.error}`);
      await sleep(10);
    }
}

async function makeBranches() {
  const ids = [];
  const clones = [];
  for (let at = 0; at < branches; at++) {
    const asked = { branch: { name: `campaign-${at}`, parent_id: MAIN }, endpoints: [{ type: 'read_write' }] };
    let made;
    clones.push(
      await timed(async () => {
        made = await request('POST', `${SHOP}/branches`, asked);
        await finished({ operations: made.operations.slice(0, 1) });
      }),
    );
    await finished(made);
    ids.push(made.endpoints[0].id);
    await withClient(ids.at(-1), (client) => client.query('CREATE TABLE rows_of_round (round int)'));
  }
  clones.sort((a, b) => a - b);
  console.log(`${branches} branches with computes; clone: median ${at(clones, 0.5)} ms, slowest ${at(clones, 1)} ms`);
  return ids;
}

async function uriOf(computeId) {
  const names = `endpoint_id=${computeId}&role_name=shop_owner&database_name=shopdb`;
  return new URL((await request('GET', `${SHOP}/connection_uri?${names}`)).uri);
}

async function connect(computeId) {
  const { hostname, port, username, password, searchParams } = await uriOf(computeId);
  const client = new Client({
    host: hostname,
    port: Number(port),
    user: username,
    password,
    database: 'shopdb',
    options: searchParams.get('options'),
    ssl: { rejectUnauthorized: false },
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function withClient(computeId, work) {
  const client = await connect(computeId);
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Every compute is suspended, and woken by a client that writes a row. */
async function runRound(round) {
  for (const id of computes) {
    await finished(await request('POST', `${SHOP}/endpoints/${id}/suspend`));
    let client;
    wakes.push(
      await timed(async () => {
        client = await connect(id);
        await client.query('SELECT 1');
      }),
    );
    await client.query('INSERT INTO rows_of_round VALUES ($1)', [round]);
    written.set(id, written.get(id) + 1);
    await client.end();
  }
  if (round % 10 === 0) console.log(`round ${round}: ${processes().length} processes`);
}

/** The server dies in the middle of clients that write; what they were told is committed must be there. */
async function dieAndReturn() {
  const writers = computes.slice(0, 5).map(async (id) => {
    const client = await connect(id);
    try {
      for (;;) {
        await client.query('INSERT INTO rows_of_round VALUES (0)');
        written.set(id, written.get(id) + 1);
      }
    } catch {
      await client.end().catch(() => undefined);
    }
  });
  await sleep(300);
  server.child.kill('SIGKILL');
  await Promise.all([server.ended, ...writers]);
  died++;
  server = await start();
  console.log(`killed and back in ${Math.round(server.startMs)} ms`);
}

/** So many clients at once, spread over the computes. */
async function crowd() {
  const open = await Promise.all(Array.from({ length: clients }, (_, at) => connect(computes[at % computes.length])));
  const answers = await Promise.all(open.map((client) => client.query('SELECT 1 AS one')));
  console.log(`${answers.filter(({ rows }) => rows[0].one === 1).length} of ${clients} clients at once were answered`);
  await Promise.all(open.map((client) => client.end()));
}

/** A row may be there that nobody was told of; none may be missing. */
async function countLost() {
  let lost = 0;
  for (const id of computes) {
    const { rows } = await withClient(id, (client) => client.query('SELECT count(*)::int AS n FROM rows_of_round'));
    lost += Math.max(0, written.get(id) - rows[0].n);
  }
  return lost;
}

/** Ids of processes of this campaign's Postgres. */
function processes() {
  if (!existsSync('/proc')) return [];
  const postmasters = new Set(readdirSync('/proc').filter((id) => /^\d+$/.test(id) && commandOf(id).includes(data)));
  return readdirSync('/proc').filter((id) => postmasters.has(id) || postmasters.has(parentOf(id)));
}

function commandOf(id) {
  return readOr(`/proc/${id}/cmdline`)
    .replaceAll('\0', ' ')
    .replace(/^.*bin\.js.*$/, '');
}

function parentOf(id) {
  return /^PPid:\s+(\d+)$/m.exec(readOr(`/proc/${id}/status`))?.[1];
}

function memoryOf(ids) {
  const kb = ids.map((id) => Number(/^Pss:\s+(\d+)/m.exec(readOr(`/proc/${id}/smaps_rollup`))?.[1] ?? 0));
  return { count: ids.length, mb: Math.round(kb.reduce((sum, each) => sum + each, 0) / 1024) };
}

function readOr(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

async function timed(work) {
  const begunMs = performance.now();
  await work();
  return performance.now() - begunMs;
}

function at(sorted, part) {
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);
}
