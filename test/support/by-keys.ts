import type { Game } from '../../pipeline/game/game.js';

/** The game, as if its slices had no kernels by rows. */
export function byKeys<Board>(game: Game<Board>): Game<Board> {
  return {
    ...game,
    slice: (name) => {
      const { rowKernels, ...slice } = game.slice(name);
      return slice;
    },
  };
}
