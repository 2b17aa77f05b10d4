/**
 * A process that reaches argv[3] positions in argv[4] MiB, its scratch in the folder argv[2]. Position i has moves to 2i, 2i +
 * 1 and 3i + 1 modulo their number, so that layers double until all are reached. Prints time and memory.
 */
import { freeUnused, keepHeapSmall } from '../../jobs/runtime/heap.js';
import { peakRss } from '../../jobs/runtime/process-memory.js';
import { newCounters } from '../../operators/core/counters.js';
import { localStore } from '../../operators/storage/local.js';
import { newScratch } from '../../operators/storage/scratch.js';
import { keyedGame } from '../../pipeline/games/yours/keyed/keyed-game.js';
import { findPositions } from '../../pipeline/graph/reachable.js';
import type { Layer } from '../../pipeline/graph/source.js';
import { unpacked } from '../../pipeline/graph/unpacked.js';

const [, , folder, positions, mebibytes] = process.argv as string[];
keepHeapSmall();
const count = Number(positions);
const game = keyedGame<number>({
  name: 'doubling',
  roots: () => [1],
  key: (i) => BigInt(i) << 20n,
  position: (key) => Number(key >> 20n),
  mover: (i) => (i % 2 === 0 ? 0 : 1),
  moves: (i) => [
    ['double', (2 * i) % count],
    ['double and one', (2 * i + 1) % count],
    ['treble and one', (3 * i + 1) % count],
  ],
});
const counters = newCounters();
const scratch = newScratch(localStore(folder, { durable: false }), 'scratch');
const budget = { memory: Number(mebibytes) * 2 ** 20, fanIn: 16, batchRows: 65536 };
const layers: Layer[] = [];
const before = process.cpuUsage();
let nodes = 0;
let sum = 0n;
await findPositions(
  game,
  { budget, scratch, counters },
  (found) => {
    nodes += found.length;
    for (const { id } of unpacked(found)) sum += id as bigint;
    freeUnused(false);
  },
  (layer) => layers.push(layer),
);
const { user, system } = process.cpuUsage(before);
process.stdout.write(
  JSON.stringify({
    nodes,
    sum: String(sum >> 20n),
    layers: layers.length,
    counters,
    cpuMs: (user + system) / 1000,
    peakRss: peakRss(),
  }),
);
