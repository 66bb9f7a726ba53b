// The server over sockets: Host check, limits, faults as broken connections, the admin interface, TLS rules.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  ExposedHostError,
  serve as start,
  type ExchangeFault,
  type ServeOptions,
  type Served,
} from '../../src/control-plane/index.ts';

const OPENSSL = '/usr/bin/openssl';
const running: Served[] = [];
const serve = async (options: Partial<ServeOptions> = {}): Promise<Served> => {
  const served = await start({ operationMs: { min: 10, max: 20 }, ...options });
  running.push(served);
  return served;
};
afterEach(async () => {
  for (const served of running.splice(0)) await served.close();
});

const ENDPOINTS = '/api/v2/projects/spring-example-302709/endpoints';
const CREATE = JSON.stringify({ endpoint: { branch_id: 'br-calm-sea-220011', type: 'read_write' } });
const bearer = (served: Served): Record<string, string> => ({ Authorization: `Bearer ${served.key}` });
const post = (served: Served): Promise<Response> =>
  fetch(served.url + ENDPOINTS, {
    method: 'POST',
    body: CREATE,
    headers: { ...bearer(served), 'Content-Type': 'application/json' },
  });

/** A raw request, since fetch sets Host itself. */
const statusWithHost = (served: Served, host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const headers = { ...bearer(served), Host: host };
    const sent = httpRequest({ port: served.port, path: '/api/v2/projects', headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject);
    sent.end();
  });

