/** Compiles the kernels of AssemblyScript once before the tests if a source is newer: tests of sources need no other build. */
import { execFileSync } from 'node:child_process';

export function setup(): void {
  execFileSync(process.execPath, ['compile-kernels.js', '--if-newer'], { stdio: 'inherit' });
}
