// Builds dist/: generated code, compiled modules, validators, an executable bin; and nothing that has no source any more.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleProgram, shrinkValidators } from './bundle.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const node = (...args) => execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit' });

try {
  node('schemas/generate.mjs');
  node('schemas/generate.mjs', '--into', 'dist');
  node('node_modules/typescript/bin/tsc', '-p', 'tsconfig.json', '--incremental', 'false', '--tsBuildInfoFile', 'null');
} catch (error) {
  // The tool has said what is wrong; its exit code is ours.
  process.exitCode = error.status ?? 1;
}
removeOrphans();
await shrinkValidators(root, ['api', 'config', 'model']);
await bundleProgram(root);
const bin = join(root, 'dist', 'cli', 'bin.js');
if (existsSync(bin)) chmodSync(bin, 0o755);

/** A module whose source was renamed or removed must not be published for ever. */
function removeOrphans() {
  const dist = join(root, 'dist');
  if (!existsSync(dist)) return;
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const compiled = join(entry.parentPath, entry.name);
    const stem = join(root, 'src', compiled.slice(dist.length)).replace(/(\.d\.ts|\.js)$/, '');
    if (!['.ts', '.js', '.d.ts'].some((extension) => existsSync(stem + extension))) rmSync(compiled);
  }
}
