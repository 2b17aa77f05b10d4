/** JSON files that people write. */
import { readFile, stat } from 'node:fs/promises';
import { type VerifierError, verifyFile } from 'stream-json/file/verifier.js';
import { UserError } from '../../operators/core/errors.js';
import { fileError } from '../../operators/storage/errno.js';

/** Nobody writes as much by hand; graphs, which may be large, are read in another way. */
const MOST_BYTES = 16 * 2 ** 20;

/**
 * Reads a JSON file. Its syntax is checked first, because the checker reports the line and column of a mistake.
 * @throws UserError for malformed JSON, StorageError if the file cannot be read.
 */
export async function readJson(path: string): Promise<unknown> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw new UserError(`${path} is a folder, not a JSON file`);
    if (found.size > MOST_BYTES)
      throw new UserError(
        `${path} is larger than ${MOST_BYTES / 2 ** 20} MiB, the limit for a file of settings`,
      );
    await verifyFile(path);
    // Unlike the assembler of stream-json it reads values that are neither objects nor arrays, and "__proto__" as a key like others.
    return JSON.parse((await readFile(path, 'utf8')).replace(/^\uFEFF/, ''));
  } catch (error) {
    if (error instanceof UserError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code !== undefined) throw fileError(path, 'read', error);
    const { line, pos, message } = error as VerifierError;
    if (line === undefined) throw error;
    const what = message
      .replace(/^ERROR at \d+ \(\d+, \d+\): /, '')
      .replace(/^Verifier (cannot parse input: |has )/, '');
    throw new UserError(`${path}:${line}:${pos}: malformed JSON: ${what}`);
  }
}
