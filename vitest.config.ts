import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Folders whose tests need sources alone: `npm run test:unit` runs these tests. */
const UNIT = ['operators', 'pipeline', 'phases', 'table', 'probe', 'publish', 'analysis', 'graph'].map(
  (folder) => `test/${folder}/**/*.test.ts`,
);

/** Replaces a module, which other files in the same process must not see. */
const ALONE = ['test/syzygy/mirrors.test.ts'];

export default defineConfig({
  // Samples import the package by its name, as users do.
  resolve: { alias: { mergemate: resolve('pipeline/index.ts') } },
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Pages are slow on a machine that has much else to do.
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    // One test file a core; the default leaves a core of a small machine idle.
    maxWorkers: availableParallelism(),
    // Files share a process: to start one and to import the sources takes longer than many of these files.
    isolate: false,
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: UNIT, globalSetup: 'test/support/kernels.ts' },
      },
      {
        extends: true,
        test: {
          name: 'whole',
          include: ['test/**/*.test.ts'],
          exclude: [...UNIT, ...ALONE],
          globalSetup: 'test/support/build.ts',
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: ALONE, isolate: true, globalSetup: 'test/support/kernels.ts' },
      },
    ],
  },
});
