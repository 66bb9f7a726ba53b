// What is read anew for the places of a connection: whatever the service tells, a run goes on, and no part of it is told further.
import { expect, it } from 'vitest';
import { contentsOf } from '../../../../src/kinds/connection/record.ts';
import { json, NEVER, worldOf } from '../../client/world.ts';

const WHAT = { role: 'app', database: 'orders', pooled: false, host: 'ep-a.example.com', compute: 'ep-a' };

/** The contents where the service tells this connection string. */
async function told(uri: string): Promise<Awaited<ReturnType<typeof contentsOf>>> {
  const { clock, client } = worldOf((request) =>
    request.url.includes('connection_uri')
      ? json({ uri })
      : json({ role: { branch_id: 'br-a', name: 'app', protected: false }, operations: [] }),
  );
  return clock.run(contentsOf(client, { projectId: 'proj-a', parentId: 'br-a' }, WHAT, NEVER));
}

it.each([
  ['what is no URL', 'ep-a.example.com/orders', 'the reply has no connection string'],
  [
    'a password that nothing decodes',
    'postgresql://app:a%zzb@ep-a.example.com/orders',
    'the reply has no connection string',
  ],
  ['no password', 'postgresql://app@ep-a.example.com/orders', 'stores no passwords'],
])('of %s nothing is stored, and that is said', async (_what, uri, words) => {
  const contents = await told(uri);
  expect(contents).toEqual({ problem: expect.stringContaining(words) as string });
  expect(JSON.stringify(contents)).not.toContain('a%zzb');
});

it('the password is as it is given to Postgres', async () => {
  const contents = await told('postgresql://app:p%40ss%2Fw@ep-a.example.com/orders');
  expect('secrets' in contents && contents.secrets['password']?.reveal()).toBe('p@ss/w');
});
