// The proxy variables: against a real proxy and a real service, what goes through and what goes straight, as curl has it.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { proxyFor } from '../../../src/client/http/proxy.ts';
import { fakeIo, socketClock } from '../../support/fake-io.ts';
import { main } from '../../support/loaded-program.ts';

const CANARY = 'sesame';
const NO_PROJECTS = '{"projects":[]}';

/** The first lines of the requests that arrived at the proxy, with the credentials for it. */
let asked: (readonly [string, string | undefined])[] = [];
let atService = 0;
let proxy: Server;
let service: Server;

function note({ method = '', url = '', headers }: IncomingMessage): void {
  asked.push([`${method} ${url}`, headers['proxy-authorization']]);
}

async function listen(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.listen(0, '::', resolve);
  });
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  service = createServer((_request, reply) => {
    atService++;
    reply.setHeader('content-type', 'application/json').end(NO_PROJECTS);
  });
  proxy = createServer((request, reply) => {
    note(request);
    reply.setHeader('content-type', 'application/json').end(NO_PROJECTS);
  }).on('connect', (request: IncomingMessage, socket) => {
    note(request);
    socket.end('HTTP/1.1 407 Wanted\r\n\r\n', () => socket.destroy());
  });
  await Promise.all([listen(service), listen(proxy)]);
});
beforeEach(() => {
  asked = [];
  atService = 0;
});
afterAll(() => {
  proxy.close();
  service.close();
});

interface Pinged {
  readonly code: number;
  readonly said: string;
  readonly asked: typeof asked;
  readonly atService: number;
}

/** `{proxy}` and `{service}` stand for the two ports. */
async function ping(base: string, env: Readonly<Record<string, string>>): Promise<Pinged> {
  const fill = (text: string): string =>
    text.replaceAll('{proxy}', String(portOf(proxy))).replaceAll('{service}', String(portOf(service)));
  const own = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)]));
  const io = fakeIo({
    cwd: '/',
    env: { TRUEUP_API_KEY: 'key', TRUEUP_BASE_URL: `${fill(base)}/api/v2`, ...own },
    clock: socketClock(),
  });
  const code = await main(['ping'], io);
  return { code, said: io.all(), asked, atService };
}

const LOCAL = 'http://127.0.0.1:{service}';
const PROXY = 'http://127.0.0.1:{proxy}';

describe('NO_PROXY', () => {
  const spared: readonly (readonly [string, string])[] = [
    [LOCAL, '*'],
    [LOCAL, '127.0.0.1'],
    [LOCAL, '127.0.0.1:{service}'],
    [LOCAL, '127.0.0.0/8'],
    [LOCAL, '127.9.9.9/8'],
    [LOCAL, 'example.com,127.0.0.1'],
    [LOCAL, 'example.com, ,127.0.0.1 ,'],
    [LOCAL, 'example.com 127.0.0.1'],
    [LOCAL, '::/0,0.0.0.0/0'],
    ['http://localhost:{service}', 'localhost'],
    ['http://localhost:{service}', 'LocalHost'],
    ['http://localhost:{service}', '.localhost'],
    ['http://localhost:{service}', '*.localhost'],
    ['http://localhost:{service}', 'localhost.'],
    ['http://localhost:{service}', 'localhost:{service}'],
    ['http://[::1]:{service}', '::1'],
    ['http://[::1]:{service}', '0:0:0:0:0:0:0:1'],
    ['http://[::1]:{service}', '[::1]'],
    ['http://[::1]:{service}', '[::1]:{service}'],
    ['http://[::1]:{service}', '::/64'],
    ['http://[::1]:{service}', '[::]/64'],
  ];
  it.each(spared)('lets a request to %s go straight where it is %s', async (base, list) => {
    expect(await ping(base, { HTTP_PROXY: PROXY, NO_PROXY: list })).toMatchObject({ code: 0, atService: 1, asked: [] });
  });

  const through: readonly (readonly [string, string])[] = [
    [LOCAL, ''],
    [LOCAL, 'example.com'],
    [LOCAL, '127.0.0.1:1'],
    [LOCAL, '127.0.0.2'],
    [LOCAL, '127.1.0.0/16'],
    [LOCAL, '27.0.0.1'],
    [LOCAL, 'localhost'],
    [LOCAL, '::1'],
    ['http://localhost:{service}', '127.0.0.1'],
    ['http://localhost:{service}', 'host'],
    ['http://localhost:{service}', 'a.localhost'],
    ['http://localhost:{service}', 'localhost:1'],
    ['http://[::1]:{service}', '127.0.0.0/8'],
    ['http://[::1]:{service}', '[::1]:1'],
  ];
  it.each(through)('sends a request to %s through the proxy where it is %j', async (base, list) => {
    const { code, asked: lines, atService: straight } = await ping(base, { HTTP_PROXY: PROXY, NO_PROXY: list });
    expect([code, straight, lines.length]).toEqual([0, 0, 1]);
  });

  it.each([
    ['api.example.com', 'example.com'],
    ['api.example.com', '.example.com'],
    ['api.example.com', 'API.Example.Com:443'],
    ['api.example.com', 'a,*'],
    ['10.255.255.1', '10.0.0.0/8'],
    ['192.0.2.7', '192.0.2.7/32'],
  ])('holds for https://%s as well, where it is %s', (host, list) => {
    expect(proxyFor(`https://${host}`, { HTTPS_PROXY: 'proxy:1', NO_PROXY: list })).toEqual({ proxy: null });
  });

  it.each(['no_proxy', 'NO_PROXY'])('that cannot be read stops the run, which names %s', async (name) => {
    const { code, said } = await ping(LOCAL, { HTTP_PROXY: PROXY, [name]: '10.0.0.0/33' });
    expect([code, asked.length, atService]).toEqual([1, 0, 0]);
    expect(said).toContain(`${name} cannot be used`);
  });
});

