// Who tests the tests: plants one defect after the other in a copy of the checkout; the tests named for it must fail.
// usage: node test/mutants/run.mjs [--only WORDS,WORDS] [--workers N] [--figures FILE]
import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { plant, plantedDefects } from './defects.mjs';
import { writeBetween } from './figures.mjs';
import { copyCheckout } from './workshop.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The tests of this ring run the built program. */
const REAL = 'the real thing';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    workers: { type: 'string', default: String(availableParallelism()) },
    figures: { type: 'string' },
  },
});

// With `CI` set, the tests would write their report elsewhere.
const { CI: _, ...env } = { ...process.env, NO_COLOR: '1' };

function start(cwd, ...args) {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd, env, maxBuffer: 1 << 28 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : 1, output: `${stdout}${stderr}` }),
    );
  });
}

/** What the tests say of the copy as it is. A file that could not even be loaded says nothing, and neither does a test that hung. */
async function verdictOf(copy, { tests, ring, named }, unsound = new Set()) {
  if (ring === REAL) {
    const built = await start(copy, '.ci/build.mjs');
    if (built.code !== 0) return { state: 'broken', words: built.output };
  }
  const report = join(copy, 'report.json');
  const vitest = join('node_modules', 'vitest', 'vitest.mjs');
  const names = named === undefined ? [] : ['-t', named];
  const args = ['run', '--reporter=json', `--outputFile=${report}`, '--bail=0', ...names, ...tests];
  const { output } = await start(copy, vitest, ...args);
  let files;
  try {
    files = JSON.parse(readFileSync(report, 'utf8')).testResults;
  } catch {
    return { state: 'broken', words: output };
  }
  rmSync(report);
  // A process that died has run none of them.
  const isRun = ({ status }) => status === 'passed' || status === 'failed';
  if (!files.every(({ assertionResults }) => assertionResults.some(isRun))) return { state: 'broken', words: output };
  const failed = files
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status, fullName }) => status === 'failed' && !unsound.has(fullName));
  if (failed.length === 0) return { state: 'passed', words: '', failed };
  const judged = failed.filter(({ failureMessages }) => failureMessages.some(isJudgement));
  const words = failed.map(({ fullName, failureMessages: [first = ''] }) => `${fullName}: ${first.split('\n')[0]}`);
  return { state: judged.length > 0 ? 'failed' : 'broken', words: words.join('\n'), failed, count: judged.length };
}

/** True for an expectation that was not met or an error of the program; not for code that cannot run, nor for a test that hung. */
function isJudgement(message) {
  return !/^(SyntaxError|ReferenceError)|is not defined|Test timed out|Hook timed out/.test(message);
}

async function check(defect, copy, unsound) {
  const path = join(copy, defect.file);
  const sound = readFileSync(path, 'utf8');
  writeFileSync(path, plant(defect, sound));
  try {
    return await verdictOf(copy, defect, unsound);
  } finally {
    writeFileSync(path, sound);
  }
}

const WORDS = { passed: 'NOT CAUGHT', broken: 'NO VERDICT' };

/** Takes defects from the queue until there are none; returns those that were caught. */
async function work(queue, copy, unsound) {
  const caught = [];
  for (let defect = queue.shift(); defect !== undefined; defect = queue.shift()) {
    const { state, words, count } = await check(defect, copy, unsound);
    const by = state === 'failed' ? `${defect.ring}, ${count} failed` : WORDS[state];
    console.log(
      `${state === 'failed' ? 'ok  ' : 'FAIL'} ${defect.name} (${by})${state === 'failed' ? '' : `\n${words}`}`,
    );
    if (state === 'failed') caught.push(defect);
  }
  return caught;
}

const wanted = values.only.split(',');
const defects = plantedDefects().filter(({ name, file, ring }) =>
  wanted.some((words) => `${name} ${file} ${ring}`.includes(words)),
);
// Every place is looked for before anything runs.
for (const defect of defects) plant(defect, readFileSync(join(root, defect.file), 'utf8'));
const copies = Array.from({ length: Number(values.workers) }, () => copyCheckout(root));
try {
  const tests = [...new Set(defects.flatMap((defect) => defect.tests))];
  const ring = defects.some((defect) => defect.ring === REAL) ? REAL : '';
  const sound = await verdictOf(copies[0], { tests, ring });
  if (sound.failed === undefined) throw new Error(`the tests do not run\n${sound.words}`);
  // A test that fails anyway catches nothing.
  const unsound = new Set(sound.failed.map(({ fullName }) => fullName));
  if (unsound.size > 0) console.log(`without any defect these fail:\n${sound.words}`);
  const queue = [...defects];
  const caught = (await Promise.all(copies.map((copy) => work(queue, copy, unsound)))).flat();
  const rings = [...new Set(caught.map(({ ring }) => ring))].map(
    (ring) => `${ring} ${caught.filter((one) => one.ring === ring).length}`,
  );
  console.log(`${caught.length} of ${defects.length} planted defects caught (${rings.join(', ')})`);
  if (values.figures !== undefined)
    writeBetween(values.figures, 'planted', [
      '| figure | value |',
      '| --- | --- |',
      `| planted defects caught | ${caught.length} of ${defects.length} |`,
      ...rings.map((ring) => `| of these, by the ring | ${ring} |`),
    ]);
  process.exitCode = caught.length === defects.length && unsound.size === 0 ? 0 : 1;
} finally {
  for (const copy of copies) rmSync(copy, { recursive: true, force: true });
}
