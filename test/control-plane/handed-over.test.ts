// A data folder that came from somebody: its data are taken, and nothing else of it runs or is believed.
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Libsql from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreError, serve } from '../../src/control-plane/index.ts';

const isRoot = process.getuid?.() === 0;
let parent = '';
let data = '';
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'trueup-handed-'));
  data = join(parent, 'data');
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

/** Starts and stops a server on the folder; its key. */
async function opened(folder = data): Promise<string> {
  const served = await serve({ dataDir: folder });
  await served.close();
  return served.key;
}

function alter(sql: string): void {
  const driver = createRequire(import.meta.url)('libsql') as typeof Libsql;
  const database = new driver(join(data, 'store.db'));
  database.exec(sql);
  database.close();
}

describe('a data folder', () => {
  it.each([
    ['a trigger', 'create trigger extra after insert on ledger begin delete from keys; end'],
    ['a view', 'create view extra as select * from keys'],
    ['a virtual table', 'create virtual table extra using fts5(text)'],
  ])('with %s in its store is refused', async (_name, sql) => {
    await opened();
    alter(sql);
    await expect(opened()).rejects.toThrow('has more in it than a store of trueup has');
  });

  it('that is a link, or that others may write to, is refused', async () => {
    await opened();
    symlinkSync(data, join(parent, 'link'));
    await expect(opened(join(parent, 'link'))).rejects.toThrow('link is a link');
    chmodSync(data, 0o777);
    await expect(opened()).rejects.toThrow('data can be written to by everybody');
    chmodSync(data, 0o700);
    if (isRoot) {
      chownSync(data, 65_534, 65_534);
      await expect(opened()).rejects.toThrow(StoreError);
      await expect(opened()).rejects.toThrow('data belongs to another user');
    }
  });

  it('keeps its first key, for its owner alone, also where others could read it', async () => {
    const key = await opened();
    const file = join(data, 'root-key');
    chmodSync(file, 0o644);
    expect(await opened()).toBe(key);
    expect([readFileSync(file, 'utf8').trim(), statSync(file).mode & 0o777]).toEqual([key, 0o600]);
  });

  it('whose first key is a link is refused: nothing is read or written at its end', async () => {
    await opened();
    rmSync(join(data, 'root-key'));
    symlinkSync('/etc/hostname', join(data, 'root-key'));
    await expect(opened()).rejects.toThrow('root-key is not a file of this store');
  });
});
