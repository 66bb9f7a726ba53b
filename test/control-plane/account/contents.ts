// Sections 3 and 4 of the account reference: roles and databases.
import { expect } from 'vitest';
import type { ControlPlane } from '../../../src/control-plane/index.ts';
import { MAIN, SHOP, STAGING, actionsOf, createActive, type Answer, type TestWorld } from '../world.ts';
import { BRANCHES, DATABASES, ROLES, asked, refused, matching, type Asking, type Rows } from './row.ts';

type StoredBranch = ReturnType<ControlPlane['truth']['branches']>[number];
const STAGE = `${BRANCHES}/${STAGING}`;
const newRole = (name: string, more: object = {}): Asking => ['POST', ROLES, { role: { name, ...more } }];
const newDatabase = (name: string, owner = 'shop_owner'): Asking => [
  'POST',
  DATABASES,
  { database: { name, owner_name: owner } },
];
const made = async (world: TestWorld, asking: Asking): Promise<Answer['body']> => {
  const body = await asked(world, asking, 201);
  await world.pass(3000);
  return body;
};
const passwordOf = async (world: TestWorld, branchId: string): Promise<unknown> =>
  (await asked(world, ['GET', `${BRANCHES}/${branchId}/roles/shop_owner/reveal_password`]))['password'];
/** Changes the record of the default branch. */
const alter = (world: TestWorld, change: (branch: StoredBranch) => object): Promise<void> => {
  const { engine, truth } = world.plane;
  const branch = truth.branches('spring-example-302709').find(({ id }) => id === MAIN);
  if (branch !== undefined) engine.transact(() => engine.put('branches', { ...branch, ...change(branch) }));
  return Promise.resolve();
};
/** A branch with as many roles or databases as it can have. */
const full =
  (what: 'roles' | 'databases') =>
  (world: TestWorld): Promise<unknown> => {
    const names = ['shop_owner', ...Array.from({ length: 499 }, (_, count) => `n${count}`)];
    return alter(world, (branch) => ({ [what]: names.map((name) => ({ ...branch[what][0], name })) }));
  };
const protect = (world: TestWorld): Promise<unknown> =>
  alter(world, (branch) => ({ roles: branch.roles.map((item) => ({ ...item, isProtected: true })) }));

const roles: Rows = {
  '3 the list has no page and no password, one role neither': async (world) => {
    const { roles: listed } = await asked(world, ['GET', ROLES]);
    expect(listed).toMatchObject([{ name: 'shop_owner', branch_id: MAIN, authentication_method: 'password' }]);
    const text = JSON.stringify([listed, await asked(world, ['GET', `${ROLES}/shop_owner`])]);
    expect(text).not.toContain('"password":');
  },
  '3 a create tells the password once; an idle compute is configured and suspended again': async (world) => {
    const answer = await world.send(...newRole('app'));
    expect(answer.body['role']).toMatchObject({ name: 'app', password: matching(/^npg_/) });
    expect([answer.status, actionsOf(answer)]).toEqual([201, ['apply_config running', 'suspend_compute scheduling']]);
  },
  '3 on an active compute it is configured alone, and its connections end': async (world) => {
    const connection = world.plane.truth.connect('ep-cool-darkness-123456');
    await world.pass(3000);
    const answer = await world.send(...newRole('app'));
    expect(actionsOf(answer)).toEqual(['apply_config running']);
    await world.pass(2000);
    expect(connection.isOpen()).toBe(false);
  },
  '3 a role without login has no password to tell, reveal or reset': async (world) => {
    const { role } = await made(world, newRole('group', { no_login: true }));
    expect(role).toMatchObject({ authentication_method: 'no_login' });
    expect(role).not.toHaveProperty('password');
    await asked(world, ['GET', `${ROLES}/group/reveal_password`], 404);
    await asked(world, ['POST', `${ROLES}/group/reset_password`], 422);
  },
  '3 a missing role is 404 in words that name it, its delete 204': async (world) => {
    const { message } = await asked(world, ['GET', `${ROLES}/nobody/reveal_password`], 404);
    expect(message).toBe(`role not found for branch; role_name:"nobody", branch_id:"${MAIN}"`);
    await asked(world, ['GET', `${ROLES}/nobody`], 404);
    expect(await asked(world, ['DELETE', `${ROLES}/nobody`], 204)).toEqual({});
  },
  '3 a delete is answered with the role and its operations': async (world) => {
    await made(world, newRole('app'));
    const answer = await world.send('DELETE', `${ROLES}/app`);
    expect(answer.body['role']).toMatchObject({ name: 'app' });
    expect(actionsOf(answer)).toEqual(['apply_config running', 'suspend_compute scheduling']);
  },
  '3 a reset changes the password of this branch alone, and updated_at tells of it': async (world) => {
    const before = await passwordOf(world, STAGING);
    await world.pass(1000);
    const { role: after } = await asked(world, ['POST', `${STAGE}/roles/shop_owner/reset_password`]);
    expect(await passwordOf(world, STAGING)).toBe((after as { password: string }).password);
    expect(await passwordOf(world, STAGING)).not.toBe(before);
    const { role: shown } = await asked(world, ['GET', `${STAGE}/roles/shop_owner`]);
    expect((shown as { updated_at: string }).updated_at).toBe(new Date(world.clock.nowMs()).toISOString());
  },
  '3 a branch without a compute takes roles and databases, and starts nothing': async (world) => {
    expect((await asked(world, ['POST', `${STAGE}/roles`, { role: { name: 'app' } }], 201)).operations).toEqual([]);
    const wish = { database: { name: 'appdb', owner_name: 'app' } };
    expect((await asked(world, ['POST', `${STAGE}/databases`, wish], 201)).operations).toEqual([]);
    await createActive(world, STAGING);
    const { databases } = await asked(world, ['GET', `${STAGE}/databases`]);
    expect((databases as readonly { name: string }[]).map(({ name }) => name)).toContain('appdb');
  },
  '3 reserved names': async (world) => {
    for (const name of ['pg_any', 'pgother', 'neon_superuser', 'cloud_admin', 'zenith_admin', 'public', 'none'])
      await refused(newRole(name), 400, /reserved/)(world);
  },

  '3 a name that no path can hold': refused(newRole('..'), 400, /path of dots/),
  '3 a name of more than 63 bytes': refused(newRole('é'.repeat(32)), 400, /63 bytes/),
  '3 a duplicate': refused(newRole('shop_owner'), 409, /ROLE_ALREADY_EXISTS/),
  '3 one role too many': refused(newRole('x'), 422, /ROLES_LIMIT_EXCEEDED/, full('roles')),
  '3 the delete of an owner': refused(['DELETE', `${ROLES}/shop_owner`], 422, /owns databases/),
  '3 the delete of a protected role': refused(['DELETE', `${ROLES}/shop_owner`], 422, /ROLE_PROTECTED/, protect),
  '3 the reset of a protected role': refused(
    ['POST', `${ROLES}/shop_owner/reset_password`],
    422,
    /ROLE_PROTECTED/,
    protect,
  ),
};

