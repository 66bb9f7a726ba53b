// The service that everybody is measured against: one process, node:http, a fixed latency, exact counts.
// usage: node stub/server.mjs    (prints its port; /__reset and /__stats are not counted)
import { createServer } from 'node:http';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { routeOf } from './routes.mjs';
import { createWorld } from './world.mjs';

const PREFIX = '/api/v2';

let world = createWorld({ projects: 0, branches: 0, computes: false, operationMs: 300 });
let latencyMs = 0;
let requests = 0;

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
server.on('connection', (socket) => socket.setNoDelay(true));
server.listen(0, '127.0.0.1', () => console.log(`listening ${server.address().port}`));
process.on('disconnect', () => process.exit());

/** `/__reset` counts from zero with `{ latencyMs }`, in a new world if one is given. */
function control(path, body, response) {
  if (path === '/__reset') {
    if (body.world !== undefined) world = createWorld(body.world);
    latencyMs = body.latencyMs;
    requests = 0;
  }
  const computes = [...world.projects.values()].reduce((sum, project) => sum + project.computes.size, 0);
  send(response, 200, { requests, computes });
}

async function answer(request, url, body, response) {
  requests++;
  const { status, body: content } = routeOf(request.method, url.pathname.slice(PREFIX.length))(world, {
    query: url.searchParams,
    body,
  });
  if (latencyMs > 0) await delay(latencyMs);
  send(response, status, content);
}

function send(response, status, content) {
  const text = JSON.stringify(content);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}
