import { basename } from 'node:path';

/** The name of a graph that is given none: that of its file, "v1-2" for v1.2.json.gz. */
export function nameOfFile(path: string): string {
  const stem = basename(path)
    .replace(/\.gz$/i, '')
    .replace(/\.[^.]*$/, '');
  return stem.replaceAll(/[^a-z0-9-]+/gi, '-').replaceAll(/^-+|-+$/g, '') || 'graph';
}
