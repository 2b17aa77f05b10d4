/** Opens a file in JSON as the source of a graph, with the digest of the file. */
import type { GraphSource } from '../../pipeline/graph/source.js';
import { digestOf } from './digest.js';
import { openJsonGraph } from './json-graph.js';

export interface OpenedSource {
  readonly source: GraphSource;
  /** SHA-256 of the file. */
  readonly fingerprint: string;
}

/** Throws UserError if there is no such file, or it is no graph; StorageError if it cannot be read. */
export async function openSource(path: string): Promise<OpenedSource> {
  const fingerprint = await digestOf(path);
  return { source: await openJsonGraph(path), fingerprint };
}