const databases: Rows = {
  '4 a create is applied; the list and one database show it with an id of its own': async (world) => {
    const answer = await world.send(...newDatabase('two words'));
    expect([answer.status, actionsOf(answer)]).toEqual([201, ['apply_config running', 'suspend_compute scheduling']]);
    const { databases: listed } = await asked(world, ['GET', DATABASES]);
    expect(listed).toHaveLength(2);
    const { database: shown } = await asked(world, ['GET', `${DATABASES}/two%20words`]);
    expect(shown).toMatchObject({ id: 2, name: 'two words', owner_name: 'shop_owner', branch_id: MAIN });
  },
  '4 rename and owner change in place: the id stays, the old name is gone': async (world) => {
    await made(world, newRole('app'));
    const change = { database: { name: 'renamed', owner_name: 'app' } };
    const { database: changed } = await asked(world, ['PATCH', `${DATABASES}/shopdb`, change]);
    expect(changed).toMatchObject({ id: 1, ...change.database });
    await asked(world, ['GET', `${DATABASES}/shopdb`], 404);
  },
  '4 the last database may be deleted: its data is lost, and a missing one is 204': async (world) => {
    await asked(world, ['DELETE', `${DATABASES}/shopdb`]);
    expect(world.plane.ledger().at(-1)?.lost).toEqual([{ kind: 'database', id: `${MAIN}/shopdb` }]);
    expect(await asked(world, ['DELETE', `${DATABASES}/shopdb`], 204)).toEqual({});
    expect((await asked(world, ['GET', DATABASES]))['databases']).toEqual([]);
  },
  '4 a duplicate': refused(newDatabase('shopdb'), 409, /DATABASE_ALREADY_EXISTS/),
  '4 a rename to a name in use': refused(
    ['PATCH', `${DATABASES}/shopdb`, { database: { name: 'other' } }],
    409,
    /DATABASE_ALREADY_EXISTS/,
    (world) => made(world, newDatabase('other')),
  ),
  '4 an owner that there is not': refused(newDatabase('x', 'nobody'), 404, /owner_name/),
  '4 one database too many': refused(newDatabase('x'), 422, /DATABASES_LIMIT_EXCEEDED/, full('databases')),
};

export const contentsRows: Rows = {
  ...roles,
  ...databases,
  "0 a new branch has all roles and databases; its passwords are the parent's, or new ones below a protected parent":
    async (world) => {
      const child = (await asked(world, ['POST', BRANCHES, {}], 201)).branch.id;
      expect(await passwordOf(world, child)).toBe(await passwordOf(world, MAIN));
      await asked(world, ['PATCH', `${BRANCHES}/${MAIN}`, { branch: { protected: true } }]);
      const guarded = (await asked(world, ['POST', BRANCHES, {}], 201)).branch.id;
      expect(await passwordOf(world, guarded)).not.toBe(await passwordOf(world, MAIN));
    },
  '7 two databases at once in one project: the second is 423, in the words that clients look for': async (world) => {
    await asked(world, newDatabase('a'), 201);
    const { message } = await asked(world, newDatabase('b'), 423);
    expect(message).toMatch(/running conflicting operations, scheduling of new ones is prohibited/);
    await world.pass(3000);
    await asked(world, newDatabase('b'), 201);
    expect((await asked(world, ['GET', SHOP])).project.locked).toBe(true);
  },
  '8.8 no password is in a list or the ledger': async (world) => {
    const { roles: first } = await asked(world, ['POST', '/projects', { project: {} }], 201);
    const { role: reset } = await asked(world, ['POST', `${ROLES}/shop_owner/reset_password`]);
    const told = [...(first as readonly { password: string }[]), reset as { password: string }];
    await world.pass(3000);
    const lists = [ROLES, DATABASES, BRANCHES, '/projects', SHOP].map(async (path) => asked(world, ['GET', path]));
    const texts = JSON.stringify([await Promise.all(lists), world.plane.ledger()]);
    for (const { password } of told) {
      expect(password).toMatch(/^npg_\w{16}$/);
      expect(texts).not.toContain(password);
    }
  },
};
