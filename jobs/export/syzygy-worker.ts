/** A thread that makes Syzygy's files: see syzygy-crew.ts. */

import { parentPort, workerData } from 'node:worker_threads';
import { filedEndings } from '../../pipeline/games/chess/syzygy/endings.js';
import { packError } from '../engines/packed-error.js';
import { scratchIn } from '../engines/scratch-store.js';
import { freeUnused } from '../heap.js';
import { breathe } from '../output.js';
import { findGame } from '../registry.js';
import { openStore, storeToRead } from '../stores.js';
import type { CrewCall, CrewPlace, CrewReply } from './syzygy-crew.js';
import { makeFiles } from './syzygy-files.js';

const { number, store, out, plies, force, memory, scratchFolder } = workerData as CrewPlace;
const reply = (what: CrewReply) => parentPort!.postMessage(what);
const game = await findGame('chess');
const work = {
  game,
  plies,
  memory,
  store: storeToRead(store),
  out: openStore(out),
  scratch: scratchIn(scratchFolder, `syzygy-${number}`),
  note: (text: string) => reply({ type: 'note', text }),
  warn: (text: string) => reply({ type: 'warning', text }),
  breathe() {
    freeUnused(false);
    return breathe();
  },
};

async function make(name: CrewCall): Promise<void> {
  try {
    const one = filedEndings(game, [game.ending(name)]).find(({ ending }) => ending.name === name)!;
    reply({ type: 'made', files: await makeFiles(work, one, force) });
    freeUnused(true);
  } catch (error) {
    reply({ type: 'error', error: packError(error) });
  }
}

parentPort!.on('message', (name: CrewCall) => void make(name));
