// Sections 5 and 6 of the account reference: permissions, keys, the organization; and what is there beside them.
import { expect } from 'vitest';
import { SHOP, organizationOf, type Answer, type TestWorld } from '../world.ts';
import { asked, refused, matching, text, type Asking, type Rows } from './row.ts';

const PERMISSIONS = `${SHOP}/permissions`;
const grant = (email: string): Asking => ['POST', PERMISSIONS, { email }];
const LAB = '/projects/autumn-lab-418822';
const organization = async (world: TestWorld): Promise<string> => `/organizations/${await organizationOf(world)}`;
const organizationKey = async (world: TestWorld, more: object = {}): Promise<Answer['body']> =>
  asked(world, ['POST', `${await organization(world)}/api_keys`, { key_name: 'ci', ...more }]);
const statusWith = async (world: TestWorld, key: string, ...asked: Asking): Promise<number> => {
  const [method, path, body] = asked;
  return (await world.send(method, path, body, { key })).status;
};

const permissions: Rows = {
  '5.1 a grant is 200, listed until it is revoked, and the same when it is made again': async (world) => {
    const granted = await asked(world, grant('a@example.com'));
    expect(granted).toMatchObject({ granted_to_email: 'a@example.com', granted_at: text });
    expect((await asked(world, grant('a@example.com'))).id).toBe(granted.id);
    const gone = await asked(world, ['DELETE', `${PERMISSIONS}/${granted.id}`]);
    expect(gone).toMatchObject({ id: granted.id, revoked_at: text });
    expect((await asked(world, ['GET', PERMISSIONS]))['project_permissions']).toEqual([]);
  },
  '5.1 an address of 257 characters': refused(grant(`${'a'.repeat(250)}@b.example`), 400, /email/),
  '5.1 a grant that there is not': refused(['DELETE', `${PERMISSIONS}/none`], 404, /permission/),
};

const keys: Rows = {
  '5.3 account keys have a name of 64 characters, a creator, and need not be unique': async (world) => {
    const made = await asked(world, ['POST', '/api_keys', { key_name: 'x'.repeat(64) }]);
    expect(made).toMatchObject({ key: matching(/^napi_/), created_by: text });
    await asked(world, ['POST', '/api_keys', { key_name: 'x'.repeat(64) }]);
    await asked(world, ['POST', '/api_keys', { key_name: 'x'.repeat(65) }], 400);
    const { list } = await world.send('GET', '/api_keys');
    expect(list.find(({ id }) => id === made.id)).toMatchObject({ created_by: { name: 'local' } });
  },
  '5.3 keys of the organization are a list of their own, and no key to the routes of the user': async (world) => {
    const { key, id } = await organizationKey(world);
    const { list } = await world.send('GET', `${await organization(world)}/api_keys`);
    expect(list.map((item) => item.id)).toEqual([id]);
    expect((await world.send('GET', '/api_keys')).list.map((item) => item.id)).not.toContain(id);
    const personal = await world.send('GET', '/api_keys', undefined, { key });
    expect([personal.status, personal.body.message]).toEqual([404, 'not allowed for organization API keys']);
    expect((await world.send('GET', '/auth', undefined, { key })).body['auth_method']).toBe('api_key_org');
    const made = await world.send('POST', '/projects', { project: {} }, { key });
    expect(`/organizations/${String(made.body.project['org_id'])}`).toBe(await organization(world));
    const owners = (await world.send('GET', '/users/me/organizations', undefined, { key })).body['organizations'];
    expect(owners).toHaveLength(1);
  },
  '5.3 a key of one project opens that one alone, and makes neither projects nor keys': async (world) => {
    const { key, ...made } = await organizationKey(world, { project_id: 'spring-example-302709' });
    expect(made['project_id']).toBe('spring-example-302709');
    const [item] = (await world.send('GET', `${await organization(world)}/api_keys`)).list;
    expect(item?.['project_id']).toBe('spring-example-302709');
    expect(await statusWith(world, key, 'GET', SHOP)).toBe(200);
    expect(await statusWith(world, key, 'GET', LAB)).toBe(404);
    expect(await statusWith(world, key, 'PATCH', LAB, { project: { name: 'x' } })).toBe(404);
    expect((await world.send('GET', '/projects', undefined, { key })).body.projects).toHaveLength(1);
    for (const request of ['POST /projects', `DELETE ${SHOP}`, `POST ${await organization(world)}/api_keys`]) {
      const [method = '', path = ''] = request.split(' ');
      expect(await statusWith(world, key, method, path, { project: {}, key_name: 'x' })).toBe(403);
    }
  },
  '5.3 ten keys of an organization are made in a second, where limits are on': async (world) => {
    const path = `${await organization(world)}/api_keys`;
    world.plane.setSwitches({ rateLimit: 'published' });
    for (let count = 0; count < 10; count++) await asked(world, ['POST', path, { key_name: 'ci' }]);
    await asked(world, ['POST', path, { key_name: 'ci' }], 429);
    await world.pass(200);
    await asked(world, ['POST', path, { key_name: 'ci' }]);
  },
  '5.3 who asks is told': async (world) => {
    expect(await asked(world, ['GET', '/auth'])).toMatchObject({ auth_method: 'api_key_user' });
    expect(await asked(world, ['GET', '/users/me'])).toMatchObject({ email: 'local@db.localhost', plan: 'scale' });
  },
  '5.3 a project that there is not': refused(
    ['POST', '/organizations/ORG/api_keys', { key_name: 'x' }],
    404,
    /organization/,
  ),
  '5.4 the members of an organization are not modelled': refused(
    ['GET', '/organizations/org-any/members'],
    501,
    /members is not modelled/,
  ),
};

export const accessRows: Rows = {
  ...permissions,
  ...keys,
  '1.2 the regions are listed with the default one': async (world) => {
    const { regions } = await asked(world, ['GET', '/regions']);
    expect(regions).toContainEqual(expect.objectContaining({ region_id: 'aws-us-east-2', default: true }));
    expect(regions).toContainEqual(expect.objectContaining({ region_id: 'aws-eu-central-1', default: false }));
  },
};