describe('serve', () => {
  it('serves the API below /api/v2, the OpenAPI document, and nothing to other origins', async () => {
    const served = await serve();
    const answer = await fetch(served.url + ENDPOINTS, {
      headers: { ...bearer(served), Origin: 'http://evil.example' },
    });
    expect(answer.status).toBe(200);
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect((await fetch(`${served.url}/openapi.json`)).status).toBe(200);
    expect((await fetch(`${served.url}/nothing`)).status).toBe(404);
    const preflight = await fetch(served.url + ENDPOINTS, {
      method: 'OPTIONS',
      headers: { Origin: 'http://evil.example' },
    });
    expect(preflight.status).toBe(401);
  });

  it('answers only to its own names: a rebound name gets 421', async () => {
    const served = await serve();
    expect(await statusWithHost(served, `localhost:${served.port}`)).toBe(200);
    expect(await statusWithHost(served, `127.0.0.1:${served.port}`)).toBe(200);
    expect(await statusWithHost(served, 'evil.example')).toBe(421);
    expect(await statusWithHost(served, `evil.example:${served.port}`)).toBe(421);
  });

  it.each([
    ['db.internal', 200],
    ['DB.Internal', 200],
    ['db.internal:4010', 200],
    ['db.internal.:80', 200],
    ['[2001:db8::1]:4010', 200],
    ['other.db.internal', 421],
    ['db.internal.evil.example', 421],
    ['127.0.0.1.evil.example', 421],
  ])('with names of its own, a request for the host %j gets %d', async (host, status) => {
    const served = await serve({ hostNames: ['db.INTERNAL', '2001:db8::1'] });
    expect(await statusWithHost(served, host)).toBe(status);
  });

  it.each(['http://db', 'db:4010', 'a/b', '*.db', '', ' db'])('refuses %j as a name of its own', async (name) => {
    await expect(start({ hostNames: [name] })).rejects.toThrow(`${JSON.stringify(name)} is no host name`);
  });

  it('answers probes without a key, and says nothing of the account', async () => {
    const served = await serve();
    for (const path of ['/healthz', '/readyz']) {
      const answer = await fetch(served.url + path);
      expect([path, answer.status, await answer.text()]).toEqual([path, 200, '{"status":"ok"}']);
    }
    expect((await fetch(`${served.url}/healthz`, { method: 'POST' })).status).toBe(404);
  });

  it.each(['/healthz', '/api/v2/projects', '/openapi.json', '/', '/nowhere'])(
    'lets no browser guess what %s is',
    async (path) => {
      const { headers } = await fetch((await serve()).url + path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    },
  );

  it('says that it is not ready while its store cannot be read, and that it lives', async () => {
    const served = await serve();
    vi.spyOn(served.controlPlane.engine.store, 'ledger').mockImplementation(() => {
      throw new Error('disk I/O error');
    });
    expect((await fetch(`${served.url}/readyz`)).status).toBe(503);
    expect((await fetch(`${served.url}/healthz`)).status).toBe(200);
  });

  it('notes the address that a key is used from', async () => {
    const served = await serve();
    const answer = await fetch(`${served.url}/api/v2/api_keys`, { headers: bearer(served) });
    expect(await answer.json()).toMatchObject([{ last_used_from_addr: '127.0.0.1' }]);
  });

  it('refuses bodies and headers beyond its limits', async () => {
    const served = await serve();
    const body = JSON.stringify({ key_name: 'x'.repeat(2_000_000) });
    const headers = { ...bearer(served), 'Content-Type': 'application/json' };
    expect((await fetch(`${served.url}/api/v2/api_keys`, { method: 'POST', body, headers })).status).toBe(413);
    const long = { ...bearer(served), 'X-Long': 'x'.repeat(20_000) };
    expect((await fetch(`${served.url}/api/v2/projects`, { headers: long })).status).toBe(431);
  });

  it('needs a key pair or an explicit word to be reachable from outside', async () => {
    await expect(start({ host: '0.0.0.0' })).rejects.toThrow(ExposedHostError);
    const served = await serve({ host: '0.0.0.0', allowInsecure: true });
    expect(served.port).toBeGreaterThan(0);
  });

  it.skipIf(!existsSync(OPENSSL))('serves TLS with a key pair', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'control-plane-tls-'));
    const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const files = ['-keyout', keyFile, '-out', certFile];
    execFileSync(OPENSSL, ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...subject, ...files], {
      stdio: 'ignore',
    });
    const cert = readFileSync(certFile, 'utf8');
    const served = await serve({ host: '0.0.0.0', tls: { cert, key: readFileSync(keyFile, 'utf8') } });
    rmSync(folder, { recursive: true });
    expect(served.url).toMatch(/^https:/);
    const status = await new Promise((resolve, reject) => {
      const target = {
        host: 'localhost',
        port: served.port,
        path: '/api/v2/projects',
        ca: cert,
        headers: bearer(served),
      };
      httpsRequest(target, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end();
    });
    expect(status).toBe(200);
  });

  it('writes the first key of a new store to a file and holds the folder', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'control-plane-serve-'));
    try {
      const served = await serve({ dataDir });
      expect(served.keyFile).toBe(join(dataDir, 'root-key'));
      expect(readFileSync(join(dataDir, 'root-key'), 'utf8').trim()).toBe(served.key);
      await expect(start({ dataDir })).rejects.toMatchObject({ reason: 'held', pid: process.pid });
    } finally {
      for (const served of running.splice(0)) await served.close();
      rmSync(dataDir, { recursive: true, force: true });
    }
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
    const served = await serve({ faults: { rules: [{ when: { method: 'POST' }, fault: { kind } as ExchangeFault }] } });
    const attempt = async (): Promise<unknown> => (await post(served)).json();
    await expect(attempt()).rejects.toThrow(/fetch failed|terminated/);
    expect(served.controlPlane.ledger().filter((entry) => entry.kind === 'compute')).toHaveLength(committed);
    expect((await post(served)).status).toBe(committed === 1 ? 409 : 201);
  });

  it('operations end by themselves, with nobody asking', async () => {
    const served = await serve();
    const { operations } = (await (await post(served)).json()) as { operations: { id: string }[] };
    const { store } = served.controlPlane.engine;
    await expect.poll(() => store.pastOne(operations[0]?.id ?? '')?.status).toBe('finished');
  });
});

it('the log of requests has a line for each, with who asked, how it ended, and the fault that ended it', async () => {
  const lines: object[] = [];
  const fault = { kind: 'after-commit-before-reply' as const };
  const faults = { rules: [{ when: { method: 'POST' }, fault }] };
  const served = await serve({ faults, onRequest: (line) => void lines.push(line) });
  const headers = { ...bearer(served), 'User-Agent': 'a test' };
  await fetch(`${served.url}/api/v2/projects?limit=1&search=`, { headers });
  await fetch(`${served.url}/api/v2/projects`, { headers: { Authorization: 'Bearer wrong' } });
  await expect(post(served)).rejects.toThrow('fetch failed');
  await fetch(`${served.url}/healthz`);
  expect(lines).toMatchObject([
    {
      method: 'GET',
      path: '/api/v2/projects',
      query: ['limit', 'search'],
      status: 200,
      key_id: '165001',
      user_agent: 'a test',
    },
    { method: 'GET', status: 401, key_id: null, address: '127.0.0.1' },
    { method: 'POST', path: ENDPOINTS, status: null, fault: 'after-commit-before-reply' },
  ]);
});

/** Addresses of this machine that are not loopback; a machine may have none. */
const outsideAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter((address) => !address.internal && address.family === 'IPv4')
    .map((address) => address.address);

