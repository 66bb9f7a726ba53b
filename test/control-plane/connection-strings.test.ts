// How to connect: the strings that replies and the API give, and the roles and databases that they are made of.
import { describe, expect, it } from 'vitest';
import { MAIN, PRIMARY, SHOP, STAGING, makeWorld, type TestWorld } from './world.ts';

const BRANCH = `${SHOP}/branches/${MAIN}`;
const HOST = `${PRIMARY}.us-east-2.aws.db.localhost`;

interface Details {
  readonly connection_uri: string;
  readonly connection_parameters: Readonly<Record<'database' | 'password' | 'role' | 'host' | 'pooler_host', string>>;
}

const uriOf = async (world: TestWorld, query: string): Promise<URL> => {
  const names = new URLSearchParams({ role_name: 'shop_owner', database_name: 'shopdb' });
  for (const [name, value] of new URLSearchParams(query)) names.set(name, value);
  const answer = await world.send('GET', `${SHOP}/connection_uri?${names.toString()}`);
  expect(answer.status).toBe(200);
  return new URL(String(answer.body['uri']));
};

it.each([
  ['a new branch with a compute', `${SHOP}/branches`, { endpoints: [{ type: 'read_write' }] }],
  ['a new project', '/projects', { project: { name: 'fresh' } }],
])('connection_uris: %s tells how to connect to it, in one string and in its parts', async (_name, path, body) => {
  const made = await makeWorld().send('POST', path, body);
  const [details, ...others] = made.body['connection_uris'] as readonly Details[];
  expect(others).toEqual([]);
  const uri = new URL(details?.connection_uri ?? '');
  const parts = details?.connection_parameters;
  expect(parts?.host).toMatch(new RegExp(`^${made.body.endpoints[0]?.id}\\.`));
  expect(parts?.pooler_host).toBe(parts?.host.replace(/^([^.]+)/, '$1-pooler'));
  expect(uri).toMatchObject({ protocol: 'postgresql:', hostname: parts?.host, username: parts?.role });
  expect([uri.password, uri.pathname]).toEqual([parts?.password, `/${parts?.database}`]);
});

describe('connection_uri', () => {
  it('names the compute, the pooler, the role and the database that are asked for', async () => {
    const world = makeWorld();
    const { password } = (await world.send('GET', `${BRANCH}/roles/shop_owner/reveal_password`)).body;
    expect(await uriOf(world, '')).toMatchObject({ hostname: HOST, password });
    expect((await uriOf(world, 'pooled=true')).hostname).toBe(HOST.replace(PRIMARY, `${PRIMARY}-pooler`));
    expect((await uriOf(world, `branch_id=${MAIN}&endpoint_id=${PRIMARY}`)).hostname).toBe(HOST);
    await world.send('POST', `${BRANCH}/roles`, { role: { name: 'app user' } });
    await world.pass(4000);
    await world.send('POST', `${BRANCH}/databases`, { database: { name: 'a/b?c', owner_name: 'app user' } });
    const uri = await uriOf(world, 'role_name=app%20user&database_name=a%2Fb%3Fc');
    expect([uri.username, uri.pathname, uri.search]).toEqual(['app%20user', '/a%2Fb%3Fc', '?sslmode=require']);
  });

  it.each([
    [`branch_id=${STAGING}`, 404],
    ['endpoint_id=ep-none', 404],
    ['role_name=nobody', 404],
    ['database_name=nothing', 404],
    ['pooled=perhaps', 400],
    ['role_name=', 404],
  ])('is refused for what is not there: %s', async (query, status) => {
    const names = 'role_name=shop_owner&database_name=shopdb'.replace(query.replace(/=.*/, '='), 'unused=');
    expect((await makeWorld().send('GET', `${SHOP}/connection_uri?${query}&${names}`)).status).toBe(status);
  });

  it.each(['role_name=shop_owner', 'database_name=shopdb'])('is refused with %s alone', async (query) => {
    expect((await makeWorld().send('GET', `${SHOP}/connection_uri?${query}`)).status).toBe(400);
  });
});
