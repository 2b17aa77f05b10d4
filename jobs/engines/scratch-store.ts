import { localStore } from '../../operators/storage/local.js';
import { newScratch, type Scratch } from '../../operators/storage/scratch.js';

/** Objects of a scratch folder, whose names begin with a prefix. */
export function scratchIn(folder: string, prefix: string): Scratch {
  return newScratch(localStore(folder, { durable: false }), prefix);
}
