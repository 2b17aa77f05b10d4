/** Names games and stores. Everything else of the control plane looks them up here, also in worker threads. */
import { tmpdir } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserError } from '../operators/core/errors.js';
import { localStore } from '../operators/storage/local.js';
import { s3Store } from '../operators/storage/s3.js';
import { parseS3Uri } from '../operators/storage/s3-uri.js';
import type { Store } from '../operators/storage/store.js';
import type { Game } from '../pipeline/game.js';
import { checkers } from '../pipeline/games/checkers/checkers.js';
import { chess } from '../pipeline/games/chess/chess.js';
import type { KeyedRules } from '../pipeline/games/keyed/keyed-game.js';
import { sayWhenBroken } from './exit.js';
import { isGameModule, loadGame, loadKeyedGame } from './user-game.js';

const builtIn = [chess as Game, checkers as Game];
const byName = new Map(builtIn.map((game) => [game.name, game]));
/** Absolute paths of the modules of games that are not built in. */
const modules = new Map<Game, string>();

/** By name: those built in, and those that were found by the paths of their modules. */
export const games: ReadonlyMap<string, Game> = byName;

/** The game of a name, or of the module at a path. Throws UserError: with the names there are, or what is wrong with the module. */
export async function findGame(asked: string): Promise<Game> {
  const known = byName.get(asked);
  if (known !== undefined) return known;
  if (!isGameModule(asked))
    throw new UserError(
      `there is no game ${JSON.stringify(asked)} (games: ${builtIn.map(({ name }) => name).join(', ')}), nor a module with one, whose path is its name on the command line (.ts, .mts, .js, .mjs)`,
    );
  const path = resolve(asked);
  for (const [game, module] of modules) if (module === path) return game;
  const game = await loadGame(path, asked, byName.keys());
  byName.set(game.name, game);
  modules.set(game, path);
  suspectModule(asked);
  return game;
}

function suspectModule(asked: string): void {
  sayWhenBroken(`${asked} breaks its contract ("mergemate check ${asked}" tells where), or this is a bug`);
}

/** The keyed game of the module at a path; null if it is no path of a module, or the module has another game. Throws UserError. */
export async function findKeyedGame(asked: string): Promise<KeyedRules | null> {
  if (!isGameModule(asked)) return null;
  suspectModule(asked);
  return loadKeyedGame(resolve(asked), asked);
}

/** The keyed game of the module at a path; null if it is no path of a module. Throws UserError if the module has another game. */
export async function needKeyedGame(asked: string): Promise<KeyedRules | null> {
  const found = await findKeyedGame(asked);
  if (found === null && isGameModule(asked))
    throw new UserError(
      `game ${asked}: its default export is no keyed game (export default keyedGame({ … })): "mergemate solve" is for other games`,
    );
  return found;
}

/** What {@link findGame} finds the game by in other threads and processes, and other folders: its name, or a path. */
export function referenceOf(game: Game): string {
  return modules.get(game) ?? game.name;
}

const FORMS = 'a path, file:path, file:///path or s3://bucket/prefix';
/** Bytes a thread may hold of what it has read ahead from object storage. */
const READ_AHEAD = 32 * 2 ** 20;

/** The scheme of a store URI in lower case; undefined for a path. One letter before a colon is a drive. */
function schemeOf(uri: string): string | undefined {
  if (uri === '') throw new UserError(`the store is an empty name: give ${FORMS}`);
  return isAbsolute(uri) ? undefined : /^([a-z][a-z0-9+.-]+):/i.exec(uri)?.[1]?.toLowerCase();
}

/**
 * The folder of a store URI (a path, `file:path`, `file:///path`), null for a store that is no folder. Throws UserError
 * for what is no store URI.
 */
export function storeFolder(uri: string): string | null {
  const scheme = schemeOf(uri);
  if (scheme === undefined) return resolve(uri);
  if (scheme === 's3') {
    parseS3Uri(uri);
    return null;
  }
  if (scheme !== 'file')
    throw new UserError(`store ${uri}: scheme "${scheme}:" is not supported (${FORMS} is)`);
  const rest = uri.slice('file:'.length);
  if (!rest.startsWith('//')) {
    if (rest === '') throw new UserError(`store ${uri}: the path is missing`);
    return resolve(rest);
  }
  try {
    return fileURLToPath(uri);
  } catch (error) {
    throw new UserError(`store ${uri}: ${(error as Error).message}`);
  }
}

/**
 * Opens the store for tables. Nothing is made or read before it is used. Throws UserError.
 * @param durable of a folder: whether what is written survives a loss of power.
 */
export function openStore(uri: string, durable = true): Store {
  const folder = storeFolder(uri);
  if (folder !== null) return localStore(folder, { durable });
  // The AWS SDK would warn on stderr, in every thread, of what its later versions will need.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  return s3Store(parseS3Uri(uri), { readAheadBytes: READ_AHEAD });
}

/**
 * Where runs that do not outlive the process go: `asked`, else the store's folder, else, since they are always on a
 * local disk, the system's folder for such files.
 */
export function scratchParent(uri: string, asked: string | undefined): string {
  return asked ?? storeFolder(uri) ?? tmpdir();
}
