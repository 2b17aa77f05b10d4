/** Slices with their dependencies and waves, for the graph of the monitor. */
import { isSlice, type StoredGame } from '../../../pipeline/tables/records/slices.js';

export interface Planned {
  readonly dependencies: readonly string[];
  readonly wave: number;
}

/** Returns null for a name that is not, or no longer, a slice of the game. Results are cached, because a game takes time to make a slice. */
export function newSlicePlans(): (game: StoredGame, slice: string) => Planned | null {
  const games = new Map<StoredGame, Map<string, Planned | null>>();

  function plan(game: StoredGame, known: Map<string, Planned | null>, slice: string): Planned | null {
    const before = known.get(slice);
    if (before !== undefined) return before;
    let planned: Planned | null = null;
    // Records can name anything, and kernels are made of canonical names only.
    if (isSlice(game, slice)) {
      const dependencies = [...new Set(game.slice(slice).dependencies.map((to) => to.slice))];
      const waves = dependencies.map((to) => plan(game, known, to)?.wave ?? 0);
      planned = { dependencies, wave: 1 + Math.max(0, ...waves) };
    }
    known.set(slice, planned);
    return planned;
  }

  return (game, slice) => {
    let known = games.get(game);
    if (known === undefined) games.set(game, (known = new Map()));
    return plan(game, known, slice);
  };
}
