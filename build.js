/**
 * Builds `dist`: kernels, types of the public API, the program and its pages. With `--if-changed`, only if `dist` was not built from the
 * sources as they are. npm runs `prepare` after `npm ci`, and once more when the first `npx mergemate` links this folder into npx's
 * cache; the second time there is nothing to do.
 *
 * `dist/built-from` is written last and has a digest of all sources, so a build that was interrupted counts for nothing, and neither a
 * checkout of older files nor a deleted file goes unnoticed, as it would by comparing times.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const STAMP = 'dist/built-from';
const FOLDERS = ['operators', 'pipeline', 'jobs'];
/** Files beside the folders that decide what a build gives. */
const SETTINGS = /^(?:vite\..*\.ts|.*\.d\.ts|tsconfig.*\.json|package(?:-lock)?\.json|.*\.js)$/;
/** Made by compile-kernels.js from the other sources. */
const MADE = 'wasm-code.ts';

/** The command lines of the build, in order: the file of a package's program, and its arguments. */
const STEPS = [
  ['compile-kernels.js'],
  ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'],
  ['public-types.js'],
  ['node_modules/vite/bin/vite.js', 'build', '-c', 'vite.program.config.ts'],
  ['node_modules/vite/bin/vite.js', 'build', '-c', 'vite.pages.config.ts'],
  ['node_modules/vite/bin/vite.js', 'build', '-c', 'vite.game-page.config.ts'],
];

const sources = digestOfSources();
if (!process.argv.includes('--if-changed') || sources !== stamp()) {
  rmSync('dist', { recursive: true, force: true });
  for (const step of STEPS) run(step);
  chmodSync('dist/jobs/cli.js', 0o755);
  writeFileSync(STAMP, sources);
}

/** @param {string[]} step */
function run(step) {
  // By NODE_ENV libraries decide what is left out of a page: within a test it is `test`.
  const env = { ...process.env, NODE_ENV: 'production' };
  try {
    execFileSync(process.execPath, step, { stdio: 'inherit', env });
  } catch {
    // The step has printed what is wrong.
    process.exit(1);
  }
}

/** What `dist` was built from; null if it was not built to the end. */
function stamp() {
  try {
    return readFileSync(STAMP, 'utf8');
  } catch {
    return null;
  }
}

function digestOfSources() {
  const inFolders = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile() && file.name !== MADE)
      .map((file) => join(file.parentPath, file.name)),
  );
  const files = [...inFolders, ...readdirSync('.').filter((name) => SETTINGS.test(name))].sort();
  const digest = createHash('sha256');
  for (const file of files) {
    const bytes = readFileSync(file);
    digest.update(`${file}\n${bytes.length}\n`).update(bytes);
  }
  return digest.digest('hex');
}
