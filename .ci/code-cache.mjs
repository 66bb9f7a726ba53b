// Compiles ahead what the main commands run: V8's code of each bundle, kept beside it for the V8 that made the build.
// usage: node .ci/code-cache.mjs PROGRAM FOLDER    (in a folder with a trueup.yaml; the build calls it)
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { tinyAccount, WISH } from './tiny-account.mjs';

const self = fileURLToPath(import.meta.url);
const codeFolder = (root) => join(root, 'dist', 'cli', 'code');
const compiledFolder = (root) => join(codeFolder(root), 'compiled');
const BUILD = [process.version, process.versions.v8, process.platform, process.arch].join('-');

const COMMANDS = [['--version'], ['--help'], ['validate'], ['plan'], ['apply', '--auto-approve']];

/** Code of older texts must be gone before new texts stand beside it: V8 compares only their lengths. */
export function forgetCompiledCode(root) {
  rmSync(compiledFolder(root), { recursive: true, force: true });
}

/** Runs the main commands of the built program once, in a process of their own, and writes what V8 compiled for them. */
export function compileAhead(root) {
  const cwd = mkdtempSync(join(tmpdir(), 'trueup-build-'));
  try {
    writeFileSync(join(cwd, 'trueup.yaml'), WISH);
    const words = [self, join(root, 'dist', 'cli', 'bin.js'), join(compiledFolder(root), BUILD)];
    const { status, stderr } = spawnSync(process.execPath, words, { cwd, env: {}, encoding: 'utf8' });
    if (status !== 0) throw new Error(`the program could not be compiled ahead: ${stderr}`);
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

/** One command after the other in this process; each ends when nothing is left to wait for. */
async function learn(program, target) {
  const scripts = new Map();
  globalThis.trueupScripts = scripts;
  const server = createServer(tinyAccount()).listen(0, '127.0.0.1').unref();
  await new Promise((resolve) => {
    server.once('listening', resolve);
  });
  process.env.TRUEUP_API_KEY = 'build';
  process.env.TRUEUP_BASE_URL = `http://127.0.0.1:${server.address().port}/api/v2`;
  const launch = launcherOf(program);
  const commands = [...COMMANDS];
  const next = () => {
    const words = commands.shift();
    if (process.exitCode > 0 || words === undefined) {
      process.off('beforeExit', next);
      if (words === undefined) write(scripts, target);
      return;
    }
    process.argv = [process.execPath, program, ...words];
    // What only waits for promises would not come back here.
    setImmediate(launch);
  };
  process.on('beforeExit', next);
}

/** Runs the launcher as Node.js would, as often as it is called. */
function launcherOf(program) {
  const text = readFileSync(program, 'utf8').replace(/^#!.*/, '');
  const wrapped = new Script(`(function (require, __filename, __dirname) {${text}\n})`).runInThisContext();
  return () => wrapped(createRequire(program), program, dirname(program));
}

function write(scripts, target) {
  mkdirSync(target, { recursive: true });
  for (const [name, script] of scripts) writeFileSync(join(target, name), script.createCachedData());
}

if (process.argv[1] === self) await learn(process.argv[2], process.argv[3]);
