// The floor: what a bare undici loop needs for the same requests, with nothing around them: no file, no checks, no plan.
// usage: node floor/floor.mjs read|create URL CONNECTIONS POLL_MS [FOLDER]   (parses the files of FOLDER first)
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { argv } from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';

// The very packages that trueup runs on, not some that another tool has brought along.
const require = createRequire(new URL('../../../package.json', import.meta.url));
const { Pool } = require('undici');

const [job, url, connections, pollMs, folder] = argv.slice(2);
if (folder !== undefined) parseFiles(require('yaml'));

const pool = new Pool(new URL(url).origin, { connections: Number(connections), pipelining: 1 });
const headers = { authorization: 'Bearer bench', 'content-type': 'application/json' };

async function call(method, path, body) {
  const reply = await pool.request({ method, path: `/api/v2${path}`, headers, body: body && JSON.stringify(body) });
  return { status: reply.statusCode, body: await reply.body.json() };
}

const get = async (path) => (await call('GET', path)).body;

function parseFiles({ parse }) {
  for (const name of readdirSync(folder)) if (name.endsWith('.yaml')) parse(readFileSync(join(folder, name), 'utf8'));
}

const listComputes = async ({ id }) => (await get(`/projects/${id}/endpoints`)).endpoints;

async function readAll() {
  const projects = [];
  for (let cursor = ''; ;) {
    const page = await get(`/projects?limit=400${cursor === '' ? '' : `&cursor=${cursor}`}`);
    projects.push(...page.projects);
    if (page.pagination === undefined) break;
    cursor = page.pagination.cursor;
  }
  return readProjects(projects);
}

/** Of each project its computes, and the newest of its operation log where it has any. */
async function readProjects(projects) {
  return Promise.all(
    projects.map(async (project) => {
      const computes = await listComputes(project);
      if (computes.length > 0) await get(`/projects/${project.id}/operations?limit=1000`);
      return { project, computes };
    }),
  );
}

/** One read_write compute on each branch that has none, by a look right before. Read back at the end, without the logs: how each operation ended has been seen. */
async function createAll() {
  const projects = (await readAll()).map(({ project }) => project);
  const branches = new Map(await Promise.all(projects.map(async ({ id }) => [id, await branchesOf(id)])));
  const live = await readProjects(projects);
  await Promise.all(
    live.map(async ({ project, computes }) => {
      const taken = new Set(computes.map(({ branch_id }) => branch_id));
      const missing = branches.get(project.id).filter(({ id }) => !taken.has(id));
      const replies = await Promise.all(missing.map(({ id }) => create(project.id, id)));
      await finished(project.id, new Set(replies.flatMap(({ body }) => body.operations.map(({ id }) => id))));
    }),
  );
  await Promise.all(projects.map(listComputes));
}

const branchesOf = async (projectId) => (await get(`/projects/${projectId}/branches?limit=1000`)).branches;

const create = (projectId, branch_id) =>
  call('POST', `/projects/${projectId}/endpoints`, {
    endpoint: { branch_id, type: 'read_write', autoscaling_limit_min_cu: 0.25, autoscaling_limit_max_cu: 1 },
  });

/** One list per project and round. */
async function finished(projectId, pending) {
  while (pending.size > 0) {
    await delay(Number(pollMs));
    const { operations } = await get(`/projects/${projectId}/operations?limit=100`);
    for (const { id, status } of operations) if (status === 'finished') pending.delete(id);
  }
}

await { read: readAll, create: createAll }[job]();
await pool.destroy();
