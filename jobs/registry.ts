/**
 * Names games, and with stores.ts stores. Everything else of the control plane looks them up here, also in worker threads. Who
 * imports it loads the games that are built in.
 */
import { resolve } from 'node:path';
import { UserError } from '../operators/core/errors.js';
import type { Game } from '../pipeline/game.js';
import { checkers } from '../pipeline/games/checkers/checkers.js';
import { chess } from '../pipeline/games/chess/chess.js';
import { GRAPH, graphs } from '../pipeline/graph/graph-game.js';
import { isGameModule, loadGame, suspectModule } from './user-game.js';

const builtIn = [chess as Game, checkers as Game];
const byName = new Map(builtIn.map((game) => [game.name, game]));
/** Absolute paths of the modules of games that are not built in. */
const modules = new Map<Game, string>();

/** By name: those built in, and those that were found by the paths of their modules. */
export const games: ReadonlyMap<string, Game> = byName;

/** All whose tables a store may hold: {@link games}, and graphs, which have commands of their own. */
export function storedGames(): ReadonlyMap<string, Game> {
  return new Map([...byName, [GRAPH, graphs as Game]]);
}

/** The game of a name, or of the module at a path. Throws UserError: with the names there are, or what is wrong with the module. */
export async function findGame(asked: string): Promise<Game> {
  const known = byName.get(asked);
  if (known !== undefined) return known;
  if (asked === GRAPH)
    throw new UserError(
      'graphs have commands of their own: "mergemate graph solve", "graph verify", "graph stats" …',
    );
  if (!isGameModule(asked))
    throw new UserError(
      `there is no game ${JSON.stringify(asked)} (games: ${builtIn.map(({ name }) => name).join(', ')}), nor a module with one, whose path is its name on the command line (.ts, .mts, .js, .mjs)`,
    );
  const path = resolve(asked);
  for (const [game, module] of modules) if (module === path) return game;
  const game = await loadGame(path, asked, storedGames().keys());
  byName.set(game.name, game);
  modules.set(game, path);
  suspectModule(asked);
  return game;
}

/** What {@link findGame} finds the game by in other threads and processes, and other folders: its name, or a path. */
export function referenceOf(game: Game): string {
  return modules.get(game) ?? game.name;
}
