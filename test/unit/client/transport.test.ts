// Protects what goes over the wire, and the knowledge of whether anything did.
import { describe, expect, it } from 'vitest';
import { answerText, rawServer, type Asked } from './raw-server.ts';
import { OK, deferred, open, outcomeOf, request, serve, write, writeAndEnd } from './transport-support.ts';

describe('a connection', () => {
  it('carries exactly what was asked for', async () => {
    const { server, transport } = await serve(write(OK));
    await transport.send(request('POST', { path: '/things?limit=1&cursor=a%20b' }));
    const { text } = server.asked[0] as Asked;
    expect(text).toMatch(/^POST \/api\/v2\/things\?limit=1&cursor=a%20b HTTP\/1\.1\r\n/);
    expect(text).toContain('accept-encoding: identity\r\n');
    expect(text).toContain('authorization: Bearer canary-1\r\n');
    expect(text).toMatch(/\r\n\r\n\{"a":1\}$/);
  });

  it('H41 never follows a redirect', async () => {
    const elsewhere = await rawServer(write(OK));
    open.push(elsewhere);
    for (const status of [301, 302, 303, 307, 308]) {
      const target = `http://127.0.0.1:${elsewhere.port}/x`;
      const { server, transport } = await serve(write(answerText(status, '', `location: ${target}`)));
      expect((await transport.send(request('POST'))).status).toBe(status);
      expect(server.asked).toHaveLength(1);
    }
    expect(elsewhere.asked).toHaveLength(0);
  });

  it('is kept, and no more are opened than allowed', async () => {
    const { server, transport } = await serve(({ socket }) => void setTimeout(() => socket.write(OK), 5), {
      reads: 3,
    });
    await Promise.all(Array.from({ length: 20 }, () => transport.send(request('GET'))));
    expect(server.mostConnections()).toBe(3);
    expect(new Set(server.asked.map(({ connection }) => connection)).size).toBe(3);
  });

  it('is kept free for writes: reads take as many as they may, in their order, and one that was given up keeps no place', async () => {
    const waiting: Asked[] = [];
    const { server, transport } = await serve((asked) => void waiting.push(asked), { reads: 2, writes: 3 });
    const givenUp = new AbortController();
    const reads = [1, 2, 3, 4, 5].map(async (n) =>
      transport.send(request('GET', { path: `/${n}`, ...(n === 3 || n === 4 ? { signal: givenUp.signal } : {}) })),
    );
    const ended = Promise.allSettled(reads);
    await expect.poll(() => waiting.length).toBe(2);
    const writes = [1, 2, 3].map(async () => transport.send(request('POST')));
    await expect.poll(() => waiting.length).toBe(5);
    const lines = (): string[] => server.asked.map(({ text }) => text.slice(0, text.indexOf(' HTTP'))).sort();
    const prefix = '/api/v2';
    expect(lines()).toEqual([...[1, 2].map((n) => `GET ${prefix}/${n}`), ...writes.map(() => `POST ${prefix}/things`)]);
    givenUp.abort();
    for (const { socket } of waiting.splice(0)) socket.write(OK);
    await expect.poll(() => waiting.length).toBe(1);
    for (const { socket } of waiting) socket.write(OK);
    await Promise.all(writes);
    expect((await ended).map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    expect(lines().filter((line) => line.startsWith('GET'))).toEqual([1, 2, 5].map((n) => `GET ${prefix}/${n}`));
  });

  it('H49 with a second answer after the first is given up: the next request gets its own answer', async () => {
    const smuggled = answerText(200, '{"smuggled":true}');
    const { server, transport } = await serve(
      ({ socket, number }) => socket.write(number === 1 ? OK + smuggled : answerText(200, '{"own":true}')),
      { reads: 1, writes: 1 },
    );
    await transport.send(request('GET'));
    expect((await transport.send(request('POST'))).text).toBe('{"own":true}');
    expect(server.asked.map(({ connection }) => connection)).toEqual([1, 2]);
  });

  it('that was kept and is reset after the request was written is ambiguous, and not silently repeated', async () => {
    const { server, transport } = await serve(({ socket, number }) =>
      number === 1 ? void socket.write(OK) : void socket.resetAndDestroy(),
    );
    await transport.send(request('POST'));
    expect((await outcomeOf(transport.send(request('POST')))).outcome).toBe('ambiguous');
    expect(server.asked).toHaveLength(2);
  });
});

describe('nothing was sent', () => {
  async function closedPort(): Promise<number> {
    const server = await rawServer(() => undefined);
    await server.close();
    return server.port;
  }

  it('H2 when nothing listens', async () => {
    const { transport } = await serve(() => undefined, { baseUrl: `http://127.0.0.1:${await closedPort()}/api/v2` });
    const { outcome, code, message } = await outcomeOf(transport.send(request('POST')));
    expect([outcome, code]).toEqual(['not_sent', 'ECONNREFUSED']);
    expect(message).toContain('POST /things was not sent: nothing accepts connections there');
  });

  it('H1 when the host has no address', async () => {
    const { transport } = await serve(() => undefined, { baseUrl: 'https://no-such-host.invalid/api/v2' });
    const { outcome, message } = await outcomeOf(transport.send(request('POST')));
    expect(outcome).toBe('not_sent');
    expect(message).toContain('no-such-host.invalid');
  });

  it('H44 when the other side does not speak TLS', async () => {
    const { server, transport: unused } = await serve(() => undefined);
    void unused;
    const { transport } = await serve(() => undefined, { baseUrl: `https://127.0.0.1:${server.port}/api/v2` });
    expect((await outcomeOf(transport.send(request('POST')))).outcome).toBe('not_sent');
  });

  it('when the caller gives up while it waits for a connection; it is not sent later either', async () => {
    const { server, transport } = await serve(({ socket }) => void setTimeout(() => socket.write(OK), 60), {
      reads: 1,
      writes: 1,
    });
    const abort = new AbortController();
    const first = transport.send(request('POST', { path: '/first' }));
    const second = outcomeOf(transport.send(request('POST', { path: '/second', signal: abort.signal })));
    setTimeout(() => abort.abort(), 20);
    expect((await second).outcome).toBe('not_sent');
    await first;
    await transport.send(request('POST', { path: '/third' }));
    expect(server.asked.map(({ text }) => /\/(\w+) HTTP/.exec(text)?.[1])).toEqual(['first', 'third']);
  });

  it('when the caller has given up before, even while the library is loaded', async () => {
    const { server, transport } = await serve(write(OK));
    const sending = outcomeOf(transport.send(request('POST', { signal: AbortSignal.abort() })));
    expect((await sending).outcome).toBe('not_sent');
    expect(server.asked).toHaveLength(0);
  });

  it('after the transport was closed', async () => {
    const { transport } = await serve(write(OK));
    await transport.send(request('GET'));
    await transport.close();
    expect((await outcomeOf(transport.send(request('POST')))).outcome).toBe('not_sent');
  });
});

it('giving up a request under way is ambiguous, and ends its connection', async () => {
  const abort = new AbortController();
  const closed = deferred();
  const { transport } = await serve(({ socket }) => {
    socket.on('close', () => closed.resolve());
    abort.abort();
  });
  expect((await outcomeOf(transport.send(request('POST', { signal: abort.signal })))).outcome).toBe('ambiguous');
  await closed.promise;
});

describe('a proxy', () => {
  const TARGET = 'https://service.test/api/v2';

  it.each<[string, (asked: Asked) => void]>([
    ['that refuses', writeAndEnd('HTTP/1.1 407 X\r\n\r\n')],
    ['that cannot reach the service', writeAndEnd('HTTP/1.1 502 X\r\n\r\n')],
    ['that hangs up', writeAndEnd('')],
    ['that never answers', () => undefined],
    ['that promises a tunnel to nowhere', writeAndEnd('HTTP/1.1 200 X\r\n\r\n')],
  ])('%s: nothing was sent to the service, and it never sees the credential', async (_name, answer) => {
    const proxy = await rawServer(answer);
    open.push(proxy);
    const { transport } = await serve(() => undefined, { baseUrl: TARGET, proxy: `http://127.0.0.1:${proxy.port}` });
    expect((await outcomeOf(transport.send(request('POST')))).outcome).toBe('not_sent');
    expect(proxy.asked[0]?.text).toMatch(/^CONNECT service\.test:443 HTTP\/1\.1/);
    expect(proxy.asked.map(({ text }) => text).join()).not.toContain('canary');
  });

  it.each<[string, string, string, string]>([
    [
      'asks for credentials',
      'HTTP/1.1 407 X\r\nproxy-authenticate: Basic\r\n\r\n',
      'EPROXYAUTH',
      'the proxy asks for credentials (407): write them in its URL',
    ],
    ['refuses', 'HTTP/1.1 403 X\r\n\r\n', 'UND_ERR_ABORTED', 'the proxy refuses the connection to the service (403)'],
    [
      'answers with a page of its own',
      'HTTP/1.1 200 X\r\ncontent-type: text/html\r\n\r\n<html>Sign in</html>',
      'ERR_SSL_WRONG_VERSION_NUMBER',
      'the answer is not TLS; is there a proxy in between, or does the host use http://? (ERR_SSL_WRONG_VERSION_NUMBER)',
    ],
  ])('that %s is told in words', async (_name, answer, code, words) => {
    const proxy = await rawServer(writeAndEnd(answer));
    open.push(proxy);
    const { transport } = await serve(() => undefined, { baseUrl: TARGET, proxy: `http://127.0.0.1:${proxy.port}` });
    expect(await outcomeOf(transport.send(request('GET')))).toMatchObject({
      outcome: 'not_sent',
      code,
      message: `GET /things was not sent: ${words}`,
    });
  });
});
