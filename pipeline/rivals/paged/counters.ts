import { PAGE_BYTES } from '../../../operators/storage/page-folder.js';

/** Counts of the paged solver. Pages are 8 KiB; table bytes go through the store, in order, and are counted apart. */
export interface PagedCounters {
  /** Buffers the values' pages had, and the pages there were. */
  buffers: number;
  pages: number;
  /** Values asked for or set at random, and how many of them found their page in no buffer. */
  lookups: number;
  faults: number;
  /** Pages that scans went over. */
  scanned: number;
  /** Page reads and writes; sequential: of the page after the one read (written) before. */
  sequentialReads: number;
  randomReads: number;
  sequentialWrites: number;
  randomWrites: number;
  /** Pages of position queues; all are sequential. */
  queueReads: number;
  queueWrites: number;
  /** Rows that the game's kernels made. */
  moves: number;
  unmoves: number;
  conversions: number;
  /** Passes forward over one side's positions, and rounds of the queue. */
  forwardPasses: number;
  queueRounds: number;
  checkpoints: number;
  /** How often the work was taken up again from a checkpoint. */
  restarts: number;
  tableBytesRead: number;
  tableBytesWritten: number;
}

export function newPagedCounters(): PagedCounters {
  return {
    buffers: 0,
    pages: 0,
    lookups: 0,
    faults: 0,
    scanned: 0,
    sequentialReads: 0,
    randomReads: 0,
    sequentialWrites: 0,
    randomWrites: 0,
    queueReads: 0,
    queueWrites: 0,
    moves: 0,
    unmoves: 0,
    conversions: 0,
    forwardPasses: 0,
    queueRounds: 0,
    checkpoints: 0,
    restarts: 0,
    tableBytesRead: 0,
    tableBytesWritten: 0,
  };
}

/** Page I/O as a device sees it: operations and bytes, and what part of them is random. */
export interface PageTraffic {
  readonly hits: number;
  readonly pageReads: number;
  readonly pageWrites: number;
  readonly sequentialBytes: number;
  readonly randomBytes: number;
}

export function pageTraffic(counters: PagedCounters): PageTraffic {
  const { sequentialReads, randomReads, sequentialWrites, randomWrites, queueReads, queueWrites } = counters;
  return {
    hits: counters.lookups - counters.faults,
    pageReads: sequentialReads + randomReads + queueReads,
    pageWrites: sequentialWrites + randomWrites + queueWrites,
    sequentialBytes: PAGE_BYTES * (sequentialReads + sequentialWrites + queueReads + queueWrites),
    randomBytes: PAGE_BYTES * (randomReads + randomWrites),
  };
}
