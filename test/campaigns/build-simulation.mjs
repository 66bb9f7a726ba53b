// Compiles the simulation and the sources once: plain modules run twice as fast as those of a test runner.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const built = join(root, '.cache/simulation');

/** Returns the path of the worker's script. */
export function buildSimulation() {
  const config = join(built, 'tsconfig.json');
  mkdirSync(built, { recursive: true });
  const options = {
    rootDir: root,
    outDir: join(built, 'js'),
    declaration: false,
    isolatedDeclarations: false,
    incremental: true,
    tsBuildInfoFile: join(built, 'tsbuildinfo'),
    noEmit: false,
  };
  const include = [join(root, 'src'), join(root, 'test/simulation')];
  const extended = join(root, 'tsconfig.json');
  writeFileSync(
    config,
    JSON.stringify({ extends: extended, compilerOptions: options, include, exclude: ['**/*.test.ts'] }),
  );
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', config], {
    stdio: ['ignore', 2, 2],
  });
  writeFileSync(join(built, 'js/package.json'), '{"type":"module"}\n');
  const modules = join(built, 'js/node_modules');
  if (!existsSync(modules)) symlinkSync(join(root, 'node_modules'), modules, 'dir');
  for (const entry of readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.js')) continue;
    const from = join(entry.parentPath, entry.name);
    const to = join(built, 'js', from.slice(root.length));
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(from, to);
  }
  return join(built, 'js/test/simulation/worker.js');
}
