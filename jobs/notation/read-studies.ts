/** Studies and games of a file. */
import { linesOfText } from '../cli/text-lines.js';
import { MOST_CHARS } from './game-text.js';
import type { Notation } from './notation.js';
import { type ReadStudy, studiesOf } from './read-game.js';

/** @throws StorageError if the file cannot be read, UserError if it is not text, or UTF-16. */
export function readStudies(path: string, notation?: Notation): AsyncGenerator<ReadStudy> {
  return studiesOf(linesOfText(path, MOST_CHARS, 'cut'), path, notation);
}
