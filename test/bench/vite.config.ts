/** The benchmarks, which `npm run bench` builds beside the program: dist/test/bench. */
import { resolve } from 'node:path';
import { defineConfig } from 'vite';
import { hotLoops } from '../../vite.hot-loops.js';

export default defineConfig({
  logLevel: 'warn',
  publicDir: false,
  plugins: [hotLoops],
  build: {
    ssr: true,
    outDir: resolve('dist/test/bench'),
    target: 'node20',
    rolldownOptions: {
      input: {
        main: resolve('test/bench/main.ts'),
        'in-memory-graph': resolve('test/bench/in-memory-graph.ts'),
        'in-memory-keyed': resolve('test/bench/in-memory-keyed.ts'),
        'naive-keyed': resolve('test/bench/naive-keyed.ts'),
        'large-graph': resolve('test/bench/large-graph.ts'),
      },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    },
  },
});
