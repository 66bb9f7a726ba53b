// The store in a folder: what is acknowledged stays, operations go on, and what cannot be used is refused and left alone.
import { readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { alterStore, folderOfTest } from '../support/folder.ts';
import { somebody } from '../support/site.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { StoreError, createControlPlane, type ControlPlane } from '../../src/control-plane/index.ts';
import { openLocalControlPlane } from '../../src/control-plane/serve/local.ts';
import { ENDPOINTS, MAIN, ONE, PRIMARY, SHOP, STAGING } from './world.ts';

const clock = new VirtualClock();
interface Opened {
  readonly plane: ControlPlane;
  readonly key: string;
  /** The text of a reply. */
  send(method: string, path: string, body?: object): Promise<string>;
}

function open(folder: string): Opened {
  const operationMs = { min: 5000, max: 5000 };
  const { controlPlane: plane, rootKey } = openLocalControlPlane(folder, { clock, operationMs });
  const send: Opened['send'] = async (method, path, body) =>
    (await somebody({ handle: plane.handle, rootKey }, method, path, body)).text();
  return { plane, key: rootKey.reveal(), send };
}

describe('a store in a folder', () => {
  it('keeps everything over a restart, and the root key file stays valid', async () => {
    const folder = folderOfTest();
    const first = open(folder);
    await first.send('POST', '/api_keys', { key_name: 'ci' });
    const paths = ['/projects', ENDPOINTS, `${SHOP}/branches`, `${SHOP}/operations`];
    const read = async ({ send }: Opened): Promise<string[]> => Promise.all(paths.map((path) => send('GET', path)));
    const before = await read(first);
    const ledger = first.plane.ledger();
    first.plane.close();
    const second = open(folder);
    expect(await read(second)).toEqual(before);
    expect(second.plane.ledger()).toEqual(ledger);
    expect(second.key).toBe(first.key);
    expect(second.plane.truth.keys().map((key) => key.name)).toEqual(['root', 'ci']);
  });

  it('operations in flight go on where they were, also those that ended while it was down', async () => {
    const folder = folderOfTest();
    const first = open(folder);
    await first.send('PATCH', ONE, { endpoint: { branch_id: STAGING } });
    await clock.advance(2000);
    first.plane.close();
    await clock.advance(4000);
    const { truth } = open(folder).plane;
    const states = (): string[] =>
      truth.operations({ projectId: 'spring-example-302709', limit: 2 }).map((item) => item.status);
    expect(states()).toEqual(['running', 'finished']);
    await clock.advance(4000);
    expect(states()).toEqual(['finished', 'finished']);
    expect(truth.compute(PRIMARY)?.pendingState).toBeUndefined();
  });

  it('keeps passwords over a restart, and in no file in clear; without the file of their key it is refused', async () => {
    const folder = folderOfTest();
    const reveal = `${SHOP}/branches/${MAIN}/roles/shop_owner/reveal_password`;
    const first = open(folder);
    const told = await first.send('GET', reveal);
    const [password = ''] = /npg_\w{16}/.exec(told) ?? [];
    expect(password).not.toBe('');
    first.plane.close();
    for (const name of readdirSync(folder)) expect(readFileSync(join(folder, name), 'latin1')).not.toContain(password);
    for (const name of ['seal-key', 'root-key', 'store.db'])
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    const second = open(folder);
    expect(await second.send('GET', reveal)).toBe(told);
    second.plane.close();
    rmSync(join(folder, 'seal-key'));
    expect(() => open(folder)).toThrow(/seal-key/);
  });

  it('a lost root-key file is made anew with a new key', () => {
    const folder = folderOfTest();
    open(folder).plane.close();
    rmSync(join(folder, 'root-key'));
    expect(open(folder).plane.truth.keys()).toMatchObject([{ name: 'root' }, { name: 'root' }]);
  });

  it('a commit that fails leaves nothing behind: 503, and the world as before', async () => {
    const { plane, send } = open(folderOfTest());
    const { store } = plane.engine;
    const commit = store.commit.bind(store);
    store.commit = () => {
      throw Object.assign(new Error('disk full'), { code: 'SQLITE_FULL' });
    };
    const create = { endpoint: { branch_id: STAGING, type: 'read_write' } };
    expect(await send('POST', ENDPOINTS, create)).toMatch(/nothing was done/);
    expect(plane.truth.computes('spring-example-302709')).toHaveLength(1);
    store.commit = commit;
    expect(await send('POST', ENDPOINTS, create)).toMatch(/start_compute/);
  });
});

describe('a store that cannot be used', () => {
  const tear = (folder: string): void => {
    const file = join(folder, 'store.db');
    writeFileSync(file, readFileSync(file).fill(0xa5, 4096, 12_288));
  };
  it.each<[string, string | ((folder: string) => void), StoreError['reason'], RegExp]>([
    ['garbage', (at) => writeFileSync(join(at, 'store.db'), 'garbage '.repeat(2000)), 'corrupt', /restore it/],
    ['a torn page', tear, 'corrupt', /damaged/],
    ['a newer format', 'pragma user_version = 99', 'newer', /newer version/],
    ["another program's database", 'pragma application_id = 7', 'corrupt', /not a store/],
    ['a record that is no JSON', "update projects set data = '{'", 'corrupt', /cannot be read/],
  ])('%s is refused and left as it is', (_name, spoil, reason, message) => {
    const folder = folderOfTest();
    open(folder).plane.close();
    if (typeof spoil === 'string') alterStore(folder, spoil);
    else spoil(folder);
    // All but the header of the file, where opening leaves its trace.
    const content = (): Buffer => readFileSync(join(folder, 'store.db')).subarray(100);
    const before = content();
    expect(() => createControlPlane({ store: folder })).toThrow(
      expect.objectContaining({ constructor: StoreError, reason, message: expect.stringMatching(message) as string }),
    );
    expect(content().equals(before)).toBe(true);
  });

  it('a file that names a process which is gone holds nobody up', () => {
    const folder = folderOfTest();
    open(folder).plane.close();
    writeFileSync(join(folder, 'lock'), '2000000000');
    const { plane } = open(folder);
    expect(readFileSync(join(folder, 'lock'), 'utf8')).toBe(String(process.pid));
    plane.close();
    expect(readdirSync(folder).filter((name) => name.startsWith('lock'))).toEqual([]);
  });

  it('a first world that was never completed begins anew', () => {
    const folder = folderOfTest();
    open(folder).plane.close();
    alterStore(folder, "delete from meta where name = 'complete'; delete from projects;");
    expect(open(folder).plane.truth.projects()).toHaveLength(2);
  });
});
