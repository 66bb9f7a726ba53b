// A data folder that came from somebody: its data are taken, and nothing else of it runs or is believed.
import { chmodSync, chownSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { StoreError, serve } from '../../src/control-plane/index.ts';
import { alterStore, folderOfTest } from '../support/folder.ts';

const isRoot = process.getuid?.() === 0;
/** The data folder of a test, and what stands beside it. */
const places = (): { data: string; link: string; key: string } => {
  const parent = folderOfTest();
  return { data: join(parent, 'data'), link: join(parent, 'link'), key: join(parent, 'data', 'root-key') };
};

/** Starts and stops a server on the folder; its key. */
async function opened(folder: string): Promise<string> {
  const served = await serve({ dataDir: folder });
  await served.close();
  return served.key;
}

describe('a data folder', () => {
  it.each([
    ['a trigger', 'create trigger extra after insert on ledger begin delete from keys; end'],
    ['a view', 'create view extra as select * from keys'],
    ['a virtual table', 'create virtual table extra using fts5(text)'],
  ])('with %s in its store is refused', async (_name, sql) => {
    const { data } = places();
    await opened(data);
    alterStore(data, sql);
    await expect(opened(data)).rejects.toThrow('has more in it than a store of trueup has');
  });

  it('that is a link, or that others may write to, is refused', async () => {
    const { data, link } = places();
    await opened(data);
    symlinkSync(data, link);
    await expect(opened(link)).rejects.toThrow('link is a link');
    chmodSync(data, 0o777);
    await expect(opened(data)).rejects.toThrow('data can be written to by everybody');
    chmodSync(data, 0o700);
    if (isRoot) {
      chownSync(data, 65_534, 65_534);
      await expect(opened(data)).rejects.toThrow(StoreError);
      await expect(opened(data)).rejects.toThrow('data belongs to another user');
    }
  });

  it('keeps its first key, for its owner alone, also where others could read it', async () => {
    const { data, key: file } = places();
    const key = await opened(data);
    chmodSync(file, 0o644);
    expect(await opened(data)).toBe(key);
    expect([readFileSync(file, 'utf8').trim(), statSync(file).mode & 0o777]).toEqual([key, 0o600]);
  });

  it('whose first key is a link is refused: nothing is read or written at its end', async () => {
    const { data, key } = places();
    await opened(data);
    rmSync(key);
    symlinkSync('/etc/hostname', key);
    await expect(opened(data)).rejects.toThrow('root-key is not a file of this store');
  });
});
