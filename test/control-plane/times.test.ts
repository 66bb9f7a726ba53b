// A time that no calendar, clock or zone has is refused wherever the server reads one; it is never taken for another time.
import { describe, expect, it } from 'vitest';
import { WorldError } from '../../src/control-plane/index.ts';
import { worldFromYaml } from '../../src/control-plane/world/world-file.ts';
import { served } from '../support/served.ts';
import { MAIN, SHOP, makeWorld } from './world.ts';

const NO_DAY = ['11-31T00:00:00Z', '02-30T00:00:00Z', '13-01T00:00:00Z', '00-01T00:00:00Z'];
const NO_CLOCK = ['10-10T24:00:00Z', '10-10T10:60:00Z', '10-10T10:10:60Z'];
const NO_ZONE = ['10-10T10:10:10+99:99', '10-10T10:10:10-00:60', '10-10T10:10:10'];
const NO_FORM = ['10-10t10:10:10Z', '10-10T10:10:10z', '10-10 10:10:10Z', '10-10T10:10Z', '10-10'];
/** Near enough to now to be allowed, were it not for the form. */
const unrealOf = (year: number): readonly string[] => [
  ...[...NO_DAY, ...NO_CLOCK, ...NO_ZONE, ...NO_FORM].map((text) => `${year}-${text}`),
  '',
];

const UNREAL = unrealOf(2026);

describe('a time that does not exist', () => {
  const branches = `${SHOP}/branches`;
  it.each([
    ['POST', branches, (at: string) => ({ branch: { expires_at: at } })],
    ['POST', branches, (at: string) => ({ branch: { parent_timestamp: at } })],
    ['POST', branches, (at: string) => ({ branch: { parent_timestamp: at, init_source: 'schema-only' } })],
    ['PATCH', `${branches}/${MAIN}`, (at: string) => ({ branch: { expires_at: at } })],
    ['POST', `${branches}/${MAIN}/restore`, (at: string) => ({ source_branch_id: MAIN, source_timestamp: at })],
  ])('is 400 in the body of %s %s, case %#', async (method, path, bodyOf) => {
    const world = makeWorld();
    for (const at of UNREAL) {
      const answer = await world.send(method, path, bodyOf(at));
      expect([at, answer.status]).toEqual([at, 400]);
    }
    expect(world.plane.ledger().filter(({ kind }) => kind === 'branch')).toEqual([]);
  });

  it('is 400 as a cursor, and as the body of the clock', async () => {
    const world = makeWorld();
    for (const at of UNREAL.filter((text) => text !== '')) {
      const path = `${SHOP}/operations?cursor=${encodeURIComponent(at)}`;
      expect([at, (await world.send('GET', path)).status]).toEqual([at, 400]);
    }
    const { url, adminToken } = await served({ admin: {} });
    for (const now of unrealOf(2999)) {
      const headers = { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' };
      const request = { method: 'PATCH', headers, body: JSON.stringify({ now }) };
      expect([now, (await fetch(`${url}/admin/clock`, request)).status]).toEqual([now, 400]);
    }
  });

  it.each([
    ['api_keys', (at: string) => `api_keys: [{ name: ci, created_at: '${at}' }]`],
    ['projects', (at: string) => `projects: [{ name: a, created_at: '${at}' }]`],
    ['branches', (at: string) => `projects: [{ name: a, branches: [{ name: main, expires_at: '${at}' }] }]`],
    ['permissions', (at: string) => `projects: [{ name: a, permissions: [{ email: e@e, granted_at: '${at}' }] }]`],
    ['computes', (at: string) => `projects: [{ name: a, computes: [{ branch: main, created_at: '${at}' }] }]`],
    ['operations', (at: string) => `projects: [{ name: a, operations: [{ action: x, created_at: '${at}' }] }]`],
  ])('is refused in the %s of a world file', (_list, fileOf) => {
    for (const at of unrealOf(2026).filter((text) => !text.endsWith('T10:10Z')))
      expect(() => makeWorld({ seed: worldFromYaml(fileOf(at)) }), at).toThrow(WorldError);
  });
});
