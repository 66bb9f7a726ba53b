// kill -9 under load: nothing that was acknowledged is lost, and no operation stays stuck.
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { seededRandom } from '../../src/base/random.ts';
import { isFullSize } from '../support/full-size.ts';
import { folderOfTest } from '../support/folder.ts';
import { DEV, ENDPOINTS, MAIN, SHOP, STAGING, type Body } from './world.ts';
import { startServer, type ServerProcess } from './server-process.ts';

const KILLS = isFullSize ? 200 : 3;
const WORKERS = 4;
const OPERATION_MS = { min: 20, max: 120 };
const BRANCHES = `${SHOP}/branches`;
const random = seededRandom(11);

/** What the server has acknowledged; a change that it was asked for and never answered may have happened or not. */
const keys = new Set<number>();
const branches = new Map<string, string>();
const roles = new Map<string, string>();
const computes = new Map<string, { readonly name: string; readonly worker: number }>();
const unsure = new Set<string>();
let acknowledged = 0;
let unanswered = 0;

class RefusedError extends Error {}

async function send(server: ServerProcess, method: string, path: string, body?: object): Promise<Body> {
  const response = await fetch(server.base + path, {
    method,
    headers: { Authorization: `Bearer ${server.key}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status >= 400 && response.status < 500) throw new RefusedError(`${method} ${path}: ${text}`);
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return (text === '' ? {} : JSON.parse(text)) as Body;
}

async function changeSomething(server: ServerProcess, worker: number): Promise<void> {
  const mine = [...computes].filter(([, compute]) => compute.worker === worker).map(([id]) => id);
  const target = mine[Math.floor(random.next() * mine.length)];
  const choice = random.next();
  if (target === undefined || choice < 0.3) {
    const branchId = [MAIN, STAGING, DEV][Math.floor(random.next() * 3)];
    const asked = { branch_id: branchId, type: 'read_only', name: 'new' };
    const { endpoint } = await send(server, 'POST', ENDPOINTS, { endpoint: asked });
    computes.set(endpoint.id, { name: 'new', worker });
  } else if (choice < 0.5) {
    keys.add((await send(server, 'POST', '/api_keys', { key_name: `key-${acknowledged}` })).id);
  } else if (choice < 0.6) {
    await makeBranch(server);
  } else if (choice < 0.9) {
    unsure.add(target);
    const name = `name-${acknowledged}`;
    const size = choice < 0.75 ? {} : { autoscaling_limit_max_cu: 1 + (acknowledged % 4) };
    await send(server, 'PATCH', `${ENDPOINTS}/${target}`, { endpoint: { name, ...size } });
    computes.set(target, { name, worker });
  } else {
    unsure.add(target);
    await send(server, 'DELETE', `${ENDPOINTS}/${target}`);
    computes.delete(target);
  }
  if (target !== undefined) unsure.delete(target);
  acknowledged++;
}

/** A branch with a role whose password has been told: both are there after any death, once they were acknowledged. */
async function makeBranch(server: ServerProcess): Promise<void> {
  const name = `branch-${branches.size}-${acknowledged}`;
  const { branch } = await send(server, 'POST', BRANCHES, { branch: { name } });
  branches.set(branch.id, name);
  await delay(OPERATION_MS.max * 2);
  const made = await send(server, 'POST', `${BRANCHES}/${branch.id}/roles`, { role: { name: 'app' } });
  roles.set(branch.id, (made['role'] as { readonly password: string }).password);
}

async function requireBranches(server: ServerProcess): Promise<void> {
  const listed = await send(server, 'GET', BRANCHES);
  const names = new Map(listed.branches.map((branch) => [branch.id, branch.name]));
  for (const [id, name] of branches) expect([id, names.get(id)]).toEqual([id, name]);
  for (const [id, password] of roles) {
    const told = await send(server, 'GET', `${BRANCHES}/${id}/roles/app/reveal_password`);
    expect([id, told['password']]).toEqual([id, password]);
  }
}

/** Works until the server dies. A refusal (a busy compute) is an answer: nothing was done. */
async function work(server: ServerProcess, worker: number): Promise<void> {
  for (;;)
    try {
      await changeSomething(server, worker);
    } catch (error) {
      if (!(error instanceof RefusedError)) return;
      for (const [id, compute] of computes) if (compute.worker === worker) unsure.delete(id);
    }
}

async function requireNothingLost(server: ServerProcess): Promise<void> {
  const { endpoints } = await send(server, 'GET', ENDPOINTS);
  const names = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint.name]));
  for (const [id, compute] of computes) if (!unsure.has(id)) expect([id, names.get(id)]).toEqual([id, compute.name]);
  const listed = new Set(((await send(server, 'GET', '/api_keys')) as unknown as Body[]).map((key) => key.id));
  for (const id of keys) expect([id, listed.has(id)]).toEqual([id, true]);
  await requireBranches(server);
  for (const id of unsure) {
    const name = names.get(id);
    const worker = computes.get(id)?.worker ?? 0;
    if (typeof name === 'string') computes.set(id, { name, worker });
    else computes.delete(id);
  }
  unsure.clear();
}

async function requireNothingStuck(server: ServerProcess): Promise<void> {
  await delay(OPERATION_MS.max * 4);
  const { operations } = await send(server, 'GET', `${SHOP}/operations?limit=1000`);
  expect(operations.filter((operation) => !['finished', 'cancelled'].includes(operation.status))).toEqual([]);
  const { endpoints } = await send(server, 'GET', ENDPOINTS);
  expect(endpoints.filter((endpoint) => endpoint.pending_state !== undefined)).toEqual([]);
}

it(`kill -9 under load: ${KILLS} times: nothing acknowledged is lost, no operation is stuck`, async () => {
  const folder = folderOfTest();
  for (let round = 0; round < KILLS; round++) {
    const server = await startServer(folder, { operationMs: OPERATION_MS });
    await requireNothingLost(server);
    if (round % 10 === 1) await requireNothingStuck(server);
    const workers = Array.from({ length: WORKERS }, (_, worker) => work(server, worker));
    const enough = acknowledged + 5;
    await delay(30 + random.next() * 300);
    await expect.poll(() => acknowledged, { interval: 5, timeout: 20_000 }).toBeGreaterThanOrEqual(enough);
    await server.kill();
    await Promise.all(workers);
    unanswered += unsure.size;
  }
  const server = await startServer(folder, { operationMs: OPERATION_MS });
  await requireNothingLost(server);
  await requireNothingStuck(server);
  await server.kill();
  expect(acknowledged).toBeGreaterThanOrEqual(KILLS * 5);
}, 1_200_000);
