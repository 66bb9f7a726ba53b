// The contract of the API reference: API keys and authentication.
import { expect } from 'vitest';
import { switchesOf, type Cases } from './contract-case.ts';
import { DAY, ENDPOINTS, HOUR, MINUTE, ONE, SHOP } from './world.ts';

export const keyCases: Cases = {
  'a key is created, works at once, and its value is never shown again': async (world) => {
    const made = await world.send('POST', '/api_keys', { key_name: 'ci' });
    expect(made.status).toBe(200);
    expect(Number.isInteger(made.body.id)).toBe(true);
    const value = made.body.key;
    expect((await world.send('GET', '/projects', undefined, { key: value })).status).toBe(200);
    const list = await world.send('GET', '/api_keys');
    expect(list.list.map((key) => key['name'])).toEqual(['root', 'ci']);
    expect(JSON.stringify(list.body)).not.toContain(value);
    expect(JSON.stringify(world.plane.ledger())).not.toContain(value);
    expect(JSON.stringify(world.plane.truth.keys())).not.toContain(value);
  },
  'key values are random: long, and no two alike': async (world) => {
    const values = new Set<string>();
    for (let count = 0; count < 20; count++)
      values.add((await world.send('POST', '/api_keys', { key_name: 'same name' })).body.key);
    expect(values.size).toBe(20);
    for (const value of values) expect(value).toMatch(/^(napi_)?[a-z0-9]{64}$/);
  },
  'the list tells when and from where a key was last used': async (world) => {
    const made = await world.send('POST', '/api_keys', { key_name: 'ci' });
    await world.pass(HOUR);
    await world.send('GET', SHOP, undefined, { key: made.body.key, address: '10.1.2.3' });
    await world.pass(MINUTE);
    const list = (await world.send('GET', '/api_keys')).list;
    const used = list.find((key) => key['id'] === made.body.id);
    expect(used?.['last_used_from_addr']).toBe('10.1.2.3');
    expect(used?.['last_used_at']).toBe('2026-01-01T01:00:00.000Z');
  },
  'a revoked key fails at once and for good': async (world) => {
    const made = await world.send('POST', '/api_keys', { key_name: 'ci' });
    const key = made.body.key;
    await world.send('GET', '/projects', undefined, { key, address: '10.1.2.3' });
    const revoked = await world.send('DELETE', `/api_keys/${made.body.id}`);
    expect(revoked.status).toBe(200);
    expect(revoked.body).toMatchObject({ id: made.body.id, name: 'ci', revoked: true });
    expect(revoked.body).toMatchObject({ last_used_from_addr: '10.1.2.3' });
    expect((await world.send('GET', '/projects', undefined, { key })).status).toBe(401);
    expect((await world.send('DELETE', `/api_keys/${made.body.id}`)).status).toBe(switchesOf(world)['missingKey']);
    expect((await world.send('GET', '/api_keys')).list.map((item) => item['name'])).toEqual(['root']);
  },
  'a key stays valid until it is revoked, and a lost one is replaced': async (world) => {
    const lost = await world.send('POST', '/api_keys', { key_name: 'ci' });
    await world.pass(100 * DAY);
    expect((await world.send('GET', '/projects', undefined, { key: lost.body.key })).status).toBe(200);
    const replacement = await world.send('POST', '/api_keys', { key_name: 'ci' });
    expect(replacement.body.id).not.toBe(lost.body.id);
    await world.send('DELETE', `/api_keys/${lost.body.id}`);
    expect((await world.send('GET', '/projects', undefined, { key: lost.body.key })).status).toBe(401);
    expect((await world.send('GET', '/projects', undefined, { key: replacement.body.key })).status).toBe(200);
  },
  'bodies are JSON, also for a client that asks for it': async (world) => {
    for (const headers of [{}, { Accept: 'application/json' }]) {
      const answer = await world.send('POST', '/api_keys', { key_name: 'ci' }, { headers });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
      expect((await world.send('GET', ENDPOINTS, undefined, { headers })).body.endpoints).toHaveLength(1);
    }
  },
  'a key works with every project of the account': async (world) => {
    const made = await world.send('POST', '/api_keys', { key_name: 'ci' });
    for (const project of ['spring-example-302709', 'autumn-lab-418822']) {
      const key = made.body.key;
      expect((await world.send('GET', `/projects/${project}/endpoints`, undefined, { key })).status).toBe(200);
    }
  },
  'a request without a valid key gets 401, whatever it asks': async (world) => {
    for (const path of ['/projects', '/api_keys', ENDPOINTS, ONE, `${SHOP}/operations`, '/no/such/route'])
      for (const key of [undefined, 'wrong', `${world.key}x`]) {
        const answer = await world.send('GET', path, undefined, { key });
        expect([path, answer.status]).toEqual([path, 401]);
      }
    expect((await world.send('POST', '/api_keys', { key_name: 'x' }, { key: undefined })).status).toBe(401);
    const basic = { headers: { Authorization: `Basic ${world.key}` }, key: undefined };
    expect((await world.send('GET', '/projects', undefined, basic)).status).toBe(401);
  },
};
