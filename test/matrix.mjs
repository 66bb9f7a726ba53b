// Runs the built program and the tests under other Node lines, whose binaries come from the npm registry.
// usage: node test/matrix.mjs [LINE…] [--smoke] [-- VITEST ARGUMENT…]      (lines: 22 24 26 unless told otherwise)
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [own, vitestArguments] = splitAt(process.argv.slice(2), '--');
const asked = own.filter((argument) => /^\d+$/.test(argument));
const failed = [];
for (const line of asked.length > 0 ? asked : ['22', '24', '26']) {
  const node = install(line);
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
  const run = (...args) => execFileSync(node, args, { cwd: root, env, stdio: 'inherit' });
  try {
    console.log(`\n== Node ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()}`);
    for (const argument of ['--version', '--help']) runQuietly(node, ['dist/cli/bin.js', argument], env);
    if (!own.includes('--smoke')) run('node_modules/vitest/vitest.mjs', 'run', ...vitestArguments);
  } catch {
    failed.push(line);
  }
}
console.log(failed.length === 0 ? '\nall lines green' : `\nfailed under Node ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** Runs the program, which must end well and complain of nothing. */
function runQuietly(node, args, env) {
  const { status, stderr } = spawnSync(node, args, { cwd: root, env, encoding: 'utf8' });
  if (status === 0 && stderr === '') return;
  console.error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  throw new Error('the program complains');
}

function install(line) {
  const packageName = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const folder = join(root, '.cache', `node${line}`);
  const node = join(folder, 'node_modules', packageName, 'bin', 'node');
  if (!existsSync(node)) {
    mkdirSync(folder, { recursive: true });
    const options = ['--no-save', '--no-audit', '--no-fund', '--prefix', folder];
    execFileSync('npm', ['install', ...options, `${packageName}@${line}`], { stdio: 'inherit' });
  }
  return node;
}

function splitAt(list, separator) {
  const at = list.indexOf(separator);
  return at < 0 ? [list, []] : [list.slice(0, at), list.slice(at + 1)];
}
