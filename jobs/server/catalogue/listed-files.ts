/** The endings that a store of Syzygy's files has, remembered for a while. */
import type { StorageError } from '../../../operators/core/errors.js';
import { oneOf } from '../../../operators/core/once.js';
import type { Store } from '../../../operators/storage/store.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { materialsIn, somePosition } from '../../../pipeline/games/chess/syzygy/read/folder.js';
import { breathe } from '../../cli/output.js';
import type { FiledAnswer } from '../api-answers.js';
import { listing } from './listing.js';

/** Files were made before. A file server is asked for each of them, so they are not looked for often: after ten minutes. */
const FILES_MS = 600_000;

/** Those of fewer men first; none without a store. */
export function newListedFiles(
  store: Store | undefined,
  report: (error: StorageError) => void,
): () => Promise<readonly FiledAnswer[]> {
  if (store === undefined) return async () => [];
  return oneOf(() => listFiles(store), listing(report, FILES_MS));
}

async function listFiles(store: Store): Promise<FiledAnswer[]> {
  const found: FiledAnswer[] = [];
  for (const material of await materialsIn(store)) {
    const board = somePosition(material);
    if (board === null) continue;
    const ending = chess.ending(material.name);
    found.push({ ending: ending.name, pieces: ending.pieces, example: chess.format(board) });
    await breathe();
  }
  return found;
}
