/** A thread that finds positions of a keyed game: see finders.ts. */

import { parentPort, workerData } from 'node:worker_threads';
import { newCounters, takeCounters } from '../../operators/core/counters.js';
import { assert } from '../../operators/core/errors.js';
import { Halted } from '../../pipeline/graph/reachable/exchange.js';
import { reachableGraph } from '../../pipeline/graph/reachable/reachable.js';
import { openExchange } from '../../pipeline/graph/reachable/shared-exchange.js';
import { readShare } from '../../pipeline/graph/read-share.js';
import { freeUnused } from '../heap.js';
import { openStore } from '../stores.js';
import { needKeyedGame } from '../user-game.js';
import type { FinderReply, FinderTask } from './finders.js';
import { packError } from './packed-error.js';
import { scratchIn } from './scratch-store.js';

const task = workerData as FinderTask;
const port = parentPort!;
// It lives until the coordinating thread ends it: waiting for others does not keep a thread alive.
port.on('message', () => {});

function reply(message: FinderReply): void {
  port.postMessage(message);
}

async function find({ path, self, memory, done, beginning, budget, commitRows }: FinderTask): Promise<void> {
  const exchange = openExchange(memory, self);
  const scratch = scratchIn(task.scratchFolder, `finder-${self}`);
  const counters = newCounters();
  const reached = newCounters();
  const report = (count: number): void => {
    freeUnused(false);
    Atomics.add(done, 0, count);
  };
  try {
    const game = await needKeyedGame(path);
    assert(game !== null, 'positions are those of a keyed game');
    const source = reachableGraph(game, { budget: task.toReach, scratch, counters: reached });
    const env = { store: openStore(task.store), scratch, budget, counters, report, commitRows };
    await readShare(source, beginning, env, exchange, async (stride) => {
      reply({ type: 'ended', stride, counters: takeCounters(counters), reached: takeCounters(reached) });
    });
  } catch (error) {
    exchange.fail();
    throw error;
  }
}

find(task).catch((error) =>
  reply({ type: 'failed', error: error instanceof Halted ? null : packError(error) }),
);
