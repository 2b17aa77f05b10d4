/** JSON files that people write. */
import { stat } from 'node:fs/promises';
import Assembler from 'stream-json/assembler.js';
import { parseFile } from 'stream-json/file/parser.js';
import { type VerifierError, verifyFile } from 'stream-json/file/verifier.js';
import { StorageError, UserError } from '../../operators/core/errors.js';

/**
 * Reads a JSON file. Its syntax is checked first, because the checker reports the line and column of a mistake.
 * @throws UserError for malformed JSON, StorageError if the file cannot be read.
 */
export async function readJson(path: string): Promise<unknown> {
  try {
    if ((await stat(path)).isDirectory()) throw new UserError(`${path} is a folder, not a JSON file`);
    await verifyFile(path);
    const assembler = new Assembler();
    for await (const token of parseFile()(path)) assembler.consume(token);
    return assembler.current;
  } catch (error) {
    if (error instanceof UserError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new UserError(`there is no file ${path}`);
    if (code !== undefined) throw new StorageError(path, `cannot be read: ${(error as Error).message}`);
    const { line, pos, message } = error as VerifierError;
    if (line === undefined) throw error;
    const what = message
      .replace(/^ERROR at \d+ \(\d+, \d+\): /, '')
      .replace(/^Verifier (cannot parse input: |has )/, '');
    throw new UserError(`${path}:${line}:${pos}: malformed JSON: ${what}`);
  }
}
