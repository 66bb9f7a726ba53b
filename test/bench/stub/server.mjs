// The service that everybody is measured against: one process, node:http, a fixed latency, exact counts, faults on request.
// usage: node stub/server.mjs    (prints its port; /__reset and /__stats are not counted)
import { createServer } from 'node:http';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { nextFault } from './faults.mjs';
import { routeOf } from './routes.mjs';
import { createWorld } from './world.mjs';

const PREFIX = '/api/v2';

let world = createWorld({ projects: 0, branches: 0, computes: false, operationMs: 300, isLocking: false });
let latencyMs = 0;
let faults = [];
let stats = newStats();

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const url = new URL(request.url ?? '', 'http://localhost');
    const body = chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString());
    if (url.pathname.startsWith('/__')) control(url.pathname, body, response);
    else void answer(request, url, body, response);
  });
});
server.on('connection', (socket) => {
  stats.connections++;
  socket.setNoDelay(true);
});
server.listen(0, '127.0.0.1', () => console.log(`listening ${server.address().port}`));
process.on('disconnect', () => process.exit());

function newStats() {
  return { requests: 0, routes: {}, statuses: {}, connections: 0, inFlight: 0, maxInFlight: 0 };
}

/** `/__reset` counts anew with `{ latencyMs, faults }`, in a new world if one is given; `/__change` is somebody else's hand. */
function control(path, body, response) {
  if (path === '/__reset') {
    if (body.world !== undefined) world = createWorld(body.world);
    latencyMs = body.latencyMs;
    faults = body.faults ?? [];
    stats = newStats();
  } else if (path === '/__change') changeByHand();
  send(response, 200, path === '/__stats' ? report() : {});
}

/** Of the first project, the newest compute goes and the one before it gets another size. */
function changeByHand() {
  const [project] = world.projects.values();
  const [resized, removed] = [...project.computes.values()].slice(-2);
  project.computes.delete(removed.id);
  resized.autoscaling_limit_max_cu = 8;
}

/** What was asked and what is there now; computes by place tell duplicates. */
function report() {
  const perPlace = {};
  for (const project of world.projects.values())
    for (const { branch_id, type } of project.computes.values())
      perPlace[`${branch_id} ${type}`] = (perPlace[`${branch_id} ${type}`] ?? 0) + 1;
  const computes = Object.values(perPlace).reduce((sum, count) => sum + count, 0);
  const running = [...world.projects.values()]
    .flatMap(({ operations }) => operations)
    .filter(({ status }) => status === 'running').length;
  return { ...stats, computes, perPlace: computes <= 200 ? perPlace : undefined, running };
}

async function answer(request, url, body, response) {
  const route = routeOf(request.method, url.pathname.slice(PREFIX.length));
  count(route.name);
  const fault = nextFault(faults, route.name);
  response.on('close', () => stats.inFlight--);
  const reply =
    fault?.before === undefined
      ? route.run(world, { query: url.searchParams, body, fault: fault?.inside })
      : { status: fault.before.status, body: { message: 'not now' }, headers: fault.before.headers };
  if (latencyMs > 0) await delay(latencyMs);
  if (fault?.after === 'reset') {
    request.socket.destroy();
    return;
  }
  const {
    status,
    body: content,
    headers,
  } = fault?.after === 'error' ? { status: 500, body: { message: 'oops' } } : reply;
  stats.statuses[status] = (stats.statuses[status] ?? 0) + 1;
  send(response, status, content, headers);
}

function count(name) {
  stats.requests++;
  stats.routes[name] = (stats.routes[name] ?? 0) + 1;
  stats.maxInFlight = Math.max(stats.maxInFlight, ++stats.inFlight);
}

function send(response, status, content, headers = {}) {
  const text = JSON.stringify(content);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}
