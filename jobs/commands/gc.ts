/** `mergemate scrub --collect`: finds objects of a store that nothing needs any more, and deletes them if asked to. */

import { UserError } from '../../operators/core/errors.js';
import type { Store } from '../../operators/storage/store.js';
import { namedFor } from '../../pipeline/game/named-for.js';
import { type Metric, metrics } from '../../pipeline/game/value.js';
import { readGraphManifest } from '../../pipeline/graph/manifest.js';
import { sayWhenInterrupted } from '../cli/exit.js';
import { anyEndingOf, type CommonOptions } from '../cli/options.js';
import { print, printJson } from '../cli/output.js';
import { parseDuration } from '../cli/quantities.js';
import { findGame } from '../registry.js';
import { findWaste, type Waste } from '../run/garbage.js';
import { gameRemoval, graphRemoval, objectsOf, type Removal, remove, sliceRemoval } from '../run/removal.js';
import { reportClock } from '../run/store-clock.js';
import { isGraphFile } from '../solved/asked-graph.js';
import { openStore, scratchParent, storeToRead } from '../stores.js';
import { tableText } from '../ui/document.js';
import { bytes, duration, whole } from '../ui/numbers.js';
import { findKeyedGame, isGameModule } from '../user-game.js';
import { namedGames } from './named-games.js';

export interface GcFlags extends CommonOptions {
  readonly collect?: boolean;
  readonly olderThan?: string;
  readonly delete?: boolean;
  readonly scratch?: string;
  readonly remove?: string[];
}

const WHY: Record<Waste['why'], string> = {
  passing: 'run that the finished table or graph does not need',
  orphan: 'run of a process that died or came second',
  superseded: 'run that later rounds replaced',
  'left over': 'manifest of a finished slice or graph, claim on one, or report of a rank',
  unfinished: 'part of an object, its writer is gone',
  scratch: 'scratch folder of a dead process',
};

export async function runGc(modules: readonly string[], flags: GcFlags): Promise<void> {
  if (flags.remove !== undefined) {
    if (modules.length > 0)
      throw new UserError('--remove names all that is deleted: give no games beside it');
    return removeSolved(flags.remove, flags);
  }
  const { games } = await namedGames(modules, flags.store);
  const { olderThan: age = '1h' } = flags;
  const olderThan = parseDuration(age, '--older-than');
  const store = storeToRead(flags.store);
  sayWhenInterrupted('what was not deleted yet is still there');
  await reportClock(store);
  const all = await findWaste(store, games, scratchParent(flags.store, flags.scratch));
  const old = all.filter(({ ageMs }) => ageMs >= olderThan);
  const deleted = flags.delete === true;
  if (deleted) for (const { remove } of old) await remove();

  const total = old.reduce((sum, waste) => sum + waste.bytes, 0);
  const younger = all.length - old.length;
  if (flags.json) {
    const objects = old.map(({ name, why, bytes, ageMs }) => ({
      name,
      why,
      bytes,
      ageMs: Math.round(ageMs),
    }));
    return printJson({ store: store.uri, olderThanMs: olderThan, deleted, objects, bytes: total, younger });
  }
  if (old.length > 0) {
    const rows = old.map(({ name, why, bytes: size, ageMs }) => [
      name,
      bytes(size),
      duration(ageMs),
      WHY[why],
    ]);
    await print(`${tableText({ columns: ['name', 'size', 'age', 'what it is'], rows })}\n`);
  }
  const kept = younger === 0 ? '' : `, and ${whole(younger)} younger than ${age} left alone`;
  const what = `${store.uri}: ${whole(old.length)} to delete, ${bytes(total)}${kept}`;
  if (deleted) await print(`${what.replace(' to delete', ' deleted')}\n`);
  else await print(`${what}${old.length === 0 ? '' : '; nothing was deleted: --delete does it'}\n`);
}

/** `scrub --remove`: what is solved, and is to be solved no more. Only `--delete` deletes it. */
async function removeSolved(names: readonly string[], flags: GcFlags): Promise<void> {
  const store = storeToRead(flags.store);
  const removals: Removal[] = [];
  for (const name of names) {
    const removal = await removalOf(name, store);
    if (objectsOf(removal).length === 0) throw new UserError(`${store.uri} has nothing of ${name}`);
    removals.push(removal);
  }
  const deleted = flags.delete === true;
  sayWhenInterrupted('the same command goes on');
  const found = [];
  for (const removal of removals) {
    const objects = objectsOf(removal);
    const sizes = await Promise.all(objects.map((name) => store.size(name)));
    if (deleted) await remove(openStore(flags.store), removal);
    found.push({
      what: removal.what,
      objects: objects.length,
      bytes: sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0),
    });
  }
  if (flags.json) return printJson({ store: store.uri, deleted, removed: found });
  const rows = found.map(({ what, objects, bytes: size }) => [what, whole(objects), bytes(size)]);
  const done = deleted ? 'deleted' : 'nothing was deleted: --delete does it';
  await print(`${tableText({ columns: ['solved', 'objects', 'size'], rows })}\n${store.uri}: ${done}\n`);
}

/** A graph by its name or file, a game by its module, an ending as GAME/ENDING or GAME/METRIC/ENDING. Throws UserError. */
async function removalOf(asked: string, store: Store): Promise<Removal> {
  if (isGameModule(asked)) {
    const keyed = await findKeyedGame(asked);
    return keyed === null
      ? gameRemoval(store, (await findGame(asked)).name)
      : graphRemoval(store, keyed.name);
  }
  if (isGraphFile(asked)) return graphRemoval(store, await graphToRemove(asked, store));
  const [game, ...rest] = asked.split('/');
  if (rest.length === 0) return graphRemoval(store, asked);
  const metric = rest.length === 1 ? null : rest[0];
  if (rest.length > 2 || (metric !== null && !metrics.includes(metric as Metric)))
    throw new UserError(
      `--remove ${asked}: an ending is GAME/ENDING or GAME/METRIC/ENDING, such as chess/KRK`,
    );
  const found = await findGame(game);
  const name = rest.at(-1)!;
  const { slices } =
    metric === null ? anyEndingOf(found, name) : namedFor(found, metric as Metric).ending(name);
  return sliceRemoval(store, game, slices, metric);
}

/** The graph of a file, whether or not the file was changed since. */
async function graphToRemove(path: string, store: Store): Promise<string> {
  const { nameOfFile } = await import('../graph/name-of-file.js');
  const { graphOfFile, graphsFromPath } = await import('../graph/graph-of-file.js');
  const [from] = await graphsFromPath(path, store);
  if (from !== undefined) return from;
  const isThere = (await readGraphManifest(store, nameOfFile(path))) !== null;
  return isThere ? graphOfFile(path, store) : nameOfFile(path);
}
