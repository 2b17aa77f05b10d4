import { basename } from 'node:path';

/** The name of a graph that is given none: that of its file. */
export function nameOfFile(path: string): string {
  const [stem] = basename(path).split('.');
  return stem!.replaceAll(/[^a-z0-9-]+/gi, '-').replaceAll(/^-+|-+$/g, '') || 'graph';
}
