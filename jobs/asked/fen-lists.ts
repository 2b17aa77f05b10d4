/** Lists of positions, a FEN a line, answered line by line. */

import { StorageError, UserError } from '../../operators/core/errors.js';
import { errorText } from '../cli/error-text.js';
import { readChessPosition } from '../notation/epd.js';
import { noteCostOf } from '../plan/advice.js';

/** No position is nearly as long. */
export const LONGEST_LINE = 1 << 16;

/** Reads a line: `fen` is what is looked up, `id` the title that the line gives it. Null for a remark. */
export type ReadPosition = (line: string) => { readonly fen: string; readonly id?: string } | null;

/** Lines of chess are FEN or EPD, and remarks have lines of their own. A plain FEN is answered as it is written. */
const readChessLine: ReadPosition = (line) => {
  if (/^[#%;]/.test(line)) return null;
  const { fen, operations, isPlain } = readChessPosition(line);
  if (isPlain) return { fen: line };
  return { fen, ...(operations.id !== undefined && { id: operations.id.join(' ') }) };
};

/** How positions of a game are written. */
export const positionReaderOf = (game: string): ReadPosition =>
  game === 'chess' ? readChessLine : (fen) => ({ fen });

/**
 * Answers as lines of JSON, for each line that is not empty; `bad` counts those that could not be answered; their lines have the reason.
 */
export async function* answersTo(
  answered: (fen: string) => Promise<object>,
  lines: AsyncIterable<string>,
  read: ReadPosition,
): AsyncGenerator<{ readonly text: string; readonly bad: boolean }> {
  for await (const line of lines) {
    const text = line.trim();
    const position = text === '' ? null : read(text);
    if (position === null) continue;
    const { fen, ...titled } = position;
    try {
      yield { text: `${JSON.stringify({ ...titled, ...(await answered(fen)) })}\n`, bad: false };
    } catch (error) {
      if (!(error instanceof UserError || error instanceof StorageError)) throw error;
      await noteCostOf(error);
      const row = { ...titled, position: fen, error: errorText(error) };
      yield { text: `${JSON.stringify(row)}\n`, bad: true };
    }
  }
}
