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

/** What every command takes is learnt first; then each runs from a pack of just that, and V8's code of the pack is kept. */
async function learn(program, target) {
  const server = createServer(tinyAccount()).listen(0, '127.0.0.1').unref();
  await new Promise((resolve) => {
    server.once('listening', resolve);
  });
  process.env.TRUEUP_API_KEY = 'build';
  process.env.TRUEUP_BASE_URL = `http://127.0.0.1:${server.address().port}/api/v2`;
  mkdirSync(target, { recursive: true });
  const run = runnerOf(program);
  const code = join(dirname(program), 'code');
  const taken = new Map();
  for (const words of COMMANDS) taken.set(words, await run(words, null));
  for (const words of COMMANDS) {
    const [name] = words;
    const text = packOf(code, taken.get(words));
    const pack = new Script(text, { filename: `trueup/${name}.js` });
    await run(words, pack);
    writeFileSync(join(target, name), pack.createCachedData());
    writeFileSync(join(target, `${name}.js`), text);
  }
}

/** The parts as one text: an object of functions, as the launcher reads it. */
function packOf(folder, names) {
  const part = (name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    return `${JSON.stringify(name)}: function (exports, require, module, __filename, __dirname) { ${text}\n}`;
  };
  return `({\n${[...names].map(part).join(',\n')}\n})`;
}

/** Runs the launcher as Node.js would, as often as it is called; a command ends when nothing is left to wait for. */
function runnerOf(program) {
  const text = readFileSync(program, 'utf8').replace(/^#!.*/, '');
  const wrapped = new Script(`(function (require, __filename, __dirname) {${text}\n})`).runInThisContext();
  return (words, pack) =>
    new Promise((resolve, reject) => {
      const taken = new Set();
      globalThis.trueupLearning = { pack, taken };
      process.argv = [process.execPath, program, ...words];
      process.once('beforeExit', () => {
        process.removeAllListeners('uncaughtException');
        process.removeAllListeners('exit');
        if (process.exitCode > 0) reject(new Error(`${words.join(' ')} ended with ${process.exitCode}`));
        else resolve(taken);
      });
      // What only waits for promises would not come back here.
      setImmediate(() => wrapped(createRequire(program), program, dirname(program)));
    });
}

if (process.argv[1] === self) await learn(process.argv[2], process.argv[3]);
