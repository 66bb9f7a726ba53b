// The Dockerfile without Docker: what is sent, copied and run, in folders that stand for its stages. What it comes to must start.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { execPath } from 'node:process';

/** Builds the image of the project at `root` in temporary folders; gives what is wrong with it, in words. */
export function problemsOfImage(root) {
  const folder = mkdtempSync(join(tmpdir(), 'trueup-image-'));
  try {
    const context = join(folder, 'context');
    sendContext(root, context);
    const last = buildStages(readFileSync(join(root, 'Dockerfile'), 'utf8'), { folder, context });
    return problemsOfStage(last, root);
  } catch (error) {
    return [`the build fails: ${`${error.message} ${error.stdout ?? ''}`.trim().slice(-600)}`];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Copies the project without what the .dockerignore names. */
function sendContext(root, context) {
  const lines = readFileSync(join(root, '.dockerignore'), 'utf8').trim().split('\n');
  const ignored = lines.map((line) => new RegExp(`^${line.replaceAll('.', '\\.').replaceAll('**/', '(?:.*/)?')}$`));
  const filter = (from) => !ignored.some((pattern) => pattern.test(relative(root, from)));
  cpSync(root, context, { recursive: true, filter });
}

/** Runs the instructions; gives the folder of the last stage. */
function buildStages(text, { folder, context }) {
  const stages = new Map();
  let stage = '';
  let cwd = '/';
  for (const line of text.replaceAll(/\\\n/g, ' ').split('\n')) {
    const [word = '', ...rest] = line.trim().split(/\s+/);
    if (word === 'FROM') {
      stage = join(folder, `stage-${stages.size}`);
      mkdirSync(stage);
      stages.set(rest[2] ?? 'last', stage);
      cwd = '/';
    } else if (word === 'WORKDIR') {
      cwd = rest[0];
      mkdirSync(join(stage, cwd), { recursive: true });
    } else if (word === 'COPY') {
      const from = rest[0].startsWith('--from=') ? stages.get(rest.shift().slice('--from='.length)) : context;
      const to = rest.pop();
      for (const path of rest) copy(join(from, path), join(stage, to.startsWith('/') ? to : join(cwd, to)), path, to);
    } else if (word === 'RUN' && !stages.has('last'))
      execFileSync('sh', ['-ec', rest.join(' ')], { cwd: join(stage, cwd), stdio: ['ignore', 'pipe', 'pipe'] });
  }
  return stage;
}

/** A folder's content is copied, a file goes into a folder that ends with `/` or is `.`. */
function copy(from, to, path, written) {
  const target = /(^\.|\/)$/.test(written) && lstatSync(from).isFile() ? join(to, basename(path)) : to;
  mkdirSync(dirname(target), { recursive: true });
  cpSync(from, target, { recursive: true, verbatimSymlinks: true });
}

function problemsOfStage(stage, root) {
  const home = join(stage, 'opt/trueup');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const run = (...words) =>
    execFileSync(execPath, [join(home, 'dist/cli/bin.js'), ...words], { encoding: 'utf8' }).trim();
  const problems = [];
  if (run('--version') !== version) problems.push('the program says another version');
  if (!run('schema').includes('desired-state')) problems.push('the program has no schemas');
  for (const path of ['src', 'test', '.git', 'node_modules/typescript', 'node_modules/vitest'])
    if (existsSync(join(home, path))) problems.push(`${path} is in the image and not needed there`);
  return problems;
}
