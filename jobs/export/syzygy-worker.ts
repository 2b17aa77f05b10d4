/** A thread that makes Syzygy's files: see syzygy-crew.ts. */

import { parentPort, workerData } from 'node:worker_threads';
import { filedEndings } from '../../pipeline/games/chess/syzygy/endings.js';
import { answerCalls, notify } from '../engines/remote.js';
import { scratchIn } from '../engines/scratch-store.js';
import { freeUnused } from '../heap.js';
import { breathe } from '../output.js';
import { findGame } from '../registry.js';
import { openStore, storeToRead } from '../stores.js';
import type { CrewNotice, CrewPlace } from './syzygy-crew.js';
import { makeFiles } from './syzygy-files.js';

const { number, store, out, plies, force, memory, scratchFolder } = workerData as CrewPlace;
const tell = (notice: CrewNotice) => notify(parentPort!, notice);
const game = await findGame('chess');
const work = {
  game,
  plies,
  memory,
  store: storeToRead(store),
  out: openStore(out),
  scratch: scratchIn(scratchFolder, `syzygy-${number}`),
  note: (text: string) => tell({ type: 'note', text }),
  warn: (text: string) => tell({ type: 'warn', text }),
  breathe() {
    freeUnused(false);
    return breathe();
  },
};

answerCalls(parentPort!, async (name: string) => {
  const one = filedEndings(game, [game.ending(name)]).find(({ ending }) => ending.name === name)!;
  const files = await makeFiles(work, one, force);
  freeUnused(true);
  return files;
});
