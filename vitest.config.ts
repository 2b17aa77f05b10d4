import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Samples import the package by its name, as users do.
  resolve: { alias: { mergemate: resolve('pipeline/index.ts') } },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/build.ts',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Pages are slow on a machine that has much else to do.
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    // One test file a core; the default leaves a core of a small machine idle.
    maxWorkers: availableParallelism(),
  },
});
