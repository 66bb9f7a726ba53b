// What somebody with a role's password tries: the pooler's console, names that lead a superuser astray, replication, and the control plane's own roles.
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAIN, PRIMARY, SHOP } from '../world.ts';
import { GONE, firstAnswer, greeting, hasPooler, inDatabase, missingPostgres, openDesk, signedIn } from './served.ts';

const ROLES = `${SHOP}/branches/${MAIN}/roles`;
const DATABASES = `${SHOP}/branches/${MAIN}/databases`;

type Desk = Awaited<ReturnType<typeof openDesk>>;

describe.skipIf(missingPostgres !== undefined)('somebody with the password of a role', { timeout: 60_000 }, () => {
  let desk: Desk;
  let uri: string;
  beforeAll(async () => {
    desk = await openDesk();
    uri = await desk.uri();
  });
  afterAll(() => desk.close());

  const one = async (query: string): Promise<unknown> => (await desk.rows(uri, query))[0];
  const script = async (...statements: readonly string[]): Promise<void> => {
    for (const statement of statements) await desk.rows(uri, statement);
  };

  const answerTo = (hello: Buffer, servername?: string): Promise<string> =>
    firstAnswer({ port: Number(new URL(uri).port) }, hello, servername);

  describe('is not let in', () => {
    const doors: readonly (readonly [name: string, parameters: Readonly<Record<string, string>>, answer: string])[] = [
      ['as the console of the pooler', { user: 'pgbouncer', database: 'pgbouncer' }, 'E 28P01'],
      ['as the console of the pooler, which its name alone means', { user: 'pgbouncer' }, 'E 28P01'],
      ['as the console of the pooler, with no database', { user: 'pgbouncer', database: '' }, 'E 28P01'],
      ['as the user of the console, elsewhere', { user: 'pgbouncer', database: 'shopdb' }, 'E 28P01'],
      ['to the console as a role', { user: 'shop_owner', database: 'pgbouncer' }, 'E 28000'],
      ['as the superuser', { user: 'cloud_admin', database: 'shopdb' }, 'E 28P01'],
      ['as the user of the pooler', { user: 'cloud_pooler', database: 'shopdb' }, 'E 28P01'],
      ['to the database of the control plane', { user: 'shop_owner', database: 'postgres' }, 'E 28000'],
      ['to the first template', { user: 'shop_owner', database: 'template0' }, 'E 28000'],
      ['to the second template', { user: 'shop_owner', database: 'template1' }, 'E 28000'],
      ['to replicate a template', { user: 'shop_owner', database: 'template1', replication: 'database' }, 'E 28000'],
    ];
    const ways = { 'by an option': PRIMARY, 'through the pooler': `${PRIMARY}-pooler` };
    it.each(doors.flatMap((door) => Object.entries(ways).map((way) => [...door, ...way] as const)))(
      '%s %j (%s) %s',
      async (_, parameters, answer, _way, endpoint) => {
        expect(await answerTo(greeting({ ...parameters, options: `endpoint=${endpoint}` }))).toBe(answer);
      },
    );

    it('by the host name of TLS', async () => {
      const host = (await desk.request('GET', `${SHOP}/endpoints/${PRIMARY}`)).endpoint.host;
      const hello = greeting({ user: 'pgbouncer' });
      for (const name of [host, host.replace(PRIMARY, `${PRIMARY}-pooler`)])
        expect(await answerTo(hello, name)).toBe('E 28P01');
    });

    it('by a name that is given twice, whichever counts', async () => {
      for (const users of ['user shop_owner user pgbouncer', 'user pgbouncer user shop_owner']) {
        const words = `options endpoint=${PRIMARY}-pooler ${users} database pgbouncer`.split(' ');
        const body = Buffer.from(`${words.join('\0')}\0\0`);
        const head = greeting({}).subarray(0, 8);
        head.writeUInt32BE(8 + body.length, 0);
        expect(await answerTo(Buffer.concat([head, body]))).toMatch(/^E 28/);
      }
    });

    it('to copy the whole data', async () => {
      const asked = { user: 'shop_owner', replication: 'true', options: `endpoint=${PRIMARY}` };
      expect(await answerTo(greeting(asked))).toBe('E 28000');
    });

    it('by the socket, where a function of the database could lead', async () => {
      const { password } = new URL(uri);
      const folder = dirname(desk.served.postgresOf?.folder ?? '');
      for (const database of ['postgres', 'template1']) {
        const loop = new Client({ host: join(folder, 'sockets'), port: 10, user: 'shop_owner', password, database });
        await expect(loop.connect()).rejects.toMatchObject({ code: '28000' });
      }
    });
  });

  describe('leads no superuser to an object of a role', () => {
    beforeAll(async () => {
      await script(
        'CREATE SCHEMA evil',
        'GRANT ALL ON SCHEMA evil TO PUBLIC',
        'CREATE TABLE evil.seen (who text, super text)',
        'GRANT ALL ON evil.seen TO PUBLIC',
        `CREATE FUNCTION evil.note() RETURNS boolean LANGUAGE plpgsql AS
          $$ BEGIN INSERT INTO evil.seen VALUES (current_user, current_setting('is_superuser')); RETURN true; END $$`,
        `CREATE VIEW evil.pg_authid AS SELECT rolname, 'x'::text AS rolpassword, true AS rolcanlogin FROM pg_catalog.pg_roles WHERE evil.note()`,
        `CREATE VIEW evil.pg_database AS SELECT *, evil.note() AS noted FROM pg_catalog.pg_database`,
        `CREATE FUNCTION evil.is_same(name, name) RETURNS boolean LANGUAGE sql AS 'SELECT evil.note()'`,
        'CREATE OPERATOR evil.= (LEFTARG = name, RIGHTARG = name, FUNCTION = evil.is_same)',
        `CREATE FUNCTION evil.trueup_role(name) RETURNS TABLE (a name, b text) LANGUAGE sql AS $$ SELECT $1, 'x'::text WHERE evil.note() $$`,
        'ALTER DATABASE shopdb SET search_path = evil, pg_catalog, public',
      );
    });
    afterAll(() => script('ALTER DATABASE shopdb RESET search_path'));

    it.skipIf(!hasPooler)('when the pooler looks a role up', async () => {
      const pooled = await desk.uri({ pooled: true });
      expect(await desk.refusal(pooled.replace(/npg_\w+/, 'npg_wrong'))).toBe('28P01');
      expect(await desk.rows(pooled, 'SELECT current_user')).toEqual(['shop_owner']);
      expect(await desk.rows(uri, 'SELECT who FROM evil.seen')).toEqual([]);
    });

    it('when roles and databases are made and dropped', async () => {
      await desk.done('POST', ROLES, { role: { name: 'passing' } });
      await desk.done('DELETE', `${ROLES}/passing`);
      expect(await desk.rows(uri, 'SELECT who FROM evil.seen')).toEqual([]);
    });

    it('by the function itself, which no role can change, shadow or call', async () => {
      for (const query of [
        "SELECT * FROM pg_catalog.trueup_role('shop_owner')",
        'DROP FUNCTION pg_catalog.trueup_role(name)',
        `CREATE OR REPLACE FUNCTION pg_catalog.trueup_role(name) RETURNS TABLE (rolname name, rolpassword text)
          LANGUAGE sql AS $$ SELECT $1, 'x'::text $$`,
        `CREATE FUNCTION pg_catalog.trueup_role(text) RETURNS TABLE (rolname name, rolpassword text)
          LANGUAGE sql AS $$ SELECT $1::name, 'x'::text $$`,
      ])
        expect(await desk.refusal(uri, query)).toBe('42501');
    });

    it.skipIf(!hasPooler)('in databases that a role made, from whatever template', async () => {
      await script('CREATE DATABASE by_hand TEMPLATE template0', 'CREATE DATABASE of_hand TEMPLATE by_hand');
      const pooled = await desk.uri({ pooled: true });
      for (const name of ['by_hand', 'of_hand'])
        expect(await desk.rows(inDatabase(pooled, name), 'SELECT 1')).toEqual([1]);
    });
  });

  it('leaves nothing to a superuser when the role is dropped, and no session', async () => {
    const { role } = await desk.done('POST', ROLES, { role: { name: 'leaver' } });
    const own = signedIn(uri, 'leaver', role.password);
    const session = await desk.connect(own);
    const body = "RETURNS text LANGUAGE sql SECURITY DEFINER AS 'SELECT current_user::text'";
    await session.query(`CREATE SCHEMA of_leaver CREATE TABLE t (); CREATE FUNCTION of_leaver.left_over() ${body}`);
    await session.query(`CREATE FUNCTION pg_temp.left_over() ${body}`);
    await session.query('CREATE DATABASE left_over');
    await desk.rows(inDatabase(own, 'left_over'), 'CREATE TABLE kept AS SELECT 1 AS x');
    await desk.rows(own, 'ALTER DATABASE left_over WITH ALLOW_CONNECTIONS false');
    await desk.done('DELETE', `${ROLES}/leaver`);
    await expect(session.query('SELECT pg_temp.left_over()')).rejects.toThrow(GONE);
    expect(await one('SELECT of_leaver.left_over()')).toBe('shop_owner');
    expect(await one("SELECT count(*)::int FROM pg_proc WHERE proname = 'left_over'")).toBe(1);
    const owner = "SELECT rolname FROM pg_database JOIN pg_roles ON pg_roles.oid = datdba WHERE datname = 'left_over'";
    expect(await one(owner)).toBe('neon_superuser');
  });

  it('does not replicate, and loads no library with it, unless the project asks for that', async () => {
    const slot = "SELECT pg_create_logical_replication_slot('s', '/tmp/library')";
    for (const query of [slot, `SET ROLE neon_superuser; ${slot}`, "SELECT pg_create_physical_replication_slot('s')"])
      expect(await desk.refusal(uri, query)).toBe('42501');
    expect(await one('SELECT count(*)::int FROM pg_roles WHERE rolreplication AND NOT rolsuper')).toBe(0);
    await desk.done('PATCH', SHOP, { project: { settings: { enable_logical_replication: true } } });
    expect(await one("SELECT slot_name FROM pg_create_logical_replication_slot('s', 'pgoutput')")).toBe('s');
    await script("SELECT pg_drop_replication_slot('s')");
  });

  const sabotage: readonly (readonly [name: string, ...statements: string[]])[] = [
    ['renames the group of roles', 'ALTER ROLE neon_superuser RENAME TO gone'],
    ['changes the user of the pooler', 'ALTER ROLE cloud_pooler NOLOGIN PASSWORD NULL CONNECTION LIMIT 0'],
    ['gives the user of the pooler another role', 'ALTER ROLE cloud_pooler SET role = shop_owner'],
    ['renames the user of the pooler', 'ALTER ROLE cloud_pooler RENAME TO gone_too'],
    ['gives its database limits of time', 'ALTER DATABASE shopdb SET statement_timeout = 1'],
    ['gives its database another role', 'ALTER DATABASE shopdb SET role = neon_superuser'],
    ['lets its database be read alone', 'ALTER DATABASE shopdb SET default_transaction_read_only = on'],
    [
      'writes to what it finds',
      'DO $$ BEGIN DELETE FROM trueup.made; EXCEPTION WHEN undefined_table THEN NULL; END $$',
    ],
  ];
  it.each(sabotage)('stops no work for good: %s', async (name, ...statements) => {
    const unlimited = '-c role=none -c statement_timeout=0 -c default_transaction_read_only=off';
    const own = { options: `endpoint=${PRIMARY} ${unlimited}` };
    for (const statement of statements) await desk.refusal(uri, statement);
    await desk.done('POST', `${SHOP}/endpoints/${PRIMARY}/restart`);
    const { role } = await desk.done('POST', ROLES, { role: { name } });
    const later = signedIn(uri, name, role.password);
    const session = await desk.connect(later, own);
    const { rows } = await session.query("SELECT pg_has_role('neon_superuser', 'member') AS is");
    expect(rows).toEqual([{ is: true }]);
    await session.query('CREATE TEMPORARY TABLE mine ()');
    if (hasPooler) await (await desk.connect(later.replace(PRIMARY, `${PRIMARY}-pooler`))).end();
    await desk.done('DELETE', `${ROLES}/${encodeURIComponent(name)}`);
    await (await desk.connect(uri, own)).query('ALTER DATABASE shopdb RESET ALL');
  });

  it('keeps no database of the API from being renamed and dropped', async () => {
    await desk.done('POST', DATABASES, { database: { name: 'shut', owner_name: 'shop_owner' } });
    await script('ALTER DATABASE shut WITH IS_TEMPLATE true ALLOW_CONNECTIONS false');
    await desk.done('PATCH', `${DATABASES}/shut`, { database: { name: 'open' } });
    expect(await desk.refusal(inDatabase(uri, 'open'))).toBeUndefined();
    await script('ALTER DATABASE open WITH IS_TEMPLATE true');
    await desk.done('DELETE', `${DATABASES}/open`);
    expect(await desk.refusal(inDatabase(uri, 'open'))).toBe('3D000');
  });
});
