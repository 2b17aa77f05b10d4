/** The page of published keyed games, which `mergemate publish --page` copies beside their values. */
import { resolve } from 'node:path';
import { defineConfig } from 'vite';

export default defineConfig({
  root: resolve('jobs/web/game'),
  // A page works in whatever folder it is put into.
  base: './',
  logLevel: 'warn',
  build: {
    outDir: resolve('dist/game-page'),
    emptyOutDir: true,
    // light-dark() in style sheets.
    target: ['chrome123', 'edge123', 'firefox121', 'safari17.5'],
    license: { fileName: 'licences.txt' },
    rolldownOptions: { output: { entryFileNames: 'page.js', assetFileNames: 'page.[ext]' } },
  },
});
