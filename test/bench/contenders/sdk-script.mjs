// The loop that one would write with @neon/sdk: reads by list, 32 at a time, lets the client wait for operations.
// usage: node sdk-script.mjs read|create|replicas URL FLEET_JSON
import process from 'node:process';
import { createNeonClient } from '@neon/sdk';
import { names } from '../stub/world.mjs';

const [job, baseUrl, fleetJson] = process.argv.slice(2);
const { projects, branches } = JSON.parse(fleetJson);
const client = createNeonClient({ apiKey: 'bench', baseUrl, throwOnError: true, waitForReadiness: true });
const AT_ONCE = 32;
let failed = 0;

async function inTurn(items, work) {
  const queue = [...items];
  const workers = Array.from({ length: AT_ONCE }, async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift())
      await work(item).catch((error) => {
        failed++;
        console.error(error instanceof Error ? error.message : String(error));
      });
  });
  await Promise.all(workers);
}

async function readAll() {
  const listed = await client.projects.list({ limit: 400 }).all();
  await inTurn(listed, ({ id }) => client.postgres.endpoints.list({ projectId: id }));
}

const places = Array.from({ length: projects }, (_, p) =>
  Array.from({ length: branches }, (__, b) => ({
    projectId: names.projectId(p + 1),
    branch_id: names.branchId(p + 1, b + 1),
  })),
).flat();
const create = (place, type) =>
  client.postgres.endpoints.create({ ...place, type, autoscaling_limit_min_cu: 0.25, autoscaling_limit_max_cu: 1 });

if (job === 'read') await readAll();
if (job === 'create') await inTurn(places, (place) => create(place, 'read_write'));
if (job === 'replicas')
  await inTurn(
    Array.from({ length: 10 }, (_, n) => n),
    () => create(places[0], 'read_only'),
  );
process.exitCode = failed === 0 ? 0 : 1;
