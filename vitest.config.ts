// How the tests run: in two lanes told apart by the file's name, one process a core, modules shared between files.
import { availableParallelism } from 'node:os';
import { env, versions } from 'node:process';
import { defineConfig } from 'vitest/config';

const SLOW = 'test/**/*.slow.test.ts';
// Campaigns and benchmarks have commands of their own: they take minutes and measure, they do not gate.
const APART = ['**/node_modules/**', 'test/bench/**', 'test/campaigns/**', '**/.stryker-tmp/**'];

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'fast', include: ['test/**/*.test.ts'], exclude: [...APART, SLOW] } },
      // Programs, browsers and servers wait as much as they compute: two for each core. A percentage ends at one.
      {
        extends: true,
        test: {
          name: 'slow',
          include: [SLOW],
          exclude: APART,
          maxWorkers: 2 * availableParallelism(),
          sequence: { groupOrder: 1 },
        },
      },
    ],
    setupFiles: ['test/support/property-runs.ts'],
    // Tests that start programs take many times as long on a machine that others use; one that hangs is still reported.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A page, a process or a lock on such a machine is late, too.
    expect: { poll: { timeout: 20_000 } },
    // What is compiled once is there for the next lane and the next run.
    experimental: { fsModuleCache: true, fsModuleCachePath: '.cache/vitest' },
    pool: 'forks',
    // Nothing in src/ keeps state in a module, so files need no fresh module graph each: a third of the time saved.
    isolate: false,
    maxWorkers: '100%',
    // Node.js 20 compiles less of what runs for moments; later versions refuse the flag.
    execArgv: versions.node.startsWith('20.') ? ['--interrupt-budget=300000'] : [],
    reporters:
      env['CI'] === undefined
        ? ['default']
        : [
            ['default', { summary: false }],
            ['json', { outputFile: '.cache/test-report.json' }],
          ],
  },
});
