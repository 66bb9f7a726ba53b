// A large account: how long it takes to start, to list and to get, and in how much memory.
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createControlPlane } from '../../src/control-plane/index.ts';
import { folderOfTest } from '../support/folder.ts';
import { isFullSize } from '../support/full-size.ts';
import { startServer } from './server-process.ts';
import { largeWorld } from '../support/large-world.ts';

const PROJECTS = isFullSize ? 1000 : 20;
const BRANCHES = 3;
const COMPUTES = 20;
const OPERATIONS = 1000;
const REQUESTS_PER_SECOND = 200;
const SECONDS = isFullSize ? 30 : 2;

it(`a large account: ${PROJECTS} projects × ${COMPUTES} computes, ${PROJECTS * OPERATIONS} operations`, async () => {
  const folder = folderOfTest();
  const each = { branches: BRANCHES, computes: COMPUTES, operations: OPERATIONS };
  createControlPlane({ store: folder, seed: largeWorld({ projects: PROJECTS, ...each }) }).close();
  const server = await startServer(folder);
  const headers = { Authorization: `Bearer ${server.key}` };
  const { projects } = (await (await fetch(`${server.base}/projects?limit=400`, { headers })).json()) as {
    projects: { id: string }[];
  };
  const ids = projects.map((project) => project.id);
  const timesMs: number[] = [];
  const ask = async (path: string): Promise<void> => {
    const begunMs = performance.now();
    const response = await fetch(server.base + path, { headers });
    await response.arrayBuffer();
    expect(response.status).toBe(200);
    timesMs.push(performance.now() - begunMs);
  };
  const paths = (at: number): string => {
    const id = ids[(at * 7919) % ids.length];
    return `/projects/${id}${['/operations?limit=20', '/endpoints', '/branches', ''][at % 4]}`;
  };
  for (let warm = 0; warm < 50; warm++) await ask(paths(warm));
  timesMs.length = 0;
  const open: Promise<void>[] = [];
  const before = await server.usage();
  const begunMs = performance.now();
  for (let sent = 0; sent < REQUESTS_PER_SECOND * SECONDS; sent++) {
    await delay(Math.max(0, begunMs + (sent * 1000) / REQUESTS_PER_SECOND - performance.now()));
    open.push(ask(paths(sent)));
  }
  await Promise.all(open);
  timesMs.sort((a, b) => a - b);
  const p99Ms = timesMs[Math.floor(timesMs.length * 0.99)] ?? Infinity;
  const { memoryMb, cpuMs } = await server.usage();
  await server.kill();
  // The sample runs beside other tests, so it bounds the work alone.
  if (isFullSize) {
    expect(server.startMs).toBeLessThan(1000);
    expect(p99Ms).toBeLessThan(10);
  }
  expect(before.cpuMs).toBeLessThan(5000);
  expect((cpuMs - before.cpuMs) / timesMs.length).toBeLessThan(10);
  expect(memoryMb).toBeLessThan(512);
}, 1_200_000);
