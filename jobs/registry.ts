/** Names games and stores. Everything else of the control plane looks them up here, also in worker threads. */
import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserError } from '../operators/core/errors.js';
import { localStore } from '../operators/storage/local.js';
import type { Store } from '../operators/storage/store.js';
import type { Game } from '../pipeline/game.js';
import { chess } from '../pipeline/games/chess/chess.js';

export const games: ReadonlyMap<string, Game> = new Map([[chess.name, chess as Game]]);

/** Throws UserError, with the names there are. */
export function findGame(name: string): Game {
  const game = games.get(name);
  if (game !== undefined) return game;
  throw new UserError(`there is no game ${JSON.stringify(name)} (games: ${[...games.keys()].join(', ')})`);
}

/** The folder of a store URI: a path, `file:path` or `file:///path`. Throws UserError for other schemes. */
export function storeFolder(uri: string): string {
  if (uri === '') throw new UserError('the store is an empty name: give a folder');
  // One letter before a colon is a drive, not a scheme.
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(uri)?.[1]?.toLowerCase();
  if (scheme === undefined || isAbsolute(uri)) return resolve(uri);
  if (scheme !== 'file') {
    throw new UserError(
      `store ${uri}: scheme "${scheme}:" is not supported (a path, file:path or file:///path is)`,
    );
  }
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

/** Opens the store for tables. Nothing is made or read before it is used. */
export function openStore(uri: string): Store {
  return localStore(storeFolder(uri), { durable: true });
}
