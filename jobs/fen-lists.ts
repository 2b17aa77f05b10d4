/** Lists of positions, a FEN a line: read, and answered line by line. */
import { StorageError, UserError } from '../operators/core/errors.js';
import type { Probed } from '../pipeline/probe/prober.js';

/** No position is nearly as long. */
const LONGEST_LINE = 1 << 16;

/** The lines of a text that comes in pieces. A line is held whole, so one without end is refused: UserError. */
export async function* linesOf(pieces: AsyncIterable<string>, path: string): AsyncGenerator<string> {
  let rest = '';
  try {
    for await (const piece of pieces) {
      const lines = (rest + piece).split('\n');
      rest = lines.pop()!;
      if (rest.length > LONGEST_LINE)
        throw new UserError(`${path}: a line is longer than ${LONGEST_LINE} characters`);
      yield* lines;
    }
    yield rest;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new StorageError(path, `cannot be read: ${(error as Error).message}`);
  }
}

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
      yield { text: `${JSON.stringify({ fen, error: error.message })}\n`, bad: true };
    }
  }
}

/** What `probe --json` prints of a position. */
export function answer(fen: string, { wdl, plies, moves }: Probed<unknown>): object {
  return { fen, wdl, plies, moves: moves.map(({ uci, san, wdl, plies }) => ({ uci, san, wdl, plies })) };
}
