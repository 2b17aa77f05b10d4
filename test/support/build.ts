/** Builds dist/ once before the tests if a source is newer: the command line is tested as users run it. */
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { newest } from './newest.js';

export function setup(): void {
  const built = statSync('dist/jobs/cli.js', { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (built < Math.max(...['operators', 'pipeline', 'jobs'].map(newest))) {
    execFileSync('npm', ['run', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
  }
}
