// Builds dist/ anew: generated code, compiled modules, validators, and the program in a few files.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { bundleProgram } from './bundle.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** Everything is built here first: dist is never half made. */
const draft = join(root, '.cache', `dist-${process.pid}`);
const program = join(draft, 'cli');
const node = (...args) => execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit' });

try {
  node('schemas/generate.mjs');
  const options = ['--incremental', 'false', '--tsBuildInfoFile', 'null', '--outDir', draft];
  node('node_modules/typescript/bin/tsc', '-p', 'tsconfig.json', ...options);
  node('schemas/generate.mjs', '--into', relative(root, draft));
  rmSync(program, { recursive: true, force: true });
  await bundleProgram(root, program);
  writeFileSync(join(program, 'package.json'), '{ "type": "commonjs" }\n');
  for (const name of ['bin.js', 'tour.js']) chmodSync(join(program, name), 0o755);
  // A program that runs meanwhile still loads parts of itself: two renames leave it no gap.
  const former = `${draft}-former`;
  if (existsSync(join(root, 'dist'))) renameSync(join(root, 'dist'), former);
  renameSync(draft, join(root, 'dist'));
  rmSync(former, { recursive: true, force: true });
} catch (error) {
  rmSync(draft, { recursive: true, force: true });
  // A tool that failed has said what is wrong; its exit code is ours.
  if (error.status === undefined) throw error;
  process.exitCode = error.status;
}
