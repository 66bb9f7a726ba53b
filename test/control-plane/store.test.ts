// The store in a folder: what is acknowledged stays, operations go on, and what cannot be used is refused and left alone.
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Libsql from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../support/virtual-clock.ts';
import { StoreError, createControlPlane, type ControlPlane } from '../../src/control-plane/index.ts';
import { openLocalControlPlane } from '../../src/control-plane/serve/local.ts';

let folder = '';
const clock = new VirtualClock();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'control-plane-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (): ReturnType<typeof openLocalControlPlane> =>
  openLocalControlPlane(folder, { clock, operationMs: { min: 5000, max: 5000 } });

const send = async (plane: ControlPlane, key: string, method: string, path: string, body?: object): Promise<string> => {
  const text = body === undefined ? {} : { body: JSON.stringify(body) };
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const init = { method, headers, ...text };
  return (await plane.handle(new Request(`http://localhost/api/v2${path}`, init))).text();
};

const SHOP = '/projects/spring-example-302709';

const edit = (work: (database: Libsql.Database) => void): void => {
  const Driver = createRequire(import.meta.url)('libsql') as typeof Libsql;
  const database = new Driver(join(folder, 'store.db'));
  work(database);
  database.close();
};

describe('a store in a folder', () => {
  it('keeps everything over a restart, and the root key file stays valid', async () => {
    const first = open();
    await send(first.controlPlane, first.rootKey.reveal(), 'POST', '/api_keys', { key_name: 'ci' });
    const paths = ['/projects', `${SHOP}/endpoints`, `${SHOP}/branches`, `${SHOP}/operations`];
    const read = async (at: typeof first): Promise<string[]> =>
      Promise.all(paths.map((path) => send(at.controlPlane, at.rootKey.reveal(), 'GET', path)));
    const before = await read(first);
    const ledger = first.controlPlane.ledger();
    first.controlPlane.close();
    const second = open();
    expect(await read(second)).toEqual(before);
    expect(second.controlPlane.ledger()).toEqual(ledger);
    expect(second.rootKey.reveal()).toBe(first.rootKey.reveal());
    expect(second.controlPlane.truth.keys().map((key) => key.name)).toEqual(['root', 'ci']);
    second.controlPlane.close();
  });

  it('operations in flight go on where they were, also those that ended while it was down', async () => {
    const first = open();
    const move = { endpoint: { branch_id: 'br-calm-sea-220011' } };
    await send(first.controlPlane, first.rootKey.reveal(), 'PATCH', `${SHOP}/endpoints/ep-cool-darkness-123456`, move);
    await clock.advance(2000);
    first.controlPlane.close();
    await clock.advance(4000);
    const second = open();
    const states = (): string[] =>
      second.controlPlane.truth.operations({ projectId: 'spring-example-302709', limit: 2 }).map((item) => item.status);
    expect(states()).toEqual(['running', 'finished']);
    await clock.advance(4000);
    expect(states()).toEqual(['finished', 'finished']);
    expect(second.controlPlane.truth.compute('ep-cool-darkness-123456')?.pendingState).toBeUndefined();
    second.controlPlane.close();
  });

  it('keeps passwords over a restart, and in no file in clear; without the file of their key it is refused', async () => {
    const reveal = `${SHOP}/branches/br-wispy-meadow-118737/roles/shop_owner/reveal_password`;
    const first = open();
    const told = JSON.parse(await send(first.controlPlane, first.rootKey.reveal(), 'GET', reveal)) as {
      readonly password: string;
    };
    expect(told.password).toMatch(/^npg_\w{16}$/);
    first.controlPlane.close();
    for (const name of readdirSync(folder))
      expect(readFileSync(join(folder, name), 'latin1')).not.toContain(told.password);
    for (const name of ['seal-key', 'root-key', 'store.db'])
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    const second = open();
    expect(JSON.parse(await send(second.controlPlane, second.rootKey.reveal(), 'GET', reveal))).toEqual(told);
    second.controlPlane.close();
    rmSync(join(folder, 'seal-key'));
    expect(open).toThrow(/seal-key/);
  });

  it('a lost root-key file is made anew with a new key', () => {
    open().controlPlane.close();
    rmSync(join(folder, 'root-key'));
    const { controlPlane } = open();
    expect(controlPlane.truth.keys().map((key) => key.name)).toEqual(['root', 'root']);
    controlPlane.close();
  });

  it('a commit that fails leaves nothing behind: 503, and the world as before', async () => {
    const { controlPlane, rootKey } = open();
    const { store } = controlPlane.engine;
    const commit = store.commit.bind(store);
    store.commit = () => {
      throw Object.assign(new Error('disk full'), { code: 'SQLITE_FULL' });
    };
    const create = { endpoint: { branch_id: 'br-calm-sea-220011', type: 'read_write' } };
    expect(await send(controlPlane, rootKey.reveal(), 'POST', `${SHOP}/endpoints`, create)).toMatch(/nothing was done/);
    expect(controlPlane.truth.computes('spring-example-302709')).toHaveLength(1);
    store.commit = commit;
    expect(await send(controlPlane, rootKey.reveal(), 'POST', `${SHOP}/endpoints`, create)).toMatch(/start_compute/);
    controlPlane.close();
  });
});

describe('a store that cannot be used', () => {
  const refusal = (): StoreError => {
    try {
      createControlPlane({ store: folder }).close();
    } catch (error) {
      if (error instanceof StoreError) return error;
      throw error;
    }
    throw new Error('the store was opened');
  };

  it.each<[string, () => void, StoreError['reason'], RegExp]>([
    ['garbage', () => writeFileSync(join(folder, 'store.db'), 'garbage '.repeat(2000)), 'corrupt', /restore it/],
    [
      'a torn page',
      () => {
        const file = join(folder, 'store.db');
        const bytes = readFileSync(file);
        bytes.fill(0xa5, 4096, 12_288);
        writeFileSync(file, bytes);
      },
      'corrupt',
      /damaged/,
    ],
    ['a newer format', () => edit((database) => database.pragma('user_version = 99')), 'newer', /newer version/],
    [
      "another program's database",
      () => edit((database) => database.pragma('application_id = 7')),
      'corrupt',
      /not a store/,
    ],
    [
      'a record that is no JSON',
      () => edit((database) => database.exec("update projects set data = '{'")),
      'corrupt',
      /cannot be read/,
    ],
  ])('%s is refused and left as it is', (_name, spoil, reason, message) => {
    open().controlPlane.close();
    spoil();
    // All but the header of the file, where opening leaves its trace.
    const content = (): Buffer => readFileSync(join(folder, 'store.db')).subarray(100);
    const before = content();
    const error = refusal();
    expect(error.reason).toBe(reason);
    expect(error.message).toMatch(message);
    expect(content().equals(before)).toBe(true);
  });

  it('a file that names a process which is gone holds nobody up', () => {
    open().controlPlane.close();
    writeFileSync(join(folder, 'lock'), '2000000000');
    const { controlPlane } = open();
    expect(readFileSync(join(folder, 'lock'), 'utf8')).toBe(String(process.pid));
    controlPlane.close();
    expect(readdirSync(folder).filter((name) => name.startsWith('lock'))).toEqual([]);
  });

  it('a first world that was never completed begins anew', () => {
    open().controlPlane.close();
    edit((database) => database.exec("delete from meta where name = 'complete'; delete from projects;"));
    const { controlPlane } = open();
    expect(controlPlane.truth.projects()).toHaveLength(2);
    controlPlane.close();
  });
});
