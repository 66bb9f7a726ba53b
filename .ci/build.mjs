// Builds dist/: generated code, compiled modules, validators, an executable bin; and nothing that has no source any more.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { bundleProgram } from './bundle.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const program = join(dist, 'cli');
/** Where everything is compiled first: the program in `dist` is never half made. */
const draft = join(root, '.cache', `compiled-${process.pid}`);
const node = (...args) => execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
const compile = ['-p', 'tsconfig.json', '--incremental', 'false', '--tsBuildInfoFile', 'null', '--outDir', draft];

try {
  node('schemas/generate.mjs');
  node('node_modules/typescript/bin/tsc', ...compile);
} catch (error) {
  // The tool has said what is wrong; its exit code is ours.
  process.exitCode = error.status ?? 1;
}
rmSync(join(draft, 'cli'), { recursive: true, force: true });
if (existsSync(draft)) cpSync(draft, dist, { recursive: true });
rmSync(draft, { recursive: true, force: true });
node('schemas/generate.mjs', '--into', 'dist');
removeOrphans();
await bundleProgram(root);
for (const name of ['bin.js', 'tour.js']) chmodSync(join(program, name), 0o755);

/** A module whose source was renamed or removed must not be published for ever. */
function removeOrphans() {
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || `${entry.parentPath}${sep}`.startsWith(`${program}${sep}`)) continue;
    const compiled = join(entry.parentPath, entry.name);
    const stem = join(root, 'src', compiled.slice(dist.length)).replace(/(\.d\.ts|\.js)$/, '');
    if (!['.ts', '.js', '.d.ts'].some((extension) => existsSync(stem + extension))) rmSync(compiled);
  }
}