describe('the admin interface', () => {
  const admin = async (served: Served, method: string, path: string, body?: object): Promise<Response> =>
    fetch(`${served.url}/admin${path}`, {
      method,
      headers: { Authorization: `Bearer ${served.adminToken}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  it('answers to this machine alone, wherever the server is reachable', async () => {
    const served = await serve({ host: '0.0.0.0', allowInsecure: true, admin: {} });
    for (const address of outsideAddresses()) {
      const url = `http://${address}:${served.port}`;
      const headers = { Authorization: `Bearer ${served.adminToken}` };
      expect((await fetch(`${url}/openapi.json`)).status).toBe(200);
      expect((await fetch(`${url}/admin/ledger`, { headers })).status).toBe(403);
    }
    expect((await admin({ ...served, url: `http://127.0.0.1:${served.port}` }, 'GET', '/ledger')).status).toBe(200);
  });

  it('is off unless asked for, and closed without its own token', async () => {
    const off = await serve();
    expect((await admin(off, 'GET', '/ledger')).status).toBe(404);
    const on = await serve({ admin: {} });
    expect((await fetch(`${on.url}/admin/ledger`)).status).toBe(401);
    expect((await fetch(`${on.url}/admin/ledger`, { headers: bearer(on) })).status).toBe(401);
    expect((await admin(on, 'GET', '/ledger')).status).toBe(200);
  });

  it('sets faults and switches, reads the ledger and the world', async () => {
    const served = await serve({ admin: { token: 'a-token-for-tests' } });
    const fault = { kind: 'after-commit-before-reply' };
    expect((await admin(served, 'PUT', '/faults', { rules: [{ when: { method: 'POST' }, fault }] })).status).toBe(200);
    await expect(post(served)).rejects.toThrow('fetch failed');
    const ledger = (await (await admin(served, 'GET', '/ledger?after=1')).json()) as { entries: { kind: string }[] };
    expect(ledger.entries).toMatchObject([{ kind: 'compute', verb: 'POST' }]);
    expect((await admin(served, 'PATCH', '/switches', { conflictStatus: 422 })).status).toBe(200);
    expect((await post(served)).status).toBe(422);
    expect(await (await admin(served, 'GET', '/world')).text()).toContain('ep-cool-darkness-123456');
    expect((await admin(served, 'POST', '/computes/ep-cool-darkness-123456/connect')).status).toBe(200);
  });

  it('looks at the clock, sets it forward and stops it', async () => {
    const served = await serve({ admin: {} });
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
    for (const body of [
      { now: '2020-01-01T00:00:00Z' },
      { now: 'x' },
      { advance: '-1h' },
      { frozen: 'yes' },
      { to: 1 },
      [],
    ])
      expect([body, (await admin(served, 'PATCH', '/clock', body)).status]).toEqual([body, 400]);
  });

  it('keeps states, puts them back, and begins anew', async () => {
    const served = await serve({ admin: {} });
    const status = async (method: string, path: string): Promise<number> => (await admin(served, method, path)).status;
    const projects = (): number => served.controlPlane.truth.projects().length;
    expect(await (await admin(served, 'PUT', '/states/begin')).json()).toEqual({ states: ['begin'] });
    await fetch(`${served.url}/api/v2/projects/autumn-lab-418822`, { method: 'DELETE', headers: bearer(served) });
    expect(projects()).toBe(1);
    expect([await status('POST', '/states/begin/restore'), projects()]).toEqual([200, 2]);
    await fetch(`${served.url}/api/v2/projects/autumn-lab-418822`, { method: 'DELETE', headers: bearer(served) });
    expect([await status('POST', '/reset'), projects()]).toEqual([200, 2]);
    expect(await status('DELETE', '/states/begin')).toBe(200);
    expect(await status('POST', '/states/begin/restore')).toBe(404);
  });

  it('answers 400 for a compute that is not there, and for a body that is no JSON', async () => {
    const served = await serve({ admin: {} });
    expect((await admin(served, 'POST', '/computes/ep-none/connect')).status).toBe(400);
    const headers = { Authorization: `Bearer ${served.adminToken}` };
    for (const body of ['', '{', 'null', '7'])
      for (const [method, path] of [
        ['PUT', '/faults'],
        ['PATCH', '/switches'],
      ] as const)
        expect([body, path, (await fetch(`${served.url}/admin${path}`, { method, headers, body })).status]).toEqual([
          body,
          path,
          400,
        ]);
  });
});
