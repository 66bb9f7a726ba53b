// Expected outputs as plain files beside the tests; `UPDATE=1` writes them anew.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), 'golden');

export function expectGolden(name: string, actual: string): void {
  const file = join(FOLDER, name);
  if (process.env['UPDATE'] === '1' || !existsSync(file)) {
    if (process.env['CI'] !== undefined && !existsSync(file)) throw new Error(`there is no golden file ${name}`);
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(file, actual);
  }
  expect(actual).toBe(readFileSync(file, 'utf8'));
}
