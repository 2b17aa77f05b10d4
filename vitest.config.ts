import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { hotLoops } from './vite.hot-loops.js';

/** Folders whose tests need sources alone: `npm run test:unit` runs these tests. */
const UNIT = ['operators', 'pipeline', 'code'].map((folder) => `test/${folder}/**/*.test.ts`);
/** Files that replace a module (`vi.mock`), which other files in the same process must not see. */
const ALONE = ['mirrors', 'wide-maps'].map((name) => `test/pipeline/games/chess/syzygy/${name}.test.ts`);

/** The files that take longest where MERGEMATE_TEST_LONG is 1. */
const LONGEST_FILES = [
  'chaos/chaos',
  'docs/commands',
  'docs/readme',
  'golden/digests',
  'jobs/commands/s3',
  'jobs/commands/kinds-of-damage',
  'jobs/web/access',
  'jobs/web/columns',
  'jobs/web/monitor-page/monitor-page',
  'pipeline/engine/verify-rows',
  'pipeline/games/chess/row-moves',
  'pipeline/games/chess/row-conversions',
  'pipeline/graph/dealt-parts',
].map((name) => `/test/${name}.test.ts`);

/**
 * Begins with {@link LONGEST_FILES}, so that no process is left alone with one of them at the end. On a fresh clone, Vitest knows no
 * durations, and would begin with the files that have most bytes.
 */
class LongestFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONGEST_FILES.some((name) => moduleId.endsWith(name));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

function project(
  name: string,
  files: { include: string[]; exclude?: string[]; globalSetup: string; isolate?: boolean },
  groupOrder: number,
): TestProjectInlineConfiguration {
  return {
    plugins: [hotLoops],
    // Samples import the package by its name, as users do.
    resolve: { alias: { mergemate: resolve('pipeline/index.ts') } },
    test: {
      name,
      testTimeout: 120_000,
      hookTimeout: 120_000,
      // Pages are slow on a machine that has much else to do.
      expect: { poll: { timeout: 30_000 } },
      setupFiles: ['test/support/equality.ts'],
      pool: 'forks',
      // The built program is run as it is, not transformed.
      server: { deps: { external: [/\/dist\//] } },
      // Files share a process: to start one and to import the sources takes longer than many of these files.
      isolate: false,
      // A process takes files of one project: projects of different groups follow each other.
      sequence: { groupOrder },
      ...files,
    },
  };
}

export default defineConfig({
  test: {
    // One more than there are cores, because tests spend a quarter of their time waiting for processes, servers and pages.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFilesFirst },
    projects: [
      project('unit', { include: UNIT, exclude: ALONE, globalSetup: 'test/support/kernels.ts' }, 0),
      project('alone', { include: ALONE, globalSetup: 'test/support/kernels.ts', isolate: true }, 0),
      project(
        'whole',
        {
          include: ['test/**/*.test.ts'],
          exclude: [...UNIT, ...ALONE],
          globalSetup: 'test/support/build.ts',
        },
        1,
      ),
    ],
  },
});
