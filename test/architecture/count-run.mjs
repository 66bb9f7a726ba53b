// Counts the files of the engine that a run enters, and the lines of them that it executes, over a compile that is not bundled.
// usage: node test/architecture/count-run.mjs [--files]      prints a row for each run; --files lists the files of the first one
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PARTS } from './count-source.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const installed = join(root, '.cache', 'unbundled');
const compiled = join(installed, 'dist');
const program = join(compiled, 'cli', 'bin.js');

const before = `version: 1
projects: { shop: { computes: { running: { branch_id: br-calm-sea-220011 } } } }
`;
const patched = before.replace('220011 }', '220011, autoscaling_limit_max_cu: 2 }');
const grown = `version: 1
projects:
  shop:
    branches:
      next:
        from: br-wispy-meadow-118737
        roles: { app: {} }
        databases: { orders: { owner: app } }
        connections: { url: { role: app, database: orders, secret: { file: url.txt } } }
    computes:
      running: { branch_id: br-calm-sea-220011, autoscaling_limit_max_cu: 2 }
      next: { branch: next }
`;

/** [name, arguments, the file as it is then] */
const RUNS = [
  ['patch of one attribute', ['apply', '--auto-approve'], patched],
  ['branch, role, database, connection', ['apply', '--auto-approve'], grown],
  ['drift without a difference', ['drift'], grown],
];

function compile() {
  rmSync(installed, { recursive: true, force: true });
  for (const name of ['package.json', 'schemas']) cpSync(join(root, name), join(installed, name), { recursive: true });
  const run = (...args) => execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  run('schemas/generate.mjs');
  const options = ['--incremental', 'false', '--tsBuildInfoFile', 'null', '--outDir', compiled, '--sourceMap', 'false'];
  run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.json', '--removeComments', ...options);
  run('schemas/generate.mjs', '--into', '.cache/unbundled/dist');
}

/** The lines of `text` that the ranges of V8's block coverage show as executed, outside the body of the module itself. */
function linesRun(text, functions) {
  const counts = new Int32Array(text.length).fill(-1);
  // An outer range comes before the ranges in it.
  for (const { ranges, functionName } of functions) {
    const isModule = functionName === '' && ranges[0].startOffset === 0 && ranges[0].endOffset === text.length;
    for (const { startOffset, endOffset, count } of ranges) counts.fill(isModule ? -1 : count, startOffset, endOffset);
  }
  let at = 0;
  let run = 0;
  for (const line of text.split('\n')) {
    const isRun = [...line].some((char, index) => char.trim() !== '' && counts[at + index] > 0);
    if (isRun) run += 1;
    at += line.length + 1;
  }
  return run;
}

/** [path, lines executed] of each entered file of the engine. */
function enteredIn(folder) {
  const lines = new Map();
  for (const name of readdirSync(folder)) {
    for (const { url, functions } of JSON.parse(readFileSync(join(folder, name), 'utf8')).result) {
      const path = url.startsWith('file:') ? fileURLToPath(url) : '';
      const local = path.startsWith(`${compiled}/`) ? path.slice(compiled.length + 1) : '';
      if (!PARTS.engine.includes(local.split('/')[0]) || local.includes('generated')) continue;
      const run = linesRun(readFileSync(path, 'utf8'), functions);
      if (run > 0) lines.set(local, Math.max(run, lines.get(local) ?? 0));
    }
  }
  return [...lines].sort(([a], [b]) => (a < b ? -1 : 1));
}

compile();
const folder = mkdtempSync(join(tmpdir(), 'trueup-count-'));
const ready = join(folder, 'ready.json');
const state = { ...process.env, XDG_STATE_HOME: join(folder, 'state') };
const server = spawn(
  process.execPath,
  [program, 'serve', '--ephemeral', '--port', '0', '--operation-ms', '100-200', '--ready-file', ready],
  { cwd: folder, env: state, stdio: 'ignore' },
);
try {
  for (let tries = 0; !existsSync(ready) && tries < 200; tries += 1) await sleep(50);
  const { url, key_file: keyFile } = JSON.parse(readFileSync(ready, 'utf8'));
  const trueup = (args, extra = {}) =>
    execFileSync(process.execPath, [program, ...args, '--base-url', `${url}/api/v2`, '--api-key-file', keyFile], {
      cwd: folder,
      env: { ...state, ...extra },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  writeFileSync(join(folder, 'trueup.yaml'), before);
  trueup(['apply', '--auto-approve']);
  process.stdout.write(`${'run'.padEnd(38)}${'files entered'.padStart(14)}${'lines run'.padStart(11)}\n`);
  for (const [index, [name, args, text]] of RUNS.entries()) {
    writeFileSync(join(folder, 'trueup.yaml'), text);
    const coverage = join(folder, `coverage-${index}`);
    trueup(args, { NODE_V8_COVERAGE: coverage });
    const entered = enteredIn(coverage);
    const lines = entered.reduce((sum, [, run]) => sum + run, 0);
    process.stdout.write(`${name.padEnd(38)}${String(entered.length).padStart(14)}${String(lines).padStart(11)}\n`);
    if (index === 0 && process.argv.includes('--files'))
      for (const [path, run] of entered) process.stdout.write(`${String(run).padStart(8)}  ${path}\n`);
  }
} finally {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}
