/**
 * The program: the command line, its threads and processes, and the package root. Libraries are bundled with it, because to
 * find and read their hundreds of files takes longer than most commands take. Code lies in one folder, dist/jobs.
 */
import { resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { hotLoops } from './vite.hot-loops.js';

/**
 * Files of many modules, first those that are in all threads. A thread finds and reads each file again: a hundred
 * files took half of the time in which a thread starts. A module is in the first file whose roots import it, directly
 * or not. Libraries are in files of their own, because commands that only read tables need few of them.
 */
const JOINED = {
  start: ['jobs/engines/coordinator-worker.ts'],
  base: ['jobs/cli.ts'],
  work: ['jobs/engines/local-worker.ts'],
  coordinator: ['jobs/engines/coordination.ts', 'jobs/engines/game-task.ts'],
  graph: ['jobs/commands/graph-solve.ts'],
  keyed: ['jobs/engines/graph-here.ts', 'pipeline/graph/graph-stats.ts'],
};

/** By module, the file that it goes to. */
const joined = new Map<string, string>();

/** Finds what the roots import. What is imported only when it is needed is not among it. */
const findJoined: Plugin = {
  name: 'find-joined',
  buildEnd() {
    const seen = new Set<string>();
    for (const [file, roots] of Object.entries(JOINED)) {
      const found = roots.map((root) => resolve(root));
      for (let id = found.pop(); id !== undefined; id = found.pop()) {
        if (seen.has(id)) continue;
        seen.add(id);
        const module = this.getModuleInfo(id);
        if (module === null) continue;
        if (!module.isEntry && !id.includes('node_modules')) joined.set(id, file);
        found.push(...module.importedIds);
      }
    }
  },
};

export default defineConfig({
  logLevel: 'warn',
  publicDir: false,
  plugins: [hotLoops, findJoined],
  resolve: {
    // The form of Node's `require` could not be joined with the rest of the library, of which a third is then left out.
    alias: { 'sucrase/dist/parser/index.js': 'sucrase/dist/esm/parser/index.js' },
  },
  // jiti looks for files of its own beside itself; parquetjs-lite sets variables that it never declares, which modules may not.
  ssr: { noExternal: true, external: ['jiti', 'parquetjs-lite'] },
  build: {
    ssr: true,
    outDir: resolve('dist'),
    emptyOutDir: false,
    target: 'node20',
    license: { fileName: 'jobs/licences.txt' },
    rolldownOptions: {
      // What one module imports when it is needed, another may import at once, if both are in a joined file.
      checks: { ineffectiveDynamicImport: false },
      input: {
        'jobs/cli': resolve('jobs/cli.ts'),
        // Else libraries of the command line are put into cli.js, and other files that need them run the program by importing it.
        'jobs/command-line': resolve('jobs/command-line.ts'),
        // It begins to work where it is loaded, so it is in a file by itself.
        'jobs/coordination': resolve('jobs/engines/coordination.ts'),
        'jobs/coordinator-worker': resolve('jobs/engines/coordinator-worker.ts'),
        'jobs/local-worker': resolve('jobs/engines/local-worker.ts'),
        'jobs/signal-watcher': resolve('jobs/signal-watcher.ts'),
        'jobs/syzygy-worker': resolve('jobs/sets/worker.ts'),
        'jobs/solver-process': resolve('jobs/compare/solver-process.ts'),
        'pipeline/index': resolve('pipeline/index.ts'),
      },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'jobs/[name].js',
        // A third of the text is comments and spaces, which each thread would read. Names stay, for stacks.
        minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: Object.keys(JOINED).map((name, i) => ({
            name,
            priority: Object.keys(JOINED).length - i,
            test: (id: string) => joined.get(id) === name,
          })),
        },
      },
    },
  },
});
