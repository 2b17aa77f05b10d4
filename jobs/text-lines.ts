/** The lines of text files that others have written. */
import { createReadStream } from 'node:fs';
import { StorageError, UserError } from '../operators/core/errors.js';

/** The text of a file, or of standard input if the path is "-", in pieces. */
export function textOf(path: string): AsyncIterable<string> {
  const input = path === '-' ? process.stdin : createReadStream(path);
  return input.setEncoding('utf8');
}

/**
 * The lines of a text that comes in pieces. A line is held whole, so one that is longer than `most` characters is refused: UserError.
 * StorageError if the text cannot be read.
 */
export async function* linesOf(
  pieces: AsyncIterable<string>,
  path: string,
  most: number,
): AsyncGenerator<string> {
  let rest = '';
  try {
    for await (const piece of pieces) {
      const lines = (rest + piece).split('\n');
      rest = lines.pop()!;
      if (rest.length > most) throw new UserError(`${path}: a line is longer than ${most} characters`);
      yield* lines;
    }
    yield rest;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new StorageError(path, `cannot be read: ${(error as Error).message}`);
  }
}
