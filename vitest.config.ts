import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/build.ts',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // One test file a core; the default leaves a core of a small machine idle.
    maxWorkers: availableParallelism(),
  },
});
