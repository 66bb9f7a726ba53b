// Mutation testing: Stryker changes one operator, condition or value at a time, and a test must notice each.
// usage: node test/mutants/stryker.mjs [--room NAME,NAME] [--figures FILE] [--survivors] [--workers N] [--again]
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeBetween } from './figures.mjs';
import { rooms } from './rooms.mjs';
import { copyCheckout } from './workshop.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '../..');
/** Reports of the last run of each room. */
const reports = join(root, '.cache/mutation');

const { values } = parseArgs({
  options: {
    room: { type: 'string', default: Object.keys(rooms).join(',') },
    mutate: { type: 'string' },
    figures: { type: 'string' },
    survivors: { type: 'boolean', default: false },
    workers: { type: 'string', default: '2' },
    // Only what changed since the last run, or was not noticed by it.
    again: { type: 'boolean', default: false },
  },
});

/** One run of Stryker over a room; the files of its report. */
function mutate(name, { files, tests }) {
  const copy = copyCheckout(root);
  mkdirSync(reports, { recursive: true });
  writeFileSync(
    join(copy, 'vitest.mutation.mjs'),
    `export default { test: ${JSON.stringify({ include: tests, testTimeout: 20_000, isolate: false })} };\n`,
  );
  writeFileSync(
    join(copy, 'stryker.json'),
    JSON.stringify({
      testRunner: 'vitest',
      vitest: { configFile: 'vitest.mutation.mjs', related: false },
      coverageAnalysis: 'perTest',
      ignoreStatic: true,
      inPlace: true,
      concurrency: Number(values.workers),
      mutate: values.mutate?.split(',') ?? files,
      mutator: { excludedMutations: ['StringLiteral'] },
      reporters: ['json', 'progress-append-only'],
      jsonReporter: { fileName: 'mutation.json' },
      tempDirName: '.stryker',
      timeoutMS: 10_000,
      checkers: [],
      incremental: true,
      incrementalFile: join(reports, `${name}.json`),
      force: !values.again,
    }),
  );
  const stryker = join(here, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const { status } = spawnSync(process.execPath, [stryker, 'run', 'stryker.json'], { cwd: copy, stdio: 'inherit' });
  if (status !== 0) throw new Error(`Stryker ended with code ${status} in the room ${name} (${copy})`);
  const report = JSON.parse(readFileSync(join(copy, 'mutation.json'), 'utf8'));
  rmSync(copy, { recursive: true, force: true });
  return report.files;
}

const DETECTED = ['Killed', 'Timeout'];
const UNDETECTED = ['Survived', 'NoCoverage'];

/** How many mutants were noticed, of those that could be. */
function countOf(files) {
  const all = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status));
  const count = (words) => all.filter((status) => words.includes(status)).length;
  const noticed = count(DETECTED);
  return { noticed, of: noticed + count(UNDETECTED) };
}

function words(name, { noticed, of }) {
  return `${name}: ${noticed} of ${of} mutants noticed, ${percent({ noticed, of })}`;
}

function percent({ noticed, of }) {
  return of === 0 ? 'nothing to change' : `${((100 * noticed) / of).toFixed(1)} %`;
}

/** One line a mutant that no test noticed: where, and what stood there instead. */
function tellSurvivors(files) {
  for (const [file, { source, mutants }] of Object.entries(files)) {
    const lines = source.split('\n');
    for (const { status, location, replacement, mutatorName } of mutants) {
      if (!UNDETECTED.includes(status)) continue;
      const { start, end } = location;
      const line = lines[start.line - 1];
      const old = start.line === end.line ? line.slice(start.column - 1, end.column - 1) : `${line.trim()} …`;
      const other = replacement?.replaceAll(/\s+/g, ' ').slice(0, 100);
      console.log(`${file}:${start.line}:${start.column} ${status} ${mutatorName}\n    - ${old}\n    + ${other}`);
    }
  }
}

if (!existsSync(join(here, 'node_modules')))
  execFileSync('npm', ['ci', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'], {
    cwd: here,
    stdio: 'inherit',
  });
const counts = {};
for (const name of values.room.split(',')) {
  const files = mutate(name, rooms[name]);
  counts[name] = countOf(files);
  for (const [file, one] of Object.entries(files)) console.log(`  ${words(file, countOf({ one }))}`);
  if (values.survivors) tellSurvivors(files);
  console.log(words(name, counts[name]));
}
const sum = Object.values(counts).reduce(
  (total, { noticed, of }) => ({ noticed: total.noticed + noticed, of: total.of + of }),
  { noticed: 0, of: 0 },
);
console.log(words('together', sum));
if (values.figures !== undefined) {
  const rows = Object.entries({ ...counts, together: sum }).map(
    ([name, count]) => `| mutants noticed, ${name} | ${count.noticed} of ${count.of} (${percent(count)}) |`,
  );
  writeBetween(values.figures, 'mutation', ['| figure | value |', '| --- | --- |', ...rows]);
}
