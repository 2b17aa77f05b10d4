import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { relative, resolve } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { hotLoops } from './vite.hot-loops.js';

/** Folders whose tests need sources alone: `npm run test:unit` runs these tests. */
const UNIT = ['operators', 'pipeline', 'code'].map((folder) => `test/${folder}/**/*.test.ts`);
/** Files that replace a module (`vi.mock`), which other files in the same process must not see. */
const ALONE = ['mirrors', 'wide-maps'].map((name) => `test/pipeline/games/chess/syzygy/${name}.test.ts`);

/** In the order in which they run. */
const PROJECTS = ['unit', 'alone', 'whole'];

/**
 * Seconds of test files in the long form, by path in `test`. test/support/record-durations.ts writes those that take 10 or more.
 */
const seconds = JSON.parse(readFileSync('test/durations.json', 'utf8')) as Record<string, number>;

/**
 * Begins each project with the files that take longest, so that no process is left alone with one of them at the end. A process takes files
 * of one project, so those of a project follow each other.
 */
class LongestFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const took = ({ moduleId }: TestSpecification) => seconds[relative('test', moduleId)] ?? 0;
    const place = ({ project }: TestSpecification) => PROJECTS.indexOf(project.name);
    return sorted.sort((a, b) => place(a) - place(b) || took(b) - took(a));
  }
}

/** The cache of transformed modules knows a plugin by its name alone, so the name changes with the text of the plugin. */
const hotLoopsNow = {
  ...hotLoops,
  name: `hot-loops ${createHash('sha256').update(readFileSync('vite.hot-loops.ts')).digest('hex')}`,
};

function project(
  name: string,
  files: { include: string[]; exclude?: string[]; globalSetup: string; isolate?: boolean },
): TestProjectInlineConfiguration {
  return {
    plugins: [hotLoopsNow],
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
      ...files,
    },
  };
}

export default defineConfig({
  test: {
    // One more than there are cores, because tests spend a quarter of their time waiting for processes, servers and pages.
    maxWorkers: availableParallelism() + 1,
    // Projects transform the same sources, and the next run does, too.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFilesFirst },
    projects: [
      project('unit', { include: UNIT, exclude: ALONE, globalSetup: 'test/support/kernels.ts' }),
      project('alone', { include: ALONE, globalSetup: 'test/support/kernels.ts', isolate: true }),
      project('whole', {
        include: ['test/**/*.test.ts'],
        exclude: [...UNIT, ...ALONE],
        globalSetup: 'test/support/build.ts',
      }),
    ],
  },
});
