// What real clients send: odd content types, unknown members, empty patches; and what hostile ones send.
import { describe, expect, it } from 'vitest';
import {
  ENDPOINTS,
  ONE,
  PRIMARY,
  SHOP,
  STAGING,
  createActive,
  worldWithKey,
  makeWorld,
  type SendOptions,
} from './world.ts';

describe('tolerance', () => {
  it('actions may come with a form content type and no body', async () => {
    const world = makeWorld();
    const id = await createActive(world, STAGING);
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const answer = await world.send('POST', `${ENDPOINTS}/${id}/restart`, undefined, { headers });
    expect(answer.status).toBe(200);
  });

  it('GET and DELETE may carry a JSON content type without a body', async () => {
    const world = makeWorld();
    const headers = { 'Content-Type': 'application/json' };
    expect((await world.send('GET', ENDPOINTS, undefined, { headers })).status).toBe(200);
    expect((await world.send('DELETE', ONE, undefined, { headers })).status).toBe(200);
  });

  it('an empty patch is valid and does nothing; unknown members are ignored', async () => {
    const world = makeWorld();
    for (const endpoint of [{}, { id: 'ep-other', unheard_of: true }]) {
      const answer = await world.send('PATCH', ONE, { endpoint });
      expect(answer.status).toBe(200);
      expect(answer.body.operations).toEqual([]);
    }
  });

  it('ids have three parts, as public clients expect', async () => {
    const world = makeWorld();
    const id = await createActive(world, STAGING);
    expect(id).toMatch(/^ep-[a-z0-9]+-[a-z0-9]+-[a-z0-9]+$/);
    const branch = (await world.send('POST', `${SHOP}/branches`)).body.branch;
    expect(branch.id).toMatch(/^br-[a-z0-9]+-[a-z0-9]+-[a-z0-9]+$/);
  });

  it('a key id beyond 2^53 keeps its digits, and can be revoked', async () => {
    const world = worldWithKey('9007199254740993');
    expect((await world.send('GET', '/api_keys')).text).toContain('"id":9007199254740993');
    const revoked = await world.send('DELETE', '/api_keys/9007199254740993');
    expect(revoked.text).toContain('"id":9007199254740993');
    expect(world.plane.ledger().at(-1)?.id).toBe('9007199254740993');
  });
});

const NO_OPERATION = '00000000-0000-4000-8000-000000000000';
describe('refusals', () => {
  const bigName = (length: number): string => JSON.stringify({ key_name: 'x'.repeat(length) });
  it.each<[string, string, string, SendOptions['text'], number]>([
    ['bytes that are no text', 'POST', '/api_keys', Buffer.from('{"key_name":"\xff"}', 'latin1'), 400],
    ['half a character', 'POST', '/api_keys', '{"key_name":"x\\ud83d"}', 400],
    ['the other half, in a name', 'POST', `${SHOP}/branches`, '{"annotation_value":{"\\\\\\uDE00":""}}', 400],
    ['a prototype key', 'POST', '/api_keys', '{"key_name":"x","__proto__":{"a":1}}', 400],
    ['a name too long', 'POST', '/api_keys', bigName(65), 400],
    ['a key id that is no number', 'DELETE', '/api_keys/abc', undefined, 400],
    ['an operation id that is no UUID', 'GET', `${SHOP}/operations/1`, undefined, 400],
    ['an operation that is not there', 'GET', `${SHOP}/operations/${NO_OPERATION}`, undefined, 404],
    ['a limit of 0', 'GET', `${SHOP}/operations?limit=0`, undefined, 400],
    ['a limit of 1001', 'GET', `${SHOP}/operations?limit=1001`, undefined, 400],
    ['a cursor of nonsense', 'GET', `${SHOP}/operations?cursor=nonsense`, undefined, 400],
    ['an unknown project', 'GET', '/projects/none/endpoints', undefined, 404],
    ['a compute of another project', 'GET', `/projects/autumn-lab-418822/endpoints/${PRIMARY}`, undefined, 404],
    ['a wrong method', 'DELETE', '/projects', undefined, 404],
    ['a pooler mode', 'PATCH', ONE, '{"endpoint":{"pooler_mode":"session"}}', 400],
    ['a minimum over the maximum', 'PATCH', ONE, '{"endpoint":{"autoscaling_limit_min_cu":4}}', 400],
    ['another region', 'POST', ENDPOINTS, `{"endpoint":{"branch_id":"${STAGING}","region_id":"aws-eu-1"}}`, 400],
    ['a body too large', 'POST', '/api_keys', bigName(1_100_000), 413],
  ])('%s', async (_name, method, path, text, status) => {
    const world = makeWorld();
    const sent = text === undefined ? {} : { text, headers: { 'Content-Type': 'application/json' } };
    const answer = await world.send(method, path, undefined, sent);
    expect(answer.status).toBe(status);
    expect(answer.body.message.length).toBeGreaterThan(0);
    expect(world.plane.ledger()).toHaveLength(1);
  });

  it('both halves of a character are one, and a backslash is no escape', async () => {
    const text = String.raw`{"key_name":"\ud83d\ude00\\ud83d"}`;
    const headers = { 'Content-Type': 'application/json' };
    expect((await makeWorld().send('POST', '/api_keys', undefined, { text, headers })).body.name).toBe('😀\\ud83d');
  });

  it('a body that is not JSON by its content type gets 415', async () => {
    const headers = { 'Content-Type': 'text/plain' };
    const answer = await makeWorld().send('POST', '/api_keys', undefined, { text: '{"key_name":"x"}', headers });
    expect(answer.status).toBe(415);
  });

  it('the request id is echoed when it is harmless, and made anew when not', async () => {
    const world = makeWorld();
    const ask = async (id: string): Promise<unknown> =>
      (await world.send('GET', '/no', undefined, { headers: { 'X-Request-ID': id } })).body['request_id'];
    expect(await ask('abc-123')).toBe('abc-123');
    expect(await ask('<script>')).toMatch(/^[0-9a-f-]{36}$/);
  });
});
