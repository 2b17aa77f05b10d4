/** One of several ranks that import a graph together: they share the store alone. */
import { crc32 } from '../../operators/core/checksum.js';
import type { Store } from '../../operators/storage/store.js';
import type { Waiting } from '../engine/rank-crew.js';
import { folderOfRanks } from './steps.js';

export interface ImportRank {
  readonly store: Store;
  /** The name of the graph, and the fingerprint of its source. */
  readonly name: string;
  readonly fingerprint: string;
  /** This rank's number, from 0 on, and how many import together. */
  readonly self: number;
  readonly of: number;
  /** Letters, digits and dashes, different in every process. */
  readonly attempt: string;
  readonly waiting: Waiting;
}

/** The folder for objects that no step of the import names yet. Ranks of another number, or of another source, do not go on with it. */
export function folderOf({ name, fingerprint, of }: ImportRank): string {
  const digest = crc32(new TextEncoder().encode(fingerprint)).toString(16).padStart(8, '0');
  return folderOfRanks(name, of, digest);
}
