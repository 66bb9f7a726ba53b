// One run of Stryker over one room, in a copy of the checkout.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { copyCheckout } from './workshop.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const stryker = join(here, 'node_modules/@stryker-mutator/core/bin/stryker.js');
/** A disk in memory, where there is one: most of the time of a test of files goes into the disk. */
const scratch = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** The configuration of vitest, in a file of the copy. */
const config = ({ tests, testTimeoutMs = 5_000 }) => `import { QuickFirst } from './test/mutants/quick-first.mjs';
import { warmThreads } from './test/mutants/warm-threads.mjs';

export default {
  cacheDir: '.vite',
  plugins: [warmThreads()],
  test: {
    include: ${JSON.stringify(tests)},
    setupFiles: ['./test/mutants/no-mutant.mjs'],
    testTimeout: ${testTimeoutMs},
    isolate: false,
    sequence: { sequencer: QuickFirst },
  },
};
`;

function options({ mutate, workers, again }) {
  return {
    testRunner: 'vitest',
    vitest: { configFile: 'vitest.mutation.mjs', related: false },
    coverageAnalysis: 'perTest',
    ignoreStatic: true,
    inPlace: true,
    concurrency: workers,
    mutate,
    mutator: { excludedMutations: ['StringLiteral'] },
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: 'mutation.json' },
    tempDirName: '.stryker',
    // A busy machine is no endless loop.
    timeoutMS: 5_000,
    timeoutFactor: 1.5,
    // A thread that ran very many tests is replaced.
    maxTestRunnerReuse: 400,
    checkers: [],
    incremental: true,
    incrementalFile: 'incremental.json',
    force: !again,
  };
}

/** A worker that broke runs no tests, and Stryker takes its silence for a mutant that nobody noticed. */
function check(files) {
  for (const [file, { mutants }] of Object.entries(files)) {
    const unheard = mutants.find(
      ({ status, testsCompleted, coveredBy = [] }) => status === 'Survived' && testsCompleted < coveredBy.length,
    );
    if (unheard !== undefined)
      throw new Error(`in ${file}, line ${unheard.location.start.line}: not all tests ran against a mutant`);
  }
}

/**
 * The files of Stryker's report, each with its source and its mutants. `kept` is the file with what Stryker knows of each mutant,
 * for a later run that asks only for what changed; it is written when the run was sound.
 */
export function mutateRoom(root, room, { workers, kept, again }) {
  const copy = copyCheckout(root, scratch);
  const incremental = join(copy, 'incremental.json');
  // A killed test leaves files behind; within the copy they would belong to its package.
  const temporary = mkdtempSync(join(scratch, 'trueup-tests-'));
  try {
    if (again && existsSync(kept)) copyFileSync(kept, incremental);
    writeFileSync(join(copy, 'vitest.mutation.mjs'), config(room));
    writeFileSync(join(copy, 'stryker.json'), JSON.stringify(options({ mutate: room.files, workers, again })));
    const { status } = spawnSync(process.execPath, [stryker, 'run', 'stryker.json'], {
      cwd: copy,
      env: { ...process.env, TMPDIR: temporary },
      stdio: 'inherit',
    });
    if (status !== 0) throw new Error(`Stryker ended with code ${status}`);
    const report = JSON.parse(readFileSync(join(copy, 'mutation.json'), 'utf8'));
    check(report.files);
    if (kept !== undefined) copyFileSync(incremental, kept);
    return report.files;
  } finally {
    for (const folder of [copy, temporary]) rmSync(folder, { recursive: true, force: true });
  }
}
