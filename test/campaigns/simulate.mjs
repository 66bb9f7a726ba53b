// The simulation campaign: all faults, crash points, keys and many seeds over all cores; `--story NAME` plays one story and tells it.
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildSimulation } from './build-simulation.mjs';
import { sumOf, wordsOf, writeFigures } from './simulation-figures.mjs';
import { workAll } from './work-force.mjs';

const USAGE = `node test/campaigns/simulate.mjs [--seeds N] [--from N] [--heal-every N] [--rules N] [--only faults,crashes,keys,seeds,rules] [--workloads PATTERN] [--some] [--workers N] [--figures FILE] [--json]
node test/campaigns/simulate.mjs --story NAME | --seed N`;
const NAMES = {
  faults: 'single faults',
  crashes: 'single crashes',
  keys: 'keys: a crash and a fault',
  seeds: 'random',
  rules: 'rules and their lists',
};
/** Seeds of one job. */
const BLOCK = 200;
const scenarios = fileURLToPath(new URL('../../.cache/simulation-scenarios', import.meta.url));

const { values } = parseArgs({
  options: {
    story: { type: 'string' },
    seed: { type: 'string' },
    seeds: { type: 'string', default: '300000' },
    rules: { type: 'string', default: '100000' },
    from: { type: 'string', default: '0' },
    'heal-every': { type: 'string', default: '1' },
    only: { type: 'string', default: 'faults,crashes,keys,seeds,rules' },
    workloads: { type: 'string', default: '' },
    some: { type: 'boolean', default: false },
    workers: { type: 'string', default: String(availableParallelism()) },
    figures: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** The jobs, the longest first. */
function jobsOf(kinds, { names, keys }) {
  const meant = new RegExp(values.workloads);
  const isMeant = (workload) => meant.test(names[workload]);
  const all = [...names.keys()].filter(isMeant);
  const from = Number(values.from);
  const healEvery = Number(values['heal-every']);
  const blocks = (job) => {
    const to = from + Number(values[job]);
    const begins = Array.from({ length: Math.ceil((to - from) / BLOCK) }, (_, at) => from + at * BLOCK);
    return begins.map((begin) => ({ job, from: begin, to: Math.min(begin + BLOCK, to), healEvery }));
  };
  const partOf = (at) => (values.some ? { at, of: all.length } : null);
  const jobs = {
    keys: keys.filter(isMeant).map((workload) => ({ job: 'keys', workload })),
    faults: all.map((workload, at) => ({ job: 'faults', workload, part: partOf(at) })),
    crashes: all.map((workload, at) => ({ job: 'crashes', workload, part: partOf(at) })),
    seeds: blocks('seeds'),
    rules: blocks('rules'),
  };
  return Object.entries(jobs).flatMap(([kind, ofKind]) => (kinds.includes(kind) ? ofKind : []));
}

/** Says on a terminal how far it is. */
function progress(total) {
  if (!process.stderr.isTTY) return () => undefined;
  let done = 0;
  return () => process.stderr.write(`\r${++done} of ${total} jobs${done === total ? '\n' : ''}`);
}

function tell(violations) {
  for (const { name, words } of violations.slice(0, 20)) {
    console.error(`\n${name}\n  ${words.join('\n  ')}`);
    console.error(`  again: ${againOf(name)}`);
  }
  if (violations.length > 20) console.error(`\n… and ${violations.length - 20} more`);
}

/** The command that plays exactly this story, and writes it down. */
function againOf(name) {
  return `node test/campaigns/simulate.mjs --story '${name}'`;
}

async function tellStories(script, names) {
  const stories = await workAll(
    script,
    names.map((name) => ({ job: 'story', name, folder: scenarios })),
    1,
  );
  return stories.map(({ result }) => result).join('\n');
}

async function main() {
  rmSync(scenarios, { recursive: true, force: true });
  const script = buildSimulation();
  const story = values.seed === undefined ? values.story : `seed ${values.seed}`;
  if (story !== undefined) {
    process.stdout.write(await tellStories(script, [story]));
    return;
  }
  const begunMs = performance.now();
  const workers = Number(values.workers);
  const kinds = values.only.split(',');
  const [{ result: workloads }] = await workAll(script, [{ job: 'list' }], 1);
  const jobs = jobsOf(kinds, workloads);
  const finished = await workAll(script, jobs, workers, progress(jobs.length));
  const seconds = (performance.now() - begunMs) / 1000;
  const results = {};
  for (const kind of Object.keys(NAMES).filter((name) => kinds.includes(name))) {
    const sum = sumOf(finished.filter(({ job }) => job.job === kind));
    results[NAMES[kind]] = { ...sum, violations: sum.violations.map((one) => ({ ...one, again: againOf(one.name) })) };
    console.error(wordsOf(NAMES[kind], results[NAMES[kind]]));
  }
  console.error(`${seconds.toFixed(1)} s with ${workers} workers`);
  const violations = Object.values(results).flatMap((one) => one.violations);
  tell(violations);
  await tellStories(
    script,
    violations.slice(0, 3).map(({ name }) => name),
  );
  if (values.figures !== undefined) writeFigures(values.figures, results, { seconds, workers });
  if (values.json) console.log(JSON.stringify(results));
  process.exitCode = violations.length > 0 ? 1 : 0;
}

if (values.help) console.log(USAGE);
else await main();
