import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/.stryker-tmp/**'],
    testTimeout: 20_000,
    pool: 'forks',
  },
});
