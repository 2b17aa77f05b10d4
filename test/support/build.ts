/** Builds dist/ once before the tests if a source has changed: the command line is tested as users run it. */
import { execFileSync } from 'node:child_process';

export function setup(): void {
  execFileSync(process.execPath, ['build.js', '--if-changed'], { stdio: ['ignore', 'ignore', 'inherit'] });
}
