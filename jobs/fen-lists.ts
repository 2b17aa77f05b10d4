/** Lists of positions, a FEN a line, answered line by line. */

import { StorageError, UserError } from '../operators/core/errors.js';
import type { Probed } from '../pipeline/probe/prober.js';
import { errorText } from './error-text.js';

/** No position is nearly as long. */
export const LONGEST_LINE = 1 << 16;

/** Answers as lines of JSON, for each line that is not empty; `bad` could not be answered, and its line says why. */
export async function* answersTo(
  answered: (fen: string) => Promise<object>,
  lines: AsyncIterable<string>,
): AsyncGenerator<{ readonly text: string; readonly bad: boolean }> {
  for await (const line of lines) {
    const fen = line.trim();
    if (fen === '') continue;
    try {
      yield { text: `${JSON.stringify(await answered(fen))}\n`, bad: false };
    } catch (error) {
      if (!(error instanceof UserError || error instanceof StorageError)) throw error;
      yield { text: `${JSON.stringify({ fen, error: errorText(error) })}\n`, bad: true };
    }
  }
}

/** Answer of `probe --json` for a position. */
export function answer(fen: string, { wdl, plies, moves }: Probed<unknown>): object {
  return { fen, wdl, plies, moves: moves.map(({ uci, san, wdl, plies }) => ({ uci, san, wdl, plies })) };
}
