// The server over sockets: Host check, limits, faults as broken connections, the admin interface, TLS rules.
import { existsSync, readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { ExposedHostError, serve, type ExchangeFault, type Served } from '../../src/control-plane/index.ts';
import { folderOfTest } from '../support/folder.ts';
import { served as started } from '../support/served.ts';

const OPENSSL = '/usr/bin/openssl';
const ENDPOINTS = '/api/v2/projects/spring-example-302709/endpoints';
const CREATE = JSON.stringify({ endpoint: { branch_id: 'br-calm-sea-220011', type: 'read_write' } });
const bearer = (served: Served): Record<string, string> => ({ Authorization: `Bearer ${served.key}` });
const get = (served: Served, path: string, headers: Record<string, string> = bearer(served)): Promise<Response> =>
  fetch(served.url + path, { headers });
const post = (served: Served): Promise<Response> =>
  fetch(served.url + ENDPOINTS, {
    method: 'POST',
    body: CREATE,
    headers: { ...bearer(served), 'Content-Type': 'application/json' },
  });

/** A raw request, since fetch sets Host itself. */
const statusWithHost = (served: Served, host: string): Promise<number | undefined> =>
  statusOf(httpRequest({ port: served.port, path: ENDPOINTS, headers: { ...bearer(served), Host: host } }));
async function statusOf(request: ClientRequest): Promise<number | undefined> {
  const [response] = (await once(request.end(), 'response')) as [IncomingMessage];
  return response.resume().statusCode;
}

describe('serve', () => {
  it('serves the API below /api/v2, the OpenAPI document, and nothing to other origins', async () => {
    const served = await started();
    const evil = { Origin: 'http://evil.example' };
    const answer = await get(served, ENDPOINTS, { ...bearer(served), ...evil });
    expect(answer.status).toBe(200);
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect((await get(served, '/openapi.json', {})).status).toBe(200);
    const kindOf = async (path: string, headers = {}): Promise<[number, string | null]> => {
      const reply = await get(served, path, headers);
      return [reply.status, reply.headers.get('content-type')];
    };
    expect(await kindOf('/')).toEqual([200, 'text/html; charset=utf-8']);
    expect(await kindOf('/nothing')).toEqual([404, 'application/json']);
    expect(await kindOf('/nothing', { Accept: 'text/html,*/*;q=0.8' })).toEqual([404, 'text/html; charset=utf-8']);
    expect((await fetch(served.url + ENDPOINTS, { method: 'OPTIONS', headers: evil })).status).toBe(401);
  });

  it.each([
    ['localhost:PORT', 200],
    ['127.0.0.1:PORT', 200],
    ['evil.example', 421],
    ['evil.example:PORT', 421],
    ['db.internal', 200],
    ['DB.Internal', 200],
    ['db.internal:4010', 200],
    ['db.internal.:80', 200],
    ['[2001:db8::1]:4010', 200],
    ['other.db.internal', 421],
    ['db.internal.evil.example', 421],
    ['127.0.0.1.evil.example', 421],
  ])('answers only to its own names: a request for the host %j gets %d', async (host, status) => {
    const served = await started({ hostNames: ['db.INTERNAL', '2001:db8::1'] });
    expect(await statusWithHost(served, host.replace('PORT', `${served.port}`))).toBe(status);
  });

  it.each(['http://db', 'db:4010', 'a/b', '*.db', '', ' db'])('refuses %j as a name of its own', async (name) => {
    await expect(serve({ hostNames: [name] })).rejects.toThrow(`${JSON.stringify(name)} is no host name`);
  });

  it('answers probes without a key, and says nothing of the account', async () => {
    const served = await started();
    for (const path of ['/healthz', '/readyz']) {
      const answer = await get(served, path, {});
      expect([path, answer.status, await answer.text()]).toEqual([path, 200, '{"status":"ok"}']);
    }
    expect((await fetch(`${served.url}/healthz`, { method: 'POST' })).status).toBe(404);
  });

  it('lets no browser guess what a reply is', async () => {
    const served = await started();
    for (const path of ['/healthz', '/api/v2/projects', '/openapi.json', '/', '/nowhere'])
      expect((await get(served, path, {})).headers.get('x-content-type-options'), path).toBe('nosniff');
  });

  it('says that it is not ready while its store cannot be read, and that it lives', async () => {
    const served = await started();
    vi.spyOn(served.controlPlane.engine.store, 'ledger').mockImplementation(() => {
      throw new Error('disk I/O error');
    });
    expect((await get(served, '/readyz')).status).toBe(503);
    expect((await get(served, '/healthz')).status).toBe(200);
  });

  it('notes the address that a key is used from', async () => {
    const served = await started();
    expect(await (await get(served, '/api/v2/api_keys')).json()).toMatchObject([{ last_used_from_addr: '127.0.0.1' }]);
  });

  it('refuses bodies and headers beyond its limits', async () => {
    const served = await started();
    const body = JSON.stringify({ key_name: 'x'.repeat(2_000_000) });
    const headers = { ...bearer(served), 'Content-Type': 'application/json' };
    expect((await fetch(`${served.url}/api/v2/api_keys`, { method: 'POST', body, headers })).status).toBe(413);
    const long = { ...bearer(served), 'X-Long': 'x'.repeat(20_000) };
    expect((await get(served, '/api/v2/projects', long)).status).toBe(431);
  });

  it('needs a key pair or an explicit word to be reachable from outside', async () => {
    await expect(serve({ host: '0.0.0.0' })).rejects.toThrow(ExposedHostError);
    expect((await started({ host: '0.0.0.0', allowInsecure: true })).port).toBeGreaterThan(0);
  });

  it.skipIf(!existsSync(OPENSSL))('serves TLS with a key pair', async () => {
    const folder = folderOfTest();
    const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const files = ['-keyout', keyFile, '-out', certFile];
    const how = 'req -x509 -newkey rsa:2048 -nodes -days 1'.split(' ');
    execFileSync(OPENSSL, [...how, ...subject, ...files], { stdio: 'ignore' });
    const cert = readFileSync(certFile, 'utf8');
    const served = await started({ host: '0.0.0.0', tls: { cert, key: readFileSync(keyFile, 'utf8') } });
    expect(served.url).toMatch(/^https:/);
    const target = { host: 'localhost', port: served.port, path: ENDPOINTS, ca: cert, headers: bearer(served) };
    expect(await statusOf(httpsRequest(target))).toBe(200);
  });

  it('writes the first key of a new store to a file and holds the folder', async () => {
    const dataDir = folderOfTest();
    const served = await started({ dataDir });
    expect(served.keyFile).toBe(join(dataDir, 'root-key'));
    expect(readFileSync(join(dataDir, 'root-key'), 'utf8').trim()).toBe(served.key);
    await expect(serve({ dataDir })).rejects.toMatchObject({ reason: 'held', pid: process.pid });
  });

  it.each<[ExchangeFault['kind'], number]>([
    ['before-connect', 0],
    ['before-send', 0],
    ['mid-request', 0],
    ['after-send-before-commit', 0],
    ['after-commit-before-reply', 1],
    ['mid-headers', 1],
    ['mid-body', 1],
  ])('%s is a broken connection, %d committed', async (kind, committed) => {
    const served = await started({
      faults: { rules: [{ when: { method: 'POST' }, fault: { kind } as ExchangeFault }] },
    });
    await expect(post(served).then((answer) => answer.json())).rejects.toThrow(/fetch failed|terminated/);
    expect(served.controlPlane.ledger().filter((entry) => entry.kind === 'compute')).toHaveLength(committed);
    expect((await post(served)).status).toBe(committed === 1 ? 409 : 201);
  });

  it('operations end by themselves, with nobody asking', async () => {
    const served = await started();
    const { operations } = (await (await post(served)).json()) as { operations: { id: string }[] };
    const { store } = served.controlPlane.engine;
    await expect.poll(() => store.pastOne(operations[0]?.id ?? '')?.status).toBe('finished');
  });
});

it('the log of requests has a line for each, with who asked, how it ended, and the fault that ended it', async () => {
  const lines: object[] = [];
  const rules = [{ when: { method: 'POST' }, fault: { kind: 'after-commit-before-reply' as const } }];
  const served = await started({ faults: { rules }, onRequest: (line) => void lines.push(line) });
  await get(served, '/api/v2/projects?limit=1&search=', { ...bearer(served), 'User-Agent': 'a test' });
  await get(served, '/api/v2/projects', { Authorization: 'Bearer wrong' });
  await expect(post(served)).rejects.toThrow('fetch failed');
  await get(served, '/healthz');
  const asked = { method: 'GET', path: '/api/v2/projects', query: ['limit', 'search'] };
  expect(lines).toMatchObject([
    { ...asked, status: 200, key_id: '165001', user_agent: 'a test' },
    { method: 'GET', status: 401, key_id: null, address: '127.0.0.1' },
    { method: 'POST', path: ENDPOINTS, status: null, fault: 'after-commit-before-reply' },
  ]);
});

describe('the admin interface', () => {
  const admin = async (served: Served, method: string, path: string, body?: object | string): Promise<Response> =>
    fetch(`${served.url}/admin${path}`, {
      method,
      headers: { Authorization: `Bearer ${served.adminToken}` },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });

  it('answers to this machine alone, wherever the server is reachable', async () => {
    const served = await started({ host: '0.0.0.0', allowInsecure: true, admin: {} });
    const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    for (const { address, internal } of addresses.filter(({ family }) => family === 'IPv4')) {
      const there = { ...served, url: `http://${address}:${served.port}` };
      expect((await get(there, '/openapi.json', {})).status).toBe(200);
      expect((await admin(there, 'GET', '/ledger')).status).toBe(internal ? 200 : 403);
    }
  });

  it('is off unless asked for, and closed without its own token', async () => {
    const off = await started();
    expect((await admin(off, 'GET', '/ledger')).status).toBe(404);
    const on = await started({ admin: {} });
    expect((await get(on, '/admin/ledger', {})).status).toBe(401);
    expect((await get(on, '/admin/ledger')).status).toBe(401);
    expect((await admin(on, 'GET', '/ledger')).status).toBe(200);
  });

  it('sets faults and switches, and reads the ledger', async () => {
    const served = await started({ admin: { token: 'a-token-for-tests' } });
    const fault = { kind: 'after-commit-before-reply' };
    expect((await admin(served, 'PUT', '/faults', { rules: [{ when: { method: 'POST' }, fault }] })).status).toBe(200);
    await expect(post(served)).rejects.toThrow('fetch failed');
    const ledger = (await (await admin(served, 'GET', '/ledger?after=1')).json()) as { entries: { kind: string }[] };
    expect(ledger.entries).toMatchObject([{ kind: 'compute', verb: 'POST' }]);
    expect((await admin(served, 'PATCH', '/switches', { conflictStatus: 422 })).status).toBe(200);
    expect((await post(served)).status).toBe(422);
  });

  it('looks at the clock, sets it forward and stops it', async () => {
    const served = await started({ admin: {} });
    const clock = async (body: object): Promise<{ now: string; ahead_ms: number; frozen: boolean; message: string }> =>
      (await admin(served, 'PATCH', '/clock', body)).json() as never;
    const week = await clock({ advance: '7d', frozen: true });
    expect([Math.round(week.ahead_ms / 60_000), week.frozen]).toEqual([10_080, true]);
    const [first, second] = [await clock({}), await clock({})];
    expect(first.now).toBe(second.now);
    const now = new Date(Date.parse(first.now) + 86_400_000).toISOString();
    expect(await clock({ now })).toMatchObject({ now });
    expect(await clock({ frozen: false })).toMatchObject({ frozen: false });
    expect(await (await admin(served, 'GET', '/clock')).json()).toMatchObject({ frozen: false });
    const past = '2020-01-01T00:00:00Z';
    for (const body of [{ now: past }, { now: 'x' }, { advance: '-1h' }, { frozen: 'yes' }, { to: 1 }, []])
      expect([body, (await admin(served, 'PATCH', '/clock', body)).status]).toEqual([body, 400]);
  });

  it('keeps states, puts them back, and begins anew', async () => {
    const served = await started({ admin: {} });
    const status = async (method: string, path: string): Promise<number> => (await admin(served, method, path)).status;
    const projects = (): number => served.controlPlane.truth.projects().length;
    expect(await (await admin(served, 'PUT', '/states/begin')).json()).toEqual({ states: ['begin'] });
    for (const back of ['/states/begin/restore', '/reset']) {
      await fetch(`${served.url}/api/v2/projects/autumn-lab-418822`, { method: 'DELETE', headers: bearer(served) });
      expect(projects()).toBe(1);
      expect([await status('POST', back), projects()]).toEqual([200, 2]);
    }
    expect((await admin(served, 'POST', '/reset', { to: 'begin' })).status).toBe(400);
    expect(await status('DELETE', '/states/begin')).toBe(200);
    expect(await status('POST', '/states/begin/restore')).toBe(404);
  });

  it('answers 400 for a body that is no JSON', async () => {
    const served = await started({ admin: {} });
    for (const body of ['', '{', 'null', '7']) {
      expect([body, (await admin(served, 'PUT', '/faults', body)).status]).toEqual([body, 400]);
      expect([body, (await admin(served, 'PATCH', '/switches', body)).status]).toEqual([body, 400]);
    }
  });
});
