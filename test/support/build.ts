/** Builds dist/ once before the tests if a source is newer: the command line is tested as users run it. */
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export function setup(): void {
  const built = statSync('dist/jobs/cli.js', { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (built < Math.max(...['operators', 'pipeline', 'jobs'].map(newest))) {
    execFileSync('npm', ['run', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
  }
}

/** When the newest source in a folder was changed, in milliseconds since 1970. */
function newest(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && /\.(tsx?|css|html|svg)$/.test(file.name))
    .reduce((latest, file) => Math.max(latest, statSync(join(file.parentPath, file.name)).mtimeMs), 0);
}
