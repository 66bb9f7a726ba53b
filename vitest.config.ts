// How the tests run: one process a core, modules shared between files, a report for machines where `CI` is set.
import { env, versions } from 'node:process';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Campaigns and benchmarks have commands of their own: they take minutes and measure, they do not gate.
    exclude: ['**/node_modules/**', 'test/bench/**', 'test/campaigns/**', '**/.stryker-tmp/**'],
    // Tests that start programs take many times as long on a machine that others use; one that hangs is still told.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Nothing in src/ keeps state in a module, so files need no fresh module graph each: a third of the time saved.
    isolate: false,
    maxWorkers: '100%',
    // As the program itself (src/cli/bin.ts): Node.js 20 compiles less of what runs for moments; later versions refuse the flag.
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
