// Clients of a database that is changed: who is dropped, and who can come back under which name.
import { expect, it } from 'vitest';
import { DatabaseError } from '../../src/control-plane/index.ts';
import { MAIN, PRIMARY, SHOP, makeWorld, type TestWorld } from './world.ts';

const DATABASES = `${SHOP}/branches/${MAIN}/databases`;

async function begin(): Promise<TestWorld> {
  const world = makeWorld();
  for (const name of ['one', 'other']) {
    await world.send('POST', `${SHOP}/branches/${MAIN}/roles`, { role: { name } });
    await world.pass(10_000);
  }
  expect((await world.send('POST', DATABASES, { database: { name: 'shop', owner_name: 'one' } })).status).toBe(201);
  await world.pass(10_000);
  return world;
}

it.each([
  ['another owner', 'PATCH', '/shop', { owner_name: 'other' }, true],
  ['a new database', 'POST', '', { name: 'more', owner_name: 'one' }, true],
  ['another name', 'PATCH', '/shop', { name: 'store' }, false],
  ['a removal', 'DELETE', '/shop', undefined, false],
] as const)(
  '%s: the open connection stays or is dropped, and the ledger says so',
  async (_name, method, below, sent, stays) => {
    const world = await begin();
    const connection = world.plane.truth.connect(PRIMARY, { database: 'shop' });
    await world.pass(10_000);
    const body = sent === undefined ? undefined : { database: sent };
    expect((await world.send(method, DATABASES + below, body)).status).toBeLessThan(300);
    await world.pass(10_000);
    const last = world.plane.ledger().findLast(({ kind }) => kind === 'database');
    expect([connection.isOpen(), last?.droppedConnections]).toEqual([stays, !stays]);
  },
);

it('clients of a renamed database come back under the new name alone', async () => {
  const world = await begin();
  await world.send('PATCH', `${DATABASES}/shop`, { database: { name: 'store' } });
  await world.pass(10_000);
  const under = (database: string) => () => world.plane.truth.connect(PRIMARY, { database });
  expect(under('store')).not.toThrow();
  expect(under('shop')).toThrow(DatabaseError);
  expect(under('shop')).toThrow('database "shop" does not exist');
});
