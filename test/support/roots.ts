/** Roots of chess that are solved in the thread of the test. */

import { askedRoot } from '../../jobs/roots/asked-root.js';
import type { RootFlags } from '../../jobs/roots/root-flags.js';
import { noteRoot } from '../../jobs/roots/stored-roots.js';
import type { Store } from '../../operators/storage/store.js';
import { namedFor } from '../../pipeline/game/named-for.js';
import type { Metric } from '../../pipeline/game/value.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { solveGame } from './solving.js';

/** Seven men; each capture leads to six. White to move. */
export const LOCKED = '8/k7/3p4/p2P4/P2P4/8/8/K7 w - - 0 1';
/** Every capture leads to unknown positions: a root of one pawn structure, solved within a second. */
export const SHORT: RootFlags = { stopAt: 6, mostPieces: 0 };

/** Solves a root as `solve --from` does. Returns its name. */
export async function putRoot(
  store: Store,
  from: string,
  flags: RootFlags,
  metric: Metric = 'dtm',
): Promise<string> {
  const root = await askedRoot('chess', { ...flags, from }, store, metric);
  await noteRoot(store, root);
  await solveGame(chess, namedFor(chess, metric).ending(root.name).slices, { metric, store });
  return root.name;
}

/** A pawn each, a7 and h3 or further; with two queens on the board, values are unknown. */
export const RACE = '8/P7/8/7k/8/7p/8/K7 w - - 0 1';
export const ONE_PIECE: RootFlags = { mostPieces: 1 };
