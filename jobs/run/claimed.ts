/** Work of one process at a time: it is claimed before it begins, and given up at its end, in success and failure. */

import type { Metric } from '../../pipeline/game/value.js';
import { standingTables } from '../../pipeline/tables/standing-tables.js';
import { complain, fail, haltAtSignal } from '../cli/exit.js';
import { openStore } from '../stores.js';
import { type ClaimOptions, claim, sharedWork } from './claims.js';
import { reportClock } from './store-clock.js';

/**
 * Does `work` while no other process works at any of the undone slices. `isShared`: others may work at them, too, and the claim only
 * shows that they are being worked on.
 */
export async function claimed<T>(
  uri: string,
  {
    game,
    undone: undoneNow,
    isShared = false,
  }: Pick<ClaimOptions, 'game' | 'undone'> & { readonly isShared?: boolean },
  work: () => Promise<T>,
): Promise<T> {
  // Claims are of no use after a loss of power: no need to wait for the device.
  const store = openStore(uri, false);
  const undone = isShared ? async () => (await undoneNow()).map(sharedWork) : undoneNow;
  const held = await claim(store, { game, undone, say: complain, lost: fail });
  const halted = haltAtSignal(() => held.release());
  try {
    await reportClock(store);
    return await work();
  } finally {
    halted();
    await held.release();
  }
}

/** Slices that are not solved (or, if wanted, not verified), as "METRIC/SLICE". Found by a listing alone. */
export function undoneSlices(
  uri: string,
  game: string,
  metric: Metric,
  slices: readonly string[],
  verify: boolean,
): () => Promise<string[]> {
  const store = openStore(uri);
  return async () => {
    const standing = await standingTables(store, game, metric);
    const done = verify ? standing.verified : standing.slices;
    return slices.filter((slice) => !done.has(slice)).map((slice) => `${metric}/${slice}`);
  };
}
