/**
 * The program: the command line, its threads and processes, and the package root. Libraries are bundled with it, because to
 * find and read their hundreds of files takes longer than most commands take. Code lies in one folder, dist/jobs.
 */
import { resolve } from 'node:path';
import { defineConfig } from 'vite';

export default defineConfig({
  logLevel: 'warn',
  publicDir: false,
  // jiti looks for files of its own beside itself; parquetjs-lite sets variables that it never declares, which modules may not.
  ssr: { noExternal: true, external: ['jiti', 'parquetjs-lite'] },
  build: {
    ssr: true,
    outDir: resolve('dist'),
    emptyOutDir: false,
    target: 'node20',
    license: { fileName: 'jobs/licences.txt' },
    rolldownOptions: {
      input: {
        'jobs/cli': resolve('jobs/cli.ts'),
        // Tests run commands in their own process.
        'jobs/command-line': resolve('jobs/command-line.ts'),
        'jobs/lead-worker': resolve('jobs/engines/lead-worker.ts'),
        'jobs/expander-worker': resolve('jobs/engines/expander-worker.ts'),
        'jobs/local-worker': resolve('jobs/engines/local-worker.ts'),
        'jobs/syzygy-worker': resolve('jobs/export/syzygy-worker.ts'),
        'jobs/solver-process': resolve('jobs/compare/solver-process.ts'),
        'pipeline/index': resolve('pipeline/index.ts'),
      },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'jobs/[name].js',
      },
    },
  },
});