describe('a proxy', () => {
  it.each([
    ['HTTP_PROXY', 'http://127.0.0.1:{proxy}'],
    ['http_proxy', '127.0.0.1:{proxy}'],
    ['HTTP_PROXY', 'localhost:{proxy}/'],
    ['HTTP_PROXY', 'HTTP://[::1]:{proxy}'],
  ])('of http:// is asked for the whole URL: %s=%s', async (name, value) => {
    const { code } = await ping(LOCAL, { [name]: value });
    expect([code, asked]).toEqual([
      0,
      [[`GET http://127.0.0.1:${portOf(service)}/api/v2/projects?limit=1`, undefined]],
    ]);
  });

  it.each([
    ['HTTPS_PROXY', 'http://127.0.0.1:{proxy}'],
    ['https_proxy', '127.0.0.1:{proxy}'],
    ['HTTPS_PROXY', 'localhost:{proxy}'],
  ])('of https:// is asked for a tunnel, and never sees the credential: %s=%s', async (name, value) => {
    const { said } = await ping('https://api.example.com', { [name]: value });
    expect(asked[0]).toEqual(['CONNECT api.example.com:443', undefined]);
    expect(said).toContain('the proxy asks for credentials (407)');
  });

  it.each([
    ['{user}:{password}', `u:${CANARY}`],
    ['u%40x:a%3Ab', 'u@x:a:b'],
    ['u', 'u:'],
  ])('gets the credentials of its URL: %s', async (written, sent) => {
    const userinfo = written.replace('{user}', 'u').replace('{password}', CANARY);
    await ping('https://api.example.com', { HTTPS_PROXY: `${userinfo}@127.0.0.1:{proxy}` });
    expect(asked[0]?.[1]).toBe(`Basic ${Buffer.from(sent).toString('base64')}`);
  });

  it('in lower case wins, and an empty variable counts as not set', async () => {
    await ping(LOCAL, { http_proxy: PROXY, HTTP_PROXY: 'ftp://x', no_proxy: '', NO_PROXY: '' });
    await ping(LOCAL, { http_proxy: '', HTTP_PROXY: PROXY });
    await ping(LOCAL, { HTTP_PROXY: PROXY, no_proxy: 'example.com', NO_PROXY: '*' });
    expect(asked).toHaveLength(3);
  });

  it('of HTTP_PROXY is none to a CGI program, whose clients can set it', async () => {
    expect(await ping(LOCAL, { HTTP_PROXY: PROXY, REQUEST_METHOD: 'GET' })).toMatchObject({ code: 0, asked: [] });
  });

  it('of another scheme than that of the base URL is not asked', async () => {
    expect(await ping(LOCAL, { HTTPS_PROXY: PROXY })).toMatchObject({ code: 0, asked: [] });
  });

  it.each([
    `http://u:${CANARY}@`,
    `http://u:${CANARY}@host:99999`,
    `http://u:${CANARY}#@host:1`,
    `http://u:${CANARY}%zz@host:1`,
    `socks5://u:${CANARY}@host:1`,
    `u:${CANARY}@ho st:1`,
    `http://u:${CANARY}@host\\x`,
    `:${CANARY}`,
  ])('that cannot be used stops the run, which names the variable and shows nothing of it', async (value) => {
    const { code, said } = await ping('https://api.example.com', { HTTPS_PROXY: value });
    expect(code).toBe(1);
    expect(said).toContain('HTTPS_PROXY cannot be used');
    expect(said).not.toContain(CANARY);
  });

  it('elsewhere gets no request in clear text', async () => {
    const { code, said } = await ping(LOCAL, { HTTP_PROXY: 'http://proxy.example.com:3128' });
    expect([code, atService]).toEqual([1, 0]);
    expect(said).toContain('add 127.0.0.1 to NO_PROXY');
  });
});
