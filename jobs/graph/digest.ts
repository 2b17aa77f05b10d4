/** Digests of the files that graphs are made from. */
import { createHash } from 'node:crypto';
import { fileError } from '../../operators/storage/errno.js';
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
    throw fileError(path, 'read', error);
  }
  return hash.digest('hex');
}
