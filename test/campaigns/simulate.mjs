// The simulation campaign: single faults, crash points, keys and seeds over all cores; `--seed N` plays one seed and tells it.
import { execFileSync, spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const USAGE = `node test/campaigns/simulate.mjs [--seeds N] [--from N] [--keys all|some] [--only faults,crashes,keys,seeds]
                                     [--workers N] [--figures FILE] [--json]
node test/campaigns/simulate.mjs --seed N`;

const root = fileURLToPath(new URL('../../', import.meta.url));
const built = join(root, '.cache/simulation');
const scenarios = join(root, '.cache/simulation-scenarios');

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string', default: '300000' },
    from: { type: 'string', default: '0' },
    keys: { type: 'string', default: 'all' },
    only: { type: 'string', default: 'faults,crashes,keys,seeds' },
    workers: { type: 'string', default: String(availableParallelism()) },
    figures: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** Compiled once: plain modules run twice as fast as those of a test runner. */
function build() {
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
  writeFileSync(
    config,
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: options,
      include,
      exclude: ['**/*.test.ts'],
    }),
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
}

/** Runs one worker; resolves with what it printed. */
function work(job) {
  return new Promise((resolve, reject) => {
    // Worlds live for milliseconds: a large nursery spares most of the collecting.
    const flags = ['--max-semi-space-size=64'];
    const script = join(built, 'js/test/simulation/worker.js');
    const child = spawn(process.execPath, [...flags, script, JSON.stringify(job)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pieces = [];
    child.stdout.on('data', (piece) => pieces.push(piece));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(Buffer.concat(pieces).toString('utf8'));
      else reject(new Error(`a worker ended with code ${code}: ${JSON.stringify(job)}`));
    });
  });
}

/** All shares of a job, over all workers. */
async function play(job, parts) {
  const begunMs = performance.now();
  const texts = await Promise.all(Array.from({ length: parts }, (_, part) => work({ ...job, part, parts })));
  const sum = {
    schedules: 0,
    faults: 0,
    crashPoints: 0,
    runs: 0,
    exchanges: 0,
    simulatedMs: 0,
    repeated: 0,
    violations: [],
  };
  for (const text of texts)
    for (const [name, value] of Object.entries(JSON.parse(text)))
      sum[name] = Array.isArray(value) ? [...sum[name], ...value] : sum[name] + value;
  return { ...sum, seconds: (performance.now() - begunMs) / 1000 };
}

function words(name, { schedules, faults, crashPoints, runs, exchanges, simulatedMs, seconds, violations }) {
  const hours = Math.round(simulatedMs / 3_600_000);
  return `${name}: ${schedules} schedules, ${faults} faults, ${crashPoints} crash points, ${runs} runs, ${exchanges} exchanges, ${hours} simulated hours, ${violations.length} violations, ${seconds.toFixed(1)} s (${Math.round(schedules / seconds)} a second)`;
}

function tell(violations) {
  for (const { name, words: what } of violations.slice(0, 20)) {
    console.error(`\n${name}\n  ${what.join('\n  ')}`);
    const seed = /^seed (\d+)$/.exec(name)?.[1];
    if (seed !== undefined) console.error(`  again: node test/campaigns/simulate.mjs --seed ${seed}`);
  }
  if (violations.length > 20) console.error(`\n… and ${violations.length - 20} more`);
}

/** Puts the figures between the marks of a document. */
function writeFigures(file, results) {
  const all = Object.values(results);
  const total = (name) => all.reduce((sum, one) => sum + one[name], 0).toLocaleString('en-US');
  const row = (what, value) => `| ${what} | ${value} |`;
  const table = [
    '| figure | value |',
    '| --- | --- |',
    row('schedules played', total('schedules')),
    ...Object.entries(results).map(([name, one]) => row(`of these, ${name}`, one.schedules.toLocaleString('en-US'))),
    row('faults injected', total('faults')),
    row('deaths at crash points', total('crashPoints')),
    row('runs of the reconciler', total('runs')),
    row('exchanges with the control plane', total('exchanges')),
    row(
      'simulated hours',
      Math.round(all.reduce((sum, one) => sum + one.simulatedMs, 0) / 3_600_000).toLocaleString('en-US'),
    ),
    row('schedules played twice, to the same bytes', total('repeated')),
    row(
      'violations',
      all.reduce((sum, one) => sum + one.violations.length, 0),
    ),
    row('time', `${Math.round(all.reduce((sum, one) => sum + one.seconds, 0))} s with ${values.workers} workers`),
  ];
  const text = readFileSync(file, 'utf8');
  const marked = /(<!-- figures:begin -->\n)[\s\S]*?(<!-- figures:end -->)/;
  if (!marked.test(text)) throw new Error(`${file} has no place for figures`);
  writeFileSync(
    file,
    text.replace(marked, (_, begin, end) => `${begin}\n${table.join('\n')}\n\n${end}`),
  );
}

async function main() {
  build();
  if (values.seed !== undefined) {
    process.stdout.write(await work({ job: 'seed', seed: Number(values.seed), folder: scenarios, part: 0, parts: 1 }));
    return;
  }
  const parts = Number(values.workers);
  const from = Number(values.from);
  const extent = values.keys === 'all' ? { workloads: 5, faults: 8 } : { workloads: 1, faults: 1 };
  const jobs = {
    faults: { job: 'faults' },
    crashes: { job: 'crashes' },
    keys: { job: 'keys', ...extent },
    seeds: { job: 'seeds', from, to: from + Number(values.seeds) },
  };
  const names = {
    faults: 'single faults',
    crashes: 'single crashes',
    keys: 'keys: a crash and a fault',
    seeds: 'random',
  };
  const results = {};
  for (const name of values.only.split(',')) {
    results[names[name]] = await play(jobs[name], parts);
    console.error(words(names[name], results[names[name]]));
  }
  const violations = Object.values(results).flatMap((one) => one.violations);
  tell(violations);
  for (const { name } of violations.slice(0, 3)) {
    const seed = /^seed (\d+)$/.exec(name)?.[1];
    if (seed !== undefined) await work({ job: 'seed', seed: Number(seed), folder: scenarios, part: 0, parts: 1 });
  }
  if (values.figures !== undefined) writeFigures(values.figures, results);
  if (values.json) console.log(JSON.stringify(results));
  process.exitCode = violations.length > 0 ? 1 : 0;
}

if (values.help) console.log(USAGE);
else {
  rmSync(scenarios, { recursive: true, force: true });
  await main();
}
