/** The roots of chess that a store has tables of, remembered for a while. */
import { isUnreachable, StorageError } from '../../../operators/core/errors.js';
import { oneOf } from '../../../operators/core/once.js';
import type { Store } from '../../../operators/storage/store.js';
import type { Game } from '../../../pipeline/game/game.js';
import type { Metric } from '../../../pipeline/game/value.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { parseManyMen } from '../../../pipeline/games/chess/fen.js';
import { readRoot } from '../../../pipeline/games/chess/root.js';
import { rootGame } from '../../../pipeline/games/chess/root-game.js';
import { BOUNDS } from '../../../pipeline/games/chess/root-slices.js';
import { positionOfRoot, rootsIn } from '../../roots/stored-roots.js';
import type { RootAnswer } from '../api-answers.js';
import type { ListedTables } from './listed-tables.js';
import { listing } from './listing.js';

/** In the order in which positions are looked up in them. Those without a table of the position that was asked for are left out. */
export function newListedRoots(
  store: Store,
  tables: ListedTables,
  report: (error: StorageError) => void,
): () => Promise<readonly RootAnswer[]> {
  async function listRoots(): Promise<RootAnswer[]> {
    const answers: RootAnswer[] = [];
    for (const root of await rootsIn(store)) {
      const position = await readSound(root);
      const metrics = position === null ? [] : await metricsOf(root, position);
      if (position !== null && metrics.length > 0) answers.push(answerOf(root, position, metrics));
    }
    return answers;
  }

  async function readSound(root: string): Promise<string | null> {
    try {
      return await positionOfRoot(store, root);
    } catch (error) {
      if (!(error instanceof StorageError) || isUnreachable(error)) throw error;
      report(error);
      return null;
    }
  }

  /** A root's own slice is solved last. */
  async function metricsOf(root: string, position: string): Promise<Metric[]> {
    const board = parseManyMen(position);
    const slices = BOUNDS.map((bound) => rootGame(root, bound).locate(board).slice);
    const solved: Metric[] = [];
    for (const metric of chess.metrics) {
      const there = (await tables.list(chess as Game, metric)).slices;
      if (slices.every((slice) => there.has(slice))) solved.push(metric);
    }
    return solved;
  }

  return oneOf(listRoots, listing(report));
}

function answerOf(root: string, position: string, metrics: Metric[]): RootAnswer {
  const { men, stopAt, mostPieces, promotions } = readRoot(root)!;
  return {
    root,
    position,
    pieces: men.join('').length + 2,
    metrics,
    stopAt: stopAt === 0 ? null : stopAt,
    mostPieces,
    promotions,
  };
}
