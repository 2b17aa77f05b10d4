/** Studies and games of a file. */
import { UserError } from '../../operators/core/errors.js';
import { linesOf, textOf } from '../cli/text-lines.js';
import { MOST_CHARS } from './game-text.js';
import type { Notation } from './notation.js';
import { type ReadStudy, studiesOf } from './read-game.js';

/** The first line of a file in UTF-16, read as Latin-1: a byte-order mark, and letters with a zero byte each. */
const UTF16 = /^(?:ÿþ|þÿ).*\0/s;

/** @throws StorageError if the file cannot be read, UserError if it is UTF-16. */
export function readStudies(path: string, notation?: Notation): AsyncGenerator<ReadStudy> {
  return studiesOf(inBytes(linesOf(textOf(path), path, MOST_CHARS, 'cut'), path), path, notation);
}

/** Refuses lines of text in UTF-16, whose letters are two bytes each. */
async function* inBytes(lines: AsyncIterable<string>, path: string): AsyncGenerator<string> {
  let isFirst = true;
  for await (const line of lines) {
    if (isFirst && UTF16.test(line))
      throw new UserError(`${path} is UTF-16: save it as UTF-8 or Latin-1, which study reads`);
    isFirst = false;
    yield line;
  }
}
