// A folder on the disk that goes with its test, and the store of a server in it.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Libsql from 'libsql';
import { onTestFinished } from 'vitest';

export function folderOfTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trueup-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Changes a store by hand. */
export function alterStore(folder: string, sql: string): void {
  const Driver = createRequire(import.meta.url)('libsql') as typeof Libsql;
  const database = new Driver(join(folder, 'store.db'));
  database.exec(sql);
  database.close();
}
