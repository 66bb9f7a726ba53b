// The contract of the API reference: API keys and authentication.
import { expect } from 'vitest';
import { switchesOf, type Cases } from './contract-case.ts';
import { DAY, ENDPOINTS, HOUR, MINUTE, ONE, SHOP, type Answer, type TestWorld } from './world.ts';

const make = async (world: TestWorld): Promise<Answer['body']> =>
  (await world.send('POST', '/api_keys', { key_name: 'ci' })).body;
const opens = async (world: TestWorld, key: string, path = '/projects'): Promise<number> =>
  (await world.send('GET', path, undefined, { key, address: '10.1.2.3' })).status;

export const keyCases: Cases = {
  'a key is created, works at once, and its value is never shown again': async (world) => {
    const { id, key: value } = await make(world);
    expect(Number.isInteger(id)).toBe(true);
    expect(await opens(world, value)).toBe(200);
    const list = await world.send('GET', '/api_keys');
    expect(list.list.map((key) => key['name'])).toEqual(['root', 'ci']);
    expect(JSON.stringify(list.body)).not.toContain(value);
    expect(JSON.stringify(world.plane.ledger())).not.toContain(value);
    expect(JSON.stringify(world.plane.truth.keys())).not.toContain(value);
  },
  'key values are random: long, and no two alike': async (world) => {
    const values = new Set<string>();
    for (let count = 0; count < 20; count++) values.add((await make(world)).key);
    expect(values.size).toBe(20);
    for (const value of values) expect(value).toMatch(/^(napi_)?[a-z0-9]{64}$/);
  },
  'the list tells when and from where a key was last used': async (world) => {
    const { id, key } = await make(world);
    await world.pass(HOUR);
    await opens(world, key, SHOP);
    await world.pass(MINUTE);
    const used = { last_used_from_addr: '10.1.2.3', last_used_at: '2026-01-01T01:00:00.000Z' };
    expect((await world.send('GET', '/api_keys')).list.find((item) => item.id === id)).toMatchObject(used);
  },
  'a key stays valid until it is revoked, and a lost one is replaced': async (world) => {
    const { key, id } = await make(world);
    await world.pass(100 * DAY);
    expect(await opens(world, key)).toBe(200);
    const other = await make(world);
    expect(other.id).not.toBe(id);
    const revoked = await world.send('DELETE', `/api_keys/${id}`);
    expect(revoked.status).toBe(200);
    expect(revoked.body).toMatchObject({ id, name: 'ci', revoked: true, last_used_from_addr: '10.1.2.3' });
    expect([await opens(world, key), await opens(world, other.key)]).toEqual([401, 200]);
    expect((await world.send('DELETE', `/api_keys/${id}`)).status).toBe(switchesOf(world)['missingKey']);
    expect((await world.send('GET', '/api_keys')).list.map((item) => item.id)).not.toContain(id);
  },
  'bodies are JSON, also for a client that asks for it': async (world) => {
    for (const headers of [{}, { Accept: 'application/json' }]) {
      const answer = await world.send('POST', '/api_keys', { key_name: 'ci' }, { headers });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
      expect((await world.send('GET', ENDPOINTS, undefined, { headers })).body.endpoints).toHaveLength(1);
    }
  },
  'a key works with every project of the account': async (world) => {
    const { key } = await make(world);
    for (const project of ['spring-example-302709', 'autumn-lab-418822'])
      expect(await opens(world, key, `/projects/${project}/endpoints`)).toBe(200);
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
