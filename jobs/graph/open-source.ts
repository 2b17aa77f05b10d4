/** Opens a file in JSON as the source of a graph, with the digest of the file. */
import { createHash } from 'node:crypto';
import { StorageError } from '../../operators/core/errors.js';
import type { GraphSource } from '../../pipeline/graph/source.js';
import { openJsonGraph } from './json-graph.js';
import { blocksOf, requireFile } from './text.js';

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

/** SHA-256 of a file. Throws as openSource does. */
export async function digestOf(path: string): Promise<string> {
  // Opening a pipe waits for a writer.
  requireFile(path);
  const hash = createHash('sha256');
  try {
    for await (const block of blocksOf(path)) hash.update(block);
  } catch (error) {
    throw new StorageError(path, `cannot be read: ${(error as Error).message}`);
  }
  return hash.digest('hex');
}
