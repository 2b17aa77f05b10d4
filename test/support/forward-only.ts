import type { Game } from '../../pipeline/game/game.js';

/** The game, as if moves could not be taken back, neither by requests nor in memory. */
export function withoutUnmoves<Board>(game: Game<Board>): Game<Board> {
  return {
    ...game,
    slice: (name) => {
      const { unmoves, local, resident, ...slice } = game.slice(name);
      return slice;
    },
  };
}
