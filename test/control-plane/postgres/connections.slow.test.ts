// Coming in by the one port: how a compute is named, who is sent away and with which SQLSTATE, cancelling, pooling, and going to sleep.
import { once } from 'node:events';
import { connect as connectTo } from 'node:net';
import { platform } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { matching } from '../account/row.ts';
import { MAIN, PRIMARY, SHOP } from '../world.ts';
import { GONE, firstAnswer, greeting, hasPooler, inDatabase, missingPostgres, openDesk } from './served.ts';

describe.skipIf(missingPostgres !== undefined)('the one port', { timeout: 60_000 }, () => {
  let desk: Awaited<ReturnType<typeof openDesk>>;
  let uri: string;
  let port: number;
  beforeAll(async () => {
    desk = await openDesk({ switches: { shortAutosuspend: 'accepted' } });
    uri = await desk.uri();
    port = Number(new URL(uri).port);
  });
  afterAll(() => desk.close());

  const patch = (endpoint: object): Promise<unknown> =>
    desk.done('PATCH', `${SHOP}/endpoints/${PRIMARY}`, { endpoint });
  const allow = (ips: readonly string[], more: object = {}): Promise<unknown> =>
    desk.done('PATCH', SHOP, { project: { settings: { allowed_ips: { ips, ...more } } } });
  const stateOf = async (id: string): Promise<string> =>
    (await desk.request('GET', `${SHOP}/endpoints/${id}`)).endpoint.current_state;

  it('gives strings that work as they are, and lead nobody to a superuser', async () => {
    expect(uri).toMatch(
      /^postgresql:\/\/shop_owner:\w+@127\.0\.0\.1:\d+\/shopdb\?sslmode=require&options=endpoint%3Dep-/,
    );
    expect(await desk.rows(uri, 'SELECT rolsuper FROM pg_roles WHERE rolname = current_user')).toEqual([false]);
    expect(await desk.rows(uri, "SELECT pg_has_role('neon_superuser', 'member')")).toEqual([true]);
    expect(await desk.rows(uri, 'SHOW max_connections')).toEqual(['112']);
  });

  it('lead to no file and no program of the machine, nor does any role that is made with them', async () => {
    const grants = ['pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files', 'cloud_admin'];
    for (const role of grants) expect(await desk.refusal(uri, `GRANT ${role} TO shop_owner`)).toBe('42501');
    for (const query of ["COPY (SELECT 1) TO PROGRAM 'true'", "SELECT pg_read_file('/etc/passwd')", "LOAD '/tmp/x'"])
      expect(await desk.refusal(uri, query)).toBe('42501');
  });

  it('finds a compute by the host name of TLS too', async () => {
    const { endpoint } = await desk.request('GET', `${SHOP}/endpoints/${PRIMARY}`);
    const named = (servername: string): object => ({ ssl: { rejectUnauthorized: false, servername } });
    const client = await desk.connect(uri, { options: '', ...named(endpoint.host) });
    expect((await client.query('SHOW cluster_name')).rows).toEqual([{ cluster_name: PRIMARY }]);
    const elsewhere = named('ep-other-name-000000.us-east-2.aws.db.localhost');
    await expect(desk.connect(uri, elsewhere)).rejects.toMatchObject({ code: '08004' });
  });

  it('leaves the other options to Postgres', async () => {
    const client = await desk.connect(uri, { options: `-c work_mem=9MB endpoint=${PRIMARY}` });
    expect((await client.query('SHOW work_mem')).rows).toEqual([{ work_mem: '9MB' }]);
  });

  const refused: readonly (readonly [name: string, uri: (known: string) => string, sqlstate: string])[] = [
    ['an endpoint that does not exist', (known) => known.replace(PRIMARY, 'ep-no-such-000000'), '08001'],
    ['no endpoint', (known) => known.replace(/&options=.*/, ''), '08004'],
    ['a wrong password', (known) => known.replace(/npg_\w+/, 'npg_wrong'), '28P01'],
    ['a role that does not exist', (known) => known.replace('shop_owner', 'nobody_here'), '28P01'],
    ['a database that does not exist', (known) => known.replace('/shopdb', '/nothing'), '3D000'],
  ];
  it.each(refused)('refuses %s', async (_, change, sqlstate) => {
    expect(await desk.refusal(change(uri))).toBe(sqlstate);
  });

  it('a disabled compute says so, and is not woken', async () => {
    await patch({ disabled: true });
    await expect(desk.connect(uri)).rejects.toMatchObject({ code: '08004', message: matching(/disabled/) });
    expect(await stateOf(PRIMARY)).toBe('idle');
    await patch({ disabled: false });
    expect(await desk.rows(uri, 'SELECT 1')).toEqual([1]);
  });

  it('lets in only the addresses that the project allows, before anything is woken', async () => {
    await allow(['10.0.0.0/8', '192.168.1.1-192.168.1.9']);
    await desk.done('POST', `${SHOP}/endpoints/${PRIMARY}/suspend`);
    expect(await desk.refusal(uri)).toBe('28000');
    expect(await stateOf(PRIMARY)).toBe('idle');
    await allow(['10.0.0.0/8'], { protected_branches_only: true });
    expect(await desk.refusal(uri)).toBeUndefined();
    await allow(['127.0.0.0/8']);
    expect(await desk.refusal(uri)).toBeUndefined();
    await allow([]);
  });

  it.skipIf(platform() !== 'linux')('holds the address of the client itself against the rules', async () => {
    await allow(['127.0.0.2']);
    expect(await desk.refusal(uri)).toBe('28000');
    const words = { user: 'shop_owner', database: 'shopdb', options: `endpoint=${PRIMARY}` };
    // Asked for its password: it has been let in.
    expect(await firstAnswer({ port, localAddress: '127.0.0.2' }, greeting(words))).toBe('R');
    await allow([]);
  });

  it('one client too many is told 53300, and the others stay', async () => {
    const held = await Promise.all(Array.from({ length: 109 }, () => desk.connect(uri)));
    expect(await desk.refusal(uri)).toBe('53300');
    await Promise.all(held.slice(1).map((client) => client.end()));
    expect((await held[0]?.query('SELECT 1 AS one'))?.rows).toEqual([{ one: 1 }]);
  });

  it.each(hasPooler ? [false, true] : [false])('passes cancel requests on (pooled: %s)', async (pooled) => {
    const own = await desk.uri({ pooled });
    const beside = await desk.connect(own);
    const client = (await desk.connect(own)) as unknown as {
      query(text: string): Promise<unknown>;
      readonly processID: number;
      readonly secretKey: number;
    };
    const sleeping = client.query('SELECT pg_sleep(30)');
    // Postgres ignores the cancelling of what has not begun.
    const begun = "SELECT 1 FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(30)' AND state = 'active'";
    await expect.poll(async () => desk.rows(uri, begun)).toEqual([1]);
    const packet = Buffer.alloc(16);
    [16, 80_877_102, client.processID, client.secretKey].forEach((value, at) => packet.writeInt32BE(value, at * 4));
    const gone = once(connectTo(port, '127.0.0.1').end(packet).resume(), 'close');
    await expect(sleeping).rejects.toMatchObject({ code: '57014' });
    await gone;
    expect((await beside.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it.skipIf(!hasPooler)('pools connections in transaction mode', async () => {
    const pooled = await desk.uri({ pooled: true });
    expect(pooled).toContain(`${PRIMARY}-pooler`);
    const clients = await Promise.all(Array.from({ length: 150 }, () => desk.connect(pooled)));
    const asked = clients.map((client) => client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid'));
    const pids = (await Promise.all(asked)).map(({ rows }) => rows[0]?.pid);
    expect(new Set(pids).size).toBeLessThanOrEqual(101);
    expect(await desk.refusal(pooled.replace(/npg_\w+/, 'npg_wrong'))).toBe('28P01');
    expect(await desk.refusal(pooled.replace('shop_owner', 'nobody_here'))).toBe('28P01');
    await Promise.all(clients.map((client) => client.end()));
  });

  it.skipIf(!hasPooler)('serves a pooled client of a database that is made later', { timeout: 10_000 }, async () => {
    const pooled = await desk.uri({ pooled: true });
    await desk.rows(pooled, 'SELECT 1');
    const early = desk.connect(inDatabase(pooled, 'later'));
    const database = { name: 'later', owner_name: 'shop_owner' };
    await desk.done('POST', `${SHOP}/branches/${MAIN}/databases`, { database });
    expect((await (await early).query('SELECT current_database() AS name')).rows).toEqual([{ name: 'later' }]);
  });

  it('suspends what nobody uses, and leaves what somebody does', async () => {
    await patch({ suspend_timeout_seconds: 1 });
    const client = await desk.connect(uri);
    await client.query('BEGIN; SELECT pg_sleep(2.5)');
    expect(await stateOf(PRIMARY)).toBe('active');
    await client.query('COMMIT');
    // An idle connection keeps nothing awake; the suspension ends it.
    await expect.poll(() => stateOf(PRIMARY)).toBe('idle');
    await expect(client.query('SELECT 1')).rejects.toThrow(GONE);
    expect(await desk.rows(uri, 'SELECT 1')).toEqual([1]);
    await patch({ suspend_timeout_seconds: 0 });
  });

  it('takes a client that begins with TLS at once', async () => {
    const servername = (await desk.request('GET', `${SHOP}/endpoints/${PRIMARY}`)).endpoint.host;
    const hello = greeting({ user: 'shop_owner', database: 'shopdb' });
    expect(await firstAnswer({ port }, hello, servername)).toBe('R');
  });

  const junk: readonly (readonly [name: string, bytes: Buffer])[] = [
    ['HTTP', Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')],
    ['a packet of no length', Buffer.alloc(64)],
    ['a packet of endless length', Buffer.from([0x7f, 0xff, 0xff, 0xff, 0, 3, 0, 0])],
    ['another protocol version', Buffer.from([0, 0, 0, 9, 0, 2, 0, 0, 0])],
    ['a cancel request for nobody', Buffer.from([0, 0, 0, 16, 4, 210, 22, 46, 0, 0, 0, 1, 0, 0, 0, 2])],
    ['data before the handshake', Buffer.from([0, 0, 0, 8, 4, 210, 22, 47, 1, 2, 3])],
    ['a broken handshake', Buffer.from([0x16, 3, 1, 0, 5, 1, 2, 3, 4, 5])],
  ];
  it.each(junk)('survives %s', async (_, bytes) => {
    const socket = connectTo(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(bytes);
    await once(socket.resume(), 'close');
    expect(await desk.rows(uri, 'SELECT 1')).toEqual([1]);
  });

  it('applies settings of the user, refuses others before anything stops, and tells of a full disk as the service does', async () => {
    const set = (settings: object): Promise<string[]> =>
      desk.request('PATCH', `${SHOP}/endpoints/${PRIMARY}`, { endpoint: { settings } }).then(desk.ended);
    await desk.rows(uri, 'SELECT 1');
    const held = await desk.connect(uri);
    const refusals: readonly (readonly [settings: object, words: RegExp])[] = [
      [{ pg_settings: { archive_command: 'touch /tmp/x' } }, /pg_settings: "archive_command" cannot be set/],
      [{ pg_settings: { max_connections: '5' } }, /pg_settings: "max_connections" cannot be set/],
      [{ pg_settings: { work_mem: "8MB'; x" } }, /invalid value for parameter "work_mem"/],
      [{ preload_libraries: { enabled_libraries: ['/tmp/mine.so'] } }, /preload_libraries: "\S+" cannot be set/],
      [{ pgbouncer_settings: { logfile: '/tmp/x' } }, /pgbouncer_settings: "logfile" cannot be set/],
    ];
    for (const [settings, words] of refusals) expect((await set(settings))[0]).toMatch(words);
    expect((await held.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await set({ pg_settings: { temp_file_limit: '1MB', work_mem: '64kB' } });
    expect(await desk.rows(uri, 'SHOW work_mem')).toEqual(['64kB']);
    expect(await desk.refusal(uri, 'SELECT x FROM generate_series(1, 500000) AS x ORDER BY x DESC')).toBe('53100');
  });

  it('ends the connections of a branch whose compute is deleted', async () => {
    const made = await desk.done('POST', `${SHOP}/endpoints`, { endpoint: { branch_id: MAIN, type: 'read_only' } });
    const client = await desk.connect(uri.replace(PRIMARY, made.endpoint.id));
    await desk.done('DELETE', `${SHOP}/endpoints/${made.endpoint.id}`);
    await expect(client.query('SELECT 1')).rejects.toThrow(GONE);
  });
});
