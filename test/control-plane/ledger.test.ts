// The ledger: every committed mutation, in order, with what it did; nothing that was refused.
import { describe, expect, it } from 'vitest';
import { ENDPOINTS, MAIN, ONE, PRIMARY, STAGING, makeWorld } from './world.ts';

describe('the ledger', () => {
  it('tells who did what to which resource, before and after', async () => {
    const world = makeWorld();
    const headers = { 'X-Request-ID': 'my-request-1' };
    await world.send('PATCH', ONE, { endpoint: { branch_id: STAGING } }, { headers });
    const entry = world.plane.ledger().at(-1);
    expect(entry).toMatchObject({
      seq: 2,
      at: '2026-01-01T00:00:00.000Z',
      actor: '165001',
      requestId: 'my-request-1',
      verb: 'PATCH',
      path: ONE,
      kind: 'compute',
      id: PRIMARY,
      projectId: 'spring-example-302709',
      before: { branch_id: MAIN },
      after: { branch_id: STAGING },
    });
    const open = world.plane.truth.operations({ open: true });
    expect(entry?.operations).toEqual(open.map(({ id }) => id).reverse());
  });

  it('has no entry for reads, refusals, and changes that change nothing', async () => {
    const world = makeWorld();
    await world.send('GET', ENDPOINTS);
    await world.send('POST', ENDPOINTS, { endpoint: { branch_id: MAIN, type: 'read_write' } });
    await world.send('PATCH', ONE, { endpoint: {} });
    await world.send('PATCH', ONE, { endpoint: { branch_id: MAIN, id: 'ignored' } });
    await world.send('DELETE', `${ENDPOINTS}/ep-not-there-000000`);
    expect(world.plane.ledger()).toHaveLength(1);
  });

  it('pages by sequence number', async () => {
    const world = makeWorld();
    for (let count = 0; count < 5; count++) await world.send('POST', '/api_keys', { key_name: `key-${count}` });
    expect(world.plane.ledger(2, 3).map((entry) => entry.seq)).toEqual([3, 4, 5]);
    expect(world.plane.ledger(6)).toEqual([]);
  });
});
