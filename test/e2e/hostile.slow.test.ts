// The built program against a server that does whatever it likes with bytes: it ends in time, tells the truth, and sends nothing twice.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { answerText, rawServer, type Asked, type RawServer } from '../unit/client/raw-server.ts';
import { cleanUp, newFolder, run, type Ended } from './support/program.ts';

// Processes are slow to start on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const servers: RawServer[] = [];
afterAll(async () => {
  cleanUp();
  await Promise.all(servers.map(async (server) => server.close()));
});

const KEY = 'napi-canary-of-the-hostile-server';
const PROJECT = { id: 'shop-000001', name: 'shop' };
const EMPTY: Readonly<Record<string, object>> = {
  '/api/v2/projects': { projects: [PROJECT] },
  '/api/v2/projects/shop-000001/endpoints': { endpoints: [] },
  '/api/v2/projects/shop-000001/operations': { operations: [], pagination: { cursor: '2026-01-01T00:00:00Z' } },
};

/** An account of one empty project, told properly; `odd` answers what it takes for itself. */
async function accountWith(odd: (asked: Asked) => boolean): Promise<RawServer> {
  const server = await rawServer((asked) => {
    if (odd(asked)) return;
    const path = /^GET (\S+?)[? ]/.exec(asked.text)?.[1] ?? '';
    const body = EMPTY[path];
    asked.socket.write(body === undefined ? answerText(404, '{}') : answerText(200, JSON.stringify(body)));
  });
  servers.push(server);
  return server;
}

async function runAt({ port }: RawServer, args: readonly string[]): Promise<Ended> {
  const cwd = newFolder('hostile');
  writeFileSync(
    join(cwd, 'trueup.yaml'),
    'version: 1\nprojects: { shop: { computes: { reader: { branch_id: br-shop-main, type: read_only } } } }\n',
  );
  const env = { TRUEUP_API_KEY: KEY, TRUEUP_BASE_URL: `http://127.0.0.1:${port}/api/v2` };
  const ended = await run([...args, '--timeout', '4s'], { cwd, env });
  expect(ended.out + ended.err).not.toContain(KEY);
  expect(ended.err).not.toMatch(/\n\s+at .*\.js/);
  return ended;
}

/** Writes `head`, and then `piece` again and again until nobody listens any more. */
const endless = (head: string, piece: string, everyMs: number) => (socket: Asked['socket']) => {
  socket.write(head);
  const timer = setInterval(() => socket.write(piece), everyMs);
  socket.on('close', () => clearInterval(timer));
};

const REPLIES: readonly (readonly [name: string, reply: (socket: Asked['socket']) => void])[] = [
  ['cut short', (socket) => void socket.end('HTTP/1.1 201 X\r\ncontent-length: 500\r\n\r\n{"endpoint":')],
  ['without end', endless('HTTP/1.1 201 X\r\n\r\n{"endpoint":"', 'x'.repeat(1 << 16), 1)],
  ['a byte now and then', endless('HTTP/1.1 201 X\r\ncontent-length: 5000\r\n\r\n', ' ', 100)],
  ['of other types', (socket) => void socket.write(answerText(201, '{"endpoint":[],"operations":"none"}'))],
  ['of another compute', (socket) => void socket.write(answerText(201, OTHER))],
  ['in another language', (socket) => void socket.write('SSH-2.0-OpenSSH_9.2\r\n')],
  ['that never comes', () => undefined],
];
const OTHER = JSON.stringify({
  endpoint: { id: 'ep-other-1', project_id: 'elsewhere-000009', branch_id: 'br-other', type: 'read_only' },
  operations: [],
});

describe.concurrent('a write whose reply is', () => {
  it.each(REPLIES.map(([name, reply]) => ({ name, reply })))('$name: not done, not sent twice', async ({ reply }) => {
    let posts = 0;
    const server = await accountWith(({ text, socket }) => {
      if (!text.startsWith('POST')) return false;
      posts++;
      reply(socket);
      return true;
    });
    const { code, out, ms } = await runAt(server, ['apply', '--auto-approve']);
    expect(code, out).toBe(3);
    expect(out).toMatch(/Apply incomplete: 0 steps done/);
    expect(posts).toBe(1);
    expect(ms).toBeLessThan(40_000);
  });
});

describe.concurrent('a list that is', () => {
  it('followed by a reply nobody asked for is believed, and that reply is not', async () => {
    const smuggled = answerText(
      200,
      JSON.stringify({
        endpoints: [{ id: 'ep-smuggled-1', project_id: PROJECT.id, branch_id: 'br-shop-main', type: 'read_only' }],
      }),
    );
    const server = await accountWith(({ text, socket }) => {
      if (!text.startsWith('GET /api/v2/projects ') && !text.startsWith('GET /api/v2/projects?')) return false;
      socket.write(answerText(200, JSON.stringify(EMPTY['/api/v2/projects'])) + smuggled);
      return true;
    });
    const { code, out } = await runAt(server, ['plan', '--detailed-exitcode']);
    expect(out).toContain('Plan: 1 to add, 0 to change, 0 to destroy.');
    expect(out).not.toContain('ep-smuggled-1');
    expect(code).toBe(2);
  });

  it.each([
    ['cut short', (socket: Asked['socket']) => void socket.end('HTTP/1.1 200 X\r\ncontent-length: 500\r\n\r\n{"pro')],
    ['without end', endless('HTTP/1.1 200 X\r\n\r\n{"projects":"', 'x'.repeat(1 << 16), 1)],
    ['of other types', (socket: Asked['socket']) => void socket.write(answerText(200, '{"projects":{"id":7}}'))],
  ])('%s is an error', async (_name, reply) => {
    const server = await accountWith(({ socket }) => {
      reply(socket);
      return true;
    });
    const { code, out, err } = await runAt(server, ['plan']);
    expect(err).toMatch(/^error: /m);
    expect(code).toBe(1);
    expect(out).toBe('');
  });
});
