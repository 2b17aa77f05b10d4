/**
 * Games of users: modules in TypeScript or JavaScript whose default export is a Game.
 */
import { extname, resolve } from 'node:path';
import { StorageError, UserError } from '../operators/core/errors.js';
import { missingOfGame } from '../pipeline/check/shape.js';
import type { Game } from '../pipeline/game/game.js';
import { messageOf, ProgramEnd } from '../pipeline/games/yours/definition.js';
import { isKeyedRules } from '../pipeline/games/yours/keyed/keyed-game.js';
import type { KeyedRules } from '../pipeline/games/yours/keyed/keyed-rules.js';
import { guardTables } from '../pipeline/tables/table-guard.js';
import { sayWhenBroken } from './cli/exit.js';
import { whatIs } from './cli/what-is.js';
import { watchForStuckRules } from './stuck-rules.js';

const EXTENSIONS = ['.ts', '.mts', '.js', '.mjs'];

/** Whether text in the place of a game's name is the path of a module. */
export function isGameModule(text: string): boolean {
  return EXTENSIONS.includes(extname(text));
}

/** The words for a position in messages: games of users need not know FEN. */
export function positionWords(game: string): string {
  return isGameModule(game) ? 'a position, in quotes' : 'a position (a FEN, in quotes)';
}

/** Names of games are names of folders in stores, on all kinds of file systems and buckets. */
const NAME = /^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/i;

/**
 * @param path absolute. @param shown the path in messages. @param taken names that other games have.
 * Throws UserError that names the fault of the module, and its place.
 */
export async function loadGame(path: string, shown: string, taken: Iterable<string>): Promise<Game> {
  const found = await loadDefault(path, shown);
  if (isKeyedRules(found))
    throw new UserError(
      `game ${shown}: it is a keyed game, which solve, probe, stats, export, publish, serve, verify and check take; "mergemate export ${shown} --out FILE" writes all its positions`,
    );
  const missing = missingOfGame(found);
  if (missing.length > 0)
    throw new UserError(
      `game ${shown}: its default export is not a Game: ${unwrapped(found) ?? listed(missing)}`,
    );
  const game = found as Game;
  if (!NAME.test(game.name))
    throw new UserError(
      `game ${shown}: its name ${JSON.stringify(game.name)} cannot be used as a folder name (letters, digits, and between them . _ -)`,
    );
  const clash = [...taken].find((name) => name.toLowerCase() === game.name.toLowerCase());
  if (clash !== undefined)
    throw new UserError(`game ${shown}: its name ${game.name} is taken by another game, ${clash}`);
  guardTables(game, async (store) => {
    const { requireSameGame } = await import('./game-module/same-rules.js');
    await requireSameGame({ game, path: shown }, store);
  });
  return game;
}

/** Makes messages say that the module of a game may be at fault, once the module is in use. */
export function suspectModule(asked: string): void {
  sayWhenBroken(`${asked} breaks its contract ("mergemate check ${asked}" tells where), or this is a bug`);
}

/** The keyed game of the module at a path; null if it is no path of a module, or the module has another game. Throws UserError. */
export async function findKeyedGame(asked: string): Promise<KeyedRules | null> {
  if (!isGameModule(asked)) return null;
  suspectModule(asked);
  const found = await loadDefault(resolve(asked), asked);
  return isKeyedRules(found) ? found : null;
}

/** Modules by absolute paths: commands ask first for the kind of a module's game, then for the game. */
const defaults = new Map<string, Promise<unknown>>();

function loadDefault(path: string, shown: string): Promise<unknown> {
  const known = defaults.get(path);
  if (known !== undefined) return known;
  const loaded = readDefault(path, shown);
  defaults.set(path, loaded);
  return loaded;
}

async function readDefault(path: string, shown: string): Promise<unknown> {
  if (!whatIs(path)?.isFile()) throw new UserError(`game ${shown}: there is no such file`);
  const found = await readModule(path, shown);
  if (!('default' in found) || found.default === undefined)
    throw new UserError(
      `game ${shown}: it has no default export (export default a Game)${exported(Object.keys(found))}`,
    );
  return found.default;
}

/** Where names are exported, one of them is probably the game. */
function exported(names: readonly string[]): string {
  const known = names.filter((name) => name !== '__esModule');
  return known.length === 0 ? '' : `: it exports ${known.join(', ')}; write "export default ${known[0]}"`;
}

/** What to write where a default export only lacks the call that makes a game of it; null for others. */
function unwrapped(found: unknown): string | null {
  if (typeof found === 'function')
    return 'it is not an object but a function: export what it returns, "export default keyedGame({ … })" or "numberedGame({ … })"';
  if (typeof found !== 'object' || found === null) return null;
  const { roots, key, index, position, slice } = found as Record<string, unknown>;
  if (typeof position !== 'function' || slice !== undefined) return null;
  if (typeof key === 'function' || typeof roots === 'function')
    return 'it is the definition of a keyed game: write "export default keyedGame({ … })" around it';
  if (typeof index === 'function')
    return 'it is the definition of a numbered game: write "export default numberedGame({ … })" around it';
  return null;
}

function listed(missing: readonly string[]): string {
  return missing[0].startsWith('it is')
    ? missing[0]
    : `missing are ${missing.join(', ')} (numberedGame makes a Game of positions and moves)`;
}

async function readModule(path: string, shown: string): Promise<Record<string, unknown>> {
  const [{ importModule }] = await Promise.all([
    import('./game-module/import-module.js'),
    watchForStuckRules(),
  ]);
  try {
    return await importModule(path, shown);
  } catch (error) {
    if (error instanceof StorageError || (error instanceof UserError && !(error instanceof ProgramEnd)))
      throw error;
    throw new UserError(`game ${shown}: ${problemOf(error, path)}`);
  }
}

/** Message of an error that a module threw when it was read or run, with the line if it can be known. */
function problemOf(error: unknown, path: string): string {
  if (!(error instanceof Error)) return messageOf(error);
  const [message, ...more] = error.message.split('\n').map((line) => line.trim());
  const parse = /^ParseError: (.*)/.exec(message);
  if (parse !== null) {
    const at = /^(.*?):(\d+):(\d+)$/.exec(more.find((line) => /:\d+:\d+$/.test(line)) ?? '');
    const where =
      at === null ? '' : ` in ${at[1] === path ? '' : `${at[1]}, `}line ${at[2]}, column ${at[3]}`;
    return `syntax error${where}: ${parse[1].trim()}`;
  }
  const line = /:(\d+):\d+\)?$/m.exec(error.stack?.split('\n').find((text) => text.includes(path)) ?? '');
  const found = (error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND' || line === null;
  return found ? message : `line ${line[1]}: ${message}`;
}
