/** The pages that `mergemate serve` shows: every .html file of jobs/web is one, and becomes one of dist/web. */
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig } from 'vite';

const root = resolve('jobs/web');

/** All but the rules of games, what reads games, and what looks positions up in files of a site: these are large and wait until they are needed. */
const SMALL =
  /^(?!.*(pipeline\/(games|tables)\/|jobs\/(study\/(?!position-text)|notation\/|solved\/|server\/)))/i;

export default defineConfig({
  root,
  // A page works in whatever folder a static export is put into.
  base: './',
  logLevel: 'warn',
  build: {
    outDir: resolve('dist/web'),
    emptyOutDir: true,
    // light-dark() in style sheets.
    target: ['chrome123', 'edge123', 'firefox121', 'safari17.5'],
    // Pictures stay files of their own, which say under what licence they are.
    assetsInlineLimit: 0,
    // Not all bundled code keeps its notice.
    license: { fileName: 'licences.txt' },
    rolldownOptions: {
      input: readdirSync(root)
        .filter((file) => file.endsWith('.html'))
        .map((file) => resolve(root, file)),
      // Small modules that several parts of a page need are one file: fewer are asked for before the first value is there.
      output: { codeSplitting: { groups: [{ name: 'shared', test: SMALL, minShareCount: 2 }] } },
    },
  },
});
