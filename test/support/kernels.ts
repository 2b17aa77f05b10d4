/** Compiles the kernels of AssemblyScript once before the tests if a source is newer: tests of sources need no other build. */
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { newest } from './newest.js';

const FOLDERS = [
  'pipeline/games/chess',
  'pipeline/games/chess/syzygy',
  'pipeline/games/chess/syzygy/checksum',
  'pipeline/games/checkers',
  'pipeline/rivals/bitboard',
];

export function setup(): void {
  const isOld = FOLDERS.some((folder) => {
    const compiled = statSync(`${folder}/wasm-code.ts`, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return compiled < newest(`${folder}/assembly`);
  });
  if (isOld) execFileSync(process.execPath, ['compile-kernels.js'], { stdio: 'inherit' });
}
