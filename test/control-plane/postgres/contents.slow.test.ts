// Roles and databases that are real: created, renamed, owned, dropped and given new passwords in SQL, with the operations that say so.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAIN, PRIMARY, SHOP, STAGING } from '../world.ts';
import { GONE, inDatabase, missingPostgres, openDesk, signedIn, type Desk } from './served.ts';

const ROLES = `${SHOP}/branches/${MAIN}/roles`;
const DATABASES = `${SHOP}/branches/${MAIN}/databases`;

describe.skipIf(missingPostgres !== undefined)('roles and databases', { timeout: 60_000 }, () => {
  let desk: Desk;
  let owner: string;
  beforeAll(async () => {
    desk = await openDesk();
    owner = await desk.uri();
  });
  afterAll(() => desk.close());

  const as = (name: string, password: string, database = 'shopdb'): string =>
    inDatabase(signedIn(owner, name, password), database);

  it('a role is there when its operations have ended; connections were dropped for it', async () => {
    const held = await desk.connect(owner);
    const { role } = await desk.done('POST', ROLES, { role: { name: 'app "x" ü' } });
    await expect(held.query('SELECT 1')).rejects.toThrow(GONE);
    expect(await desk.rows(as(role.name, role.password), 'SELECT current_user')).toEqual([role.name]);
    await desk.rows(as(role.name, role.password), 'CREATE SCHEMA mine CREATE TABLE t ()');
    await desk.done('DELETE', `${ROLES}/${encodeURIComponent(role.name)}`);
    expect(await desk.refusal(as(role.name, role.password))).toBe('28P01');
    // What it had made is the owner's now.
    const theirs = "SELECT tableowner FROM pg_tables WHERE schemaname = 'mine'";
    expect(await desk.rows(owner, theirs)).toEqual(['shop_owner']);
  });

  it('a role without login has none', async () => {
    const { role } = await desk.done('POST', ROLES, { role: { name: 'readers', no_login: true } });
    expect(role.password).toBeUndefined();
    expect(await desk.rows(owner, "SELECT rolcanlogin FROM pg_roles WHERE rolname = 'readers'")).toEqual([false]);
  });

  it('an old password holds until the last operation has ended, and not after', async () => {
    const { role } = await desk.done('POST', ROLES, { role: { name: 'reset' } });
    const reply = await desk.request('POST', `${ROLES}/reset/reset_password`);
    expect(reply.operations.map(({ action }) => action)).toEqual(['apply_config']);
    expect(await desk.ended(reply)).toEqual(['apply_config: finished']);
    expect(await desk.refusal(as('reset', role.password))).toBe('28P01');
    expect(await desk.rows(as('reset', reply.role.password), 'SELECT 1')).toEqual([1]);
  });

  it('a database is renamed under load, keeps its rows, and goes to another owner with everybody connected', async () => {
    await desk.done('POST', ROLES, { role: { name: 'second' } });
    await desk.done('POST', DATABASES, { database: { name: 'old "name"', owner_name: 'shop_owner' } });
    const old = inDatabase(owner, 'old "name"');
    await desk.rows(old, 'CREATE TABLE kept AS SELECT 7 AS x');
    const over = new AbortController();
    const load = Promise.all(
      Array.from({ length: 5 }, async () => {
        while (!over.signal.aborted) await desk.rows(old, 'SELECT pg_sleep(0.01)').catch(() => undefined);
      }),
    );
    await desk.done('PATCH', `${DATABASES}/${encodeURIComponent('old "name"')}`, { database: { name: 'new_name' } });
    over.abort();
    await load;
    const renamed = inDatabase(owner, 'new_name');
    expect(await desk.rows(renamed, 'SELECT x FROM kept')).toEqual([7]);
    expect(await desk.refusal(old)).toBe('3D000');
    const held = await desk.connect(renamed);
    await desk.done('PATCH', `${DATABASES}/new_name`, { database: { owner_name: 'second' } });
    const query = "SELECT pg_get_userbyid(datdba) AS owner FROM pg_database WHERE datname = 'new_name'";
    expect((await held.query(query)).rows).toEqual([{ owner: 'second' }]);
    await desk.done('DELETE', `${DATABASES}/new_name`);
    expect(await desk.refusal(renamed)).toBe('3D000');
  });

  it('what users made themselves in SQL stays', async () => {
    await desk.rows(owner, 'CREATE ROLE by_hand');
    await desk.rows(owner, 'CREATE DATABASE by_hand');
    await desk.done('POST', ROLES, { role: { name: 'another' } });
    await desk.done('POST', `${SHOP}/endpoints/${PRIMARY}/restart`);
    expect(await desk.rows(owner, "SELECT count(*)::int FROM pg_roles WHERE rolname = 'by_hand'")).toEqual([1]);
    expect(await desk.refusal(inDatabase(owner, 'by_hand'))).toBeUndefined();
  });

  it('a change on an idle branch is applied, and leaves it idle', async () => {
    await desk.done('POST', `${SHOP}/endpoints/${PRIMARY}/suspend`);
    const { role } = await desk.done('POST', ROLES, { role: { name: 'at_night' } });
    expect((await desk.request('GET', `${SHOP}/endpoints/${PRIMARY}`)).endpoint.current_state).toBe('idle');
    expect(await desk.rows(as('at_night', role.password), 'SELECT current_user')).toEqual(['at_night']);
  });

  it('a clone has the roles with their passwords, and goes its own way from there', async () => {
    const { role } = await desk.done('POST', ROLES, { role: { name: 'inherited' } });
    const { id, compute } = await desk.branchFrom(MAIN, 'clone');
    const there = as('inherited', role.password).replace(PRIMARY, compute);
    expect(await desk.refusal(there)).toBeUndefined();
    await desk.done('POST', `${SHOP}/branches/${id}/roles/inherited/reset_password`);
    expect(await desk.refusal(there)).toBe('28P01');
    expect(await desk.refusal(as('inherited', role.password))).toBeUndefined();
  });

  it('a protected parent hands down roles with other passwords', async () => {
    await desk.done('PATCH', `${SHOP}/branches/${STAGING}`, { branch: { protected: true } });
    const { compute } = await desk.branchFrom(STAGING, 'below-protected');
    const there = await desk.uri({ endpoint_id: compute });
    expect(await desk.refusal(there)).toBeUndefined();
    expect(await desk.refusal(owner.replace(PRIMARY, compute))).toBe('28P01');
  });

  it('a project that keeps no passwords has roles that come in with theirs', async () => {
    const made = await desk.done('POST', '/projects', { project: { name: 'forgetful', store_passwords: false } });
    const given = made.connection_uris?.[0]?.connection_uri ?? '';
    expect(await desk.rows(given, 'SELECT current_user')).toEqual(['neondb_owner']);
    const path = `/projects/${made.project.id}/branches/${made.branch.id}/roles/neondb_owner/reset_password`;
    const { role } = await desk.done('POST', path);
    expect(await desk.refusal(given)).toBe('28P01');
    expect(await desk.refusal(given.replace(/npg_\w+/, role.password))).toBeUndefined();
  });
});
