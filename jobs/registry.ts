/**
 * Names games, and with stores.ts stores. Everything else of the control plane looks them up here, also in worker threads. A
 * game is loaded when it is asked for.
 */
import { resolve } from 'node:path';
import { UserError } from '../operators/core/errors.js';
import type { Game } from '../pipeline/game/game.js';
import { type BuiltIn, builtIn } from '../pipeline/games/built-in.js';
import { GRAPH, graphs } from '../pipeline/graph/graph-game.js';
import type { StoredGame, StoredGames } from '../pipeline/tables/records/slices.js';
import { noteModule } from './cli/damage-advice.js';
import { didYouMean } from './cli/did-you-mean.js';
import { isGameModule, loadGame, suspectModule } from './user-game.js';

const known = new Map<string, BuiltIn>(Object.entries(builtIn));
/** Games that are not built in, by the absolute paths of their modules. */
const modules = new Map<string, Game>();

/** Built-in games. */
export const gameNames: readonly string[] = [...known.keys()];

/** Built-in games, and games that were found by the paths of their modules. */
export async function allGames(): Promise<Game[]> {
  const found = [...known.values()].map((game) => game.load());
  return [...(await Promise.all(found)), ...modules.values()];
}

/** All whose tables a store may hold, by name: {@link allGames}, and graphs. */
export async function storedGames(): Promise<StoredGames> {
  return new Map<string, StoredGame>([...(await allGames()), graphs].map((game) => [game.name, game]));
}

/**
 * The game of a name, or of the module at a path. Throws UserError, which lists the names, or names the mistake in the module.
 * @param graphsIn the store, or publication, in which no graph of the name was found; undefined: the command takes no graphs by name.
 */
export async function findGame(asked: string, graphsIn?: string): Promise<Game> {
  const found = known.get(asked);
  if (found !== undefined) return found.load();
  if (asked === GRAPH)
    throw new UserError(
      'a graph is named by its file, or by its name in the store ("mergemate status graph" lists them)',
    );
  if (/\.jsonl?(?:\.gz)?$/i.test(asked))
    throw new UserError(
      `${asked}: this needs a game, not a file of a graph or a job (games: ${gameNames.join(', ')}, or the path of a module with one)`,
    );
  if (!isGameModule(asked))
    throw new UserError(
      `there is no game ${JSON.stringify(asked)} (games: ${gameNames.join(', ')})${graphsIn === undefined ? '' : `, nor a graph of that name in ${graphsIn}`}, nor a module with one, whose path is its name on the command line (.ts, .mts, .js, .mjs)${didYouMean(asked, gameNames)}`,
    );
  const path = resolve(asked);
  const loaded = modules.get(path);
  if (loaded !== undefined) return loaded;
  const taken = [...modules.values()].map(({ name }) => name);
  const game = await loadGame(path, asked, [...gameNames, GRAPH, ...taken]);
  modules.set(path, game);
  noteModule(game.name, asked);
  suspectModule(asked);
  return game;
}

/** Reference by which {@link findGame} finds the game in other threads, processes and folders: its name, or a path. */
export function referenceOf(game: Pick<Game, 'name'>): string {
  for (const [path, loaded] of modules) if (loaded === game) return path;
  return game.name;
}
