/** Opens a JSON file as the source of a graph, with a digest by which a later call detects that the file has changed. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SolveGraphOptions } from '../../pipeline/graph/solve-graph.js';
import { digestOf } from './digest.js';
import { openJsonGraph } from './json-graph.js';

/** `fingerprint` is the SHA-256 of the file. The copy of a stream has no `origin`: nothing is at its path later. */
type OpenedSource = Required<Pick<SolveGraphOptions, 'source' | 'fingerprint'>> &
  Pick<SolveGraphOptions, 'origin'>;

/**
 * @param stream what the file is a copy of, as messages call it; absent for a file that people named.
 * Throws UserError if there is no such file, or it is no graph; StorageError if it cannot be read.
 */
export async function openSource(path: string, stream?: string): Promise<OpenedSource> {
  const fingerprint = await digestOf(path);
  const source = await openJsonGraph(path, stream);
  if (stream !== undefined) return { source, fingerprint };
  return { source, fingerprint, origin: { path: resolve(path), bytes: statSync(path).size } };
}
