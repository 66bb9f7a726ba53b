// A copy of the checkout to break things in: everything but what is built or installed, with the same packages.
import { cpSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const LEFT_OUT = new Set(['.git', '.cache', 'dist', 'node_modules', 'coverage']);

/** The folder of a new copy, in the folder for such; the caller removes it. */
export function copyCheckout(root, within = tmpdir()) {
  const copy = mkdtempSync(join(within, 'trueup-mutants-'));
  for (const name of readdirSync(root)) {
    if (LEFT_OUT.has(name)) continue;
    cpSync(join(root, name), join(copy, name), { recursive: true, filter: (path) => !path.endsWith('/node_modules') });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'dir');
  return copy;
}
