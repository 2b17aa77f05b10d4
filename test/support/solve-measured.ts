/**
 * A process that solves an ending of chess in the folder argv[2], in argv[4] MiB, its dependencies before it in the same. With
 * argv[5] "forward" it solves as if moves could not be taken back. Prints the ending's time and memory.
 */
import { join } from 'node:path';
import { freeUnused, keepHeapSmall } from '../../jobs/runtime/heap.js';
import { peakRss } from '../../jobs/runtime/process-memory.js';
import { localStore } from '../../operators/storage/local.js';
import { newScratch } from '../../operators/storage/scratch.js';
import { NO_METER, solveOne } from '../../pipeline/engine/crew/do-slice.js';
import { inlineEngine } from '../../pipeline/engine/crew/engine.js';
import type { Game } from '../../pipeline/game/game.js';
import { planSlices } from '../../pipeline/game/plan.js';
import type { Strategy } from '../../pipeline/game/strategy.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { withoutUnmoves } from './forward-only.js';

const [, , folder, ending, mebibytes, kind, strategy = 'count'] = process.argv as string[];
keepHeapSmall();
const store = localStore(join(folder, 'tables'), { durable: false });
const scratch = newScratch(localStore(join(folder, 'scratch'), { durable: false }), 'scratch');
for (const { slice } of planSlices(chess, [ending])) {
  const game = (slice === ending && kind === 'forward' ? withoutUnmoves(chess) : chess) as Game;
  const before = process.cpuUsage();
  const { table } = await solveOne({
    game,
    slice,
    metric: 'dtm',
    strategy: strategy as Strategy,
    store,
    budget: { memory: Number(mebibytes) * 2 ** 20, fanIn: 16, batchRows: 65536 },
    engine: inlineEngine(game, store, scratch),
    progress: () => freeUnused(true),
    verify: false,
    meter: NO_METER,
  });
  if (slice !== ending) continue;
  const { user, system } = process.cpuUsage(before);
  const { digests, requests, counters } = table;
  process.stdout.write(
    JSON.stringify({ digests, requests, counters, cpuMs: (user + system) / 1000, peakRss: peakRss() }),
  );
}
