/** Studies and games of a file. */
import { linesOf, textOf } from '../cli/text-lines.js';
import { MOST_CHARS } from './game-text.js';
import type { Notation } from './notation.js';
import { type ReadStudy, studiesOf } from './read-game.js';

/** @throws StorageError if the file cannot be read. */
export function readStudies(path: string, notation?: Notation): AsyncGenerator<ReadStudy> {
  return studiesOf(linesOf(textOf(path), path, MOST_CHARS, 'cut'), path, notation);
}
