/** A process that solves KRKN by the paged solver in the folder argv[2]. */
import { join } from 'node:path';
import { localStore } from '../../operators/storage/local.js';
import { localPageFolder } from '../../operators/storage/local-page-folder.js';
import { planSlices } from '../../pipeline/game/plan.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { solvePaged } from './paged.js';

const folder = process.argv[2];
const store = localStore(join(folder, 'tables'), { durable: false });
let digests: readonly string[] = [];
let restarts = 0;
for (const { slice } of planSlices(chess, ['KRKN'])) {
  const { table } = await solvePaged(chess, slice, 'dtm', store, {
    pages: localPageFolder(join(folder, slice), { direct: false }),
    buffers: 120,
    checkpointRows: 1 << 20,
  });
  digests = table.digests;
  restarts = table.counters.restarts;
}
process.stdout.write(JSON.stringify({ digests, restarts }));
