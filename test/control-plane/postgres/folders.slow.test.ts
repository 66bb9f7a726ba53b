// The folder of the data may have come from somewhere: links, folders of others and settings in it lead the server nowhere.
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { cleanUp, newFolder } from '../../e2e/support/program.ts';
import { serve } from '../../../src/control-plane/index.ts';
import { MAIN } from '../world.ts';
import { missingPostgres, openDesk } from './served.ts';

const isRoot = userInfo().uid === 0;
const SOMEBODY = 12_345;

describe.skipIf(missingPostgres !== undefined)('a folder of data', { timeout: 60_000 }, () => {
  let data: string;
  let victim: string;
  beforeEach(() => {
    const home = newFolder('folders');
    // Where the processes have a user of their own, it passes through.
    chmodSync(home, 0o711);
    [data, victim] = [join(home, 'data'), join(home, 'victim')];
    for (const folder of [data, victim]) mkdirSync(folder, { mode: 0o700 });
  });
  afterAll(cleanUp);

  const linked = (...path: readonly string[]): void => {
    mkdirSync(join(data, ...path.slice(0, -1)), { recursive: true, mode: 0o711 });
    symlinkSync(victim, join(data, ...path));
  };
  const linkedPassword = (): void => {
    writeFileSync(join(victim, 'secret'), 'secret');
    mkdirSync(join(data, 'postgres'), { mode: 0o711 });
    symlinkSync(join(victim, 'secret'), join(data, 'postgres', 'admin-password'));
  };
  const ofAnother = (): void => {
    mkdirSync(join(data, 'postgres'));
    chownSync(join(data, 'postgres'), SOMEBODY, SOMEBODY);
  };
  type Case = readonly [name: string, prepare: () => void, says: RegExp];
  const refused: readonly Case[] = [
    ['whose postgres is a link', () => linked('postgres'), /postgres is a link/],
    ['whose timelines are a link', () => linked('postgres', 'timelines'), /timelines is a link/],
    ['whose replicas are a link', () => linked('postgres', 'replicas'), /replicas is a link/],
    ['whose template is a link', () => linked('postgres', 'template'), /template is a link/],
    ['whose password is a link', linkedPassword, /admin-password is not a file of this store/],
    ['whose postgres is a file', () => writeFileSync(join(data, 'postgres'), ''), /postgres is no folder/],
  ];
  const ofRoot: Case = ['whose postgres is of somebody else', ofAnother, /postgres belongs to another user/];
  it.each(isRoot ? [...refused, ofRoot] : refused)(
    '%s is refused, and what a link leads to stays as it is',
    async (_, prepare, says) => {
      prepare();
      const before = [statSync(victim).uid, statSync(victim).mode];
      await expect(serve({ dataDir: data, postgres: {} })).rejects.toThrow(says);
      expect([statSync(victim).uid, statSync(victim).mode]).toEqual(before);
    },
  );

  it('with a branch that is a link has no such branch, and leaves alone what the link leads to', async () => {
    linked('postgres', 'timelines', MAIN);
    writeFileSync(join(victim, 'PG_VERSION'), '15\n');
    const desk = await openDesk({ dataDir: data });
    await expect(desk.rows(await desk.uri(), 'SELECT 1')).rejects.toThrow(/is a link/);
    expect(readdirSync(victim)).toEqual(['PG_VERSION']);
    expect(statSync(victim).uid).toBe(userInfo().uid);
    await desk.close();
  });

  it('brings no settings along that run a program, nor an order to follow another server', async () => {
    const first = await openDesk({ dataDir: data });
    await first.rows(await first.uri(), 'CREATE TABLE kept AS SELECT 1 AS x');
    await first.close();
    const ran = join(victim, 'ran');
    chmodSync(victim, 0o777);
    const touch = `touch ${ran}`;
    const running = { archive_command: touch, restore_command: `${touch}; false`, archive_cleanup_command: touch };
    const all = { archive_mode: 'on', ...running, session_preload_libraries: ran, hba_file: ran };
    const settings = Object.entries(all)
      .map(([name, value]) => `${name} = '${value}'\n`)
      .join('');
    for (const folder of [join('timelines', MAIN), 'template'].map((name) => join(data, 'postgres', name))) {
      for (const name of ['postgresql.auto.conf', 'postgresql.conf', 'pg_hba.conf'])
        writeFileSync(join(folder, name), settings);
      for (const name of ['standby.signal', 'recovery.signal']) writeFileSync(join(folder, name), '');
    }
    const second = await openDesk({ dataDir: data });
    const uri = await second.uri();
    expect(await second.rows(uri, 'SELECT x FROM kept')).toEqual([1]);
    expect(await second.rows(uri, 'SHOW archive_mode')).toEqual(['off']);
    expect(await second.rows(uri, 'SELECT pg_is_in_recovery()')).toEqual([false]);
    const made = await second.done('POST', '/projects', { project: { name: 'new' } });
    expect(await second.rows(made.connection_uris?.[0]?.connection_uri ?? '', 'SHOW archive_mode')).toEqual(['off']);
    await second.branchFrom(MAIN, 'below');
    expect(existsSync(ran)).toBe(false);
    await second.close();
  });
});
