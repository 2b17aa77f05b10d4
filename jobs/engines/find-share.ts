/** A share of the positions of a keyed game, found in the thread of a worker: see finders.ts. */

import { newCounters, takeCounters } from '../../operators/core/counters.js';
import { assert } from '../../operators/core/errors.js';
import { closeRead, type Scratch } from '../../operators/storage/scratch.js';
import type { Store } from '../../operators/storage/store.js';
import { Halted } from '../../pipeline/graph/exchange.js';
import { reachableGraph } from '../../pipeline/graph/reachable.js';
import { readShare } from '../../pipeline/graph/read-share.js';
import { openExchange } from '../../pipeline/graph/shared-exchange.js';
import { freeUnused } from '../heap.js';
import { needKeyedGame } from '../user-game.js';
import type { FindTask, FoundPart } from './finders.js';

/** See FindingCrew. The other shares get to know of every failure. */
export async function findShare(
  { path, toReach, self, memory, done, beginning, budget, commitRows }: FindTask,
  { store, scratch }: { readonly store: Store; readonly scratch: Scratch },
  ended: (part: FoundPart) => void,
): Promise<boolean> {
  const exchange = openExchange(memory, self);
  const counters = newCounters();
  const reached = newCounters();
  const report = (count: number): void => {
    freeUnused(false);
    Atomics.add(done, 0, count);
  };
  try {
    const game = await needKeyedGame(path);
    assert(game !== null, 'positions are those of a keyed game');
    const source = reachableGraph(game, { budget: toReach, scratch, counters: reached });
    const env = { store, scratch, budget, counters, report, commitRows };
    await readShare(source, beginning, env, exchange, async (stride) => {
      ended({ stride, counters: takeCounters(counters), reached: takeCounters(reached) });
    });
    return true;
  } catch (error) {
    exchange.fail();
    if (error instanceof Halted) return false;
    throw error;
  } finally {
    closeRead({ store, scratch });
  }
}
