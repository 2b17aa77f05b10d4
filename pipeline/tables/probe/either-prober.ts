/** A prober with two sources: the second one answers for slices that the first lacks. */
import type { Game } from '../../game/game.js';
import type { Prober } from './prober.js';

/**
 * Both probers have the same metric. `has`: whether the first has the slice; it then has also those that moves lead to. Throws as
 * the prober that is asked.
 */
export function eitherProber<Board>(
  game: Pick<Game<Board>, 'locate'>,
  [first, second]: readonly [Prober<Board>, Prober<Board>],
  has: (slice: string) => Promise<boolean>,
): Prober<Board> {
  const proberOf = async (board: Board) => ((await has(game.locate(board).slice)) ? first : second);
  return {
    metric: first.metric,
    probe: async (board) => (await proberOf(board)).probe(board),
    code: async (board) => (await proberOf(board)).code(board),
  };
}
