// Requests that do not end, and requests that name two hosts: the server keeps its memory and its sessions.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Served } from '../../src/control-plane/index.ts';
import { served as serve } from '../support/served.ts';

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

interface Sent {
  /** What has come back so far. */
  readonly text: () => string;
  readonly closed: Promise<unknown>;
}

/** Sends bytes as they are, and leaves the connection open. */
function send(served: Served, ...parts: readonly (string | Uint8Array)[]): Sent {
  const socket = connect(served.port, '127.0.0.1');
  sockets.push(socket);
  let text = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk) => (text += String(chunk)));
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  for (const part of parts) socket.write(part);
  return { text: () => text, closed };
}

const statusOf = async (sent: Sent): Promise<number> => {
  await expect.poll(sent.text, { timeout: 20_000, interval: 20 }).toContain('\r\n\r\n');
  return Number(/^HTTP\/1\.1 (\d+)/.exec(sent.text())?.[1]);
};

const MIB = 1_048_576;
const headOf = (served: Served, key: string, length: number): string =>
  `POST /api/v2/projects HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\nAuthorization: Bearer ${key}\r\n` +
  `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

describe('a body that does not end', () => {
  it('is not waited for where the key is not valid, and its connection ends soon', async () => {
    const served = await serve();
    const all = Array.from({ length: 100 }, () =>
      send(served, headOf(served, 'napi_nobody', MIB), Buffer.alloc(60_000, 32)),
    );
    for (const sent of all) expect(await statusOf(sent)).toBe(401);
    await Promise.all(all.map(({ closed }) => closed));
  });

  it.each([
    ['a path that is none', 'POST /api/v2/nowhere HTTP/1.1', 404],
    ['a form of the console by nobody', 'POST /requests/createApiKey HTTP/1.1', 403],
    ['the admin interface by nobody', 'PUT /admin/faults HTTP/1.1', 401],
  ])('is not waited for at %s', async (_name, line, status) => {
    const served = await serve({ admin: {} });
    const head = headOf(served, line.includes('/api') ? served.key : 'x', MIB).replace(/^.*/, line);
    expect(await statusOf(send(served, head, 'name='))).toBe(status);
  });

  it('is refused with 503 where many others are unfinished, and all goes on when they have ended', async () => {
    const served = await serve();
    const all = Array.from({ length: 40 }, () =>
      send(served, headOf(served, served.key, MIB), Buffer.alloc(MIB - 1, 32)),
    );
    await expect
      .poll(() => all.filter(({ text }) => / 503 /.test(text())).length, { timeout: 20_000 })
      .toBeGreaterThan(4);
    expect(all.filter(({ text }) => text() === '').length).toBeGreaterThan(20);
    for (const socket of sockets.splice(0)) socket.destroy();
    const body = JSON.stringify({ project: { name: 'after' } });
    await expect
      .poll(async () => statusOf(send(served, headOf(served, served.key, body.length), body)), { timeout: 20_000 })
      .toBe(201);
  });
});

const form = (target: string, host: string, origin: string, key: string): string => {
  const body = new URLSearchParams({ api_key: key }).toString();
  return (
    `POST ${target} HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\nContent-Type: application/x-www-form-urlencoded\r\n` +
    `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`
  );
};

it.each([
  ['/sign-in', 'HERE', 'http://HERE', 303],
  ['http://HERE/sign-in', 'HERE', 'http://HERE', 303],
  ['/sign-in', 'LocalHost:PORT', 'http://localhost:PORT', 303],
  ['/sign-in', 'localhost:80', 'http://localhost', 303],
  ['/sign-in', 'localhost', 'http://localhost:80', 303],
  ['http://localhost:80/sign-in', 'localhost', 'http://localhost', 303],
  ['http://evil.example/sign-in', 'HERE', 'http://evil.example', 421],
  ['http://evil.example/sign-in', 'HERE', 'http://HERE', 421],
  ['http://HERE@evil.example/sign-in', 'HERE', 'http://evil.example', 421],
  ['https://HERE/sign-in', 'HERE', 'https://HERE', 421],
  ['http://localhost:PORT/sign-in', 'HERE', 'http://localhost:PORT', 421],
  ['http://localhost:1/sign-in', 'localhost', 'http://localhost:1', 421],
  ['http://evil.example/api/v2/projects', 'HERE', 'http://evil.example', 421],
  ['/sign-in', 'HERE', 'http://evil.example', 403],
  ['/sign-in', 'HERE', 'http://127.0.0.1:1', 403],
  ['/sign-in', 'HERE', 'http://localhost:PORT', 403],
  ['/sign-in', 'HERE', 'null', 403],
  ['/sign-in', 'HERE', '', 403],
])('a request for %s, Host %s, Origin %s', async (target, host, origin, status) => {
  const served = await serve();
  const real = (text: string): string =>
    text.replaceAll('HERE', `127.0.0.1:${served.port}`).replaceAll('PORT', String(served.port));
  const sent = send(served, form(real(target), real(host), real(origin), served.key));
  expect(await statusOf(sent)).toBe(status);
  expect(/^set-cookie:/im.test(sent.text())).toBe(status === 303);
});
