/** Digests of the files that graphs are made from. */
import { createHash } from 'node:crypto';
import { StorageError } from '../../operators/core/errors.js';
import { blocksOf, requireFile } from './text.js';

/** A hash is faster than many small reads. */
const BLOCK_BYTES = 1 << 20;

/** SHA-256 of a file. Throws UserError if there is no such file, StorageError if it cannot be read. */
export async function digestOf(path: string): Promise<string> {
  // Opening a pipe waits for a writer.
  requireFile(path);
  const hash = createHash('sha256');
  try {
    for await (const block of blocksOf(path, 0, BLOCK_BYTES)) hash.update(block);
  } catch (error) {
    throw new StorageError(path, `cannot be read: ${(error as Error).message}`);
  }
  return hash.digest('hex');
}
