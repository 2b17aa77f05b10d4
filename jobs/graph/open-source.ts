/** What a graph on the command line is made of: a file in JSON. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { StorageError, UserError } from '../../operators/core/errors.js';
import type { GraphSource } from '../../pipeline/graph/source.js';
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

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const piece of createReadStream(path, { highWaterMark: 1 << 20 }))
      hash.update(piece as Buffer);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new UserError(`${path}: there is no such file`);
    throw new StorageError(path, `cannot be read: ${message}`);
  }
  return hash.digest('hex');
}

/** The name of a graph that is given none: that of its file. */
export function nameOfFile(path: string): string {
  const [stem] = basename(path).split('.');
  return stem!.replaceAll(/[^a-z0-9-]+/gi, '-').replaceAll(/^-+|-+$/g, '') || 'graph';
}
