import { PAGE_BYTES, type PageFile, type PageFolder } from '../../../operators/storage/page-folder.js';
import type { PagedCounters } from './counters.js';

const PER_PAGE = PAGE_BYTES / 4;
const FLOWS = 4;
/** Two buffers a flow, one of the round that writes and one of the round before it, and one to read into. */
const BUFFERS = 2 * FLOWS + 1;
export const QUEUE_BYTES = BUFFERS * PAGE_BYTES;

const fileName = (flow: number, turn: number): string => `queue-${flow}-${turn}`;
const isQueueFile = (name: string): boolean => name.startsWith('queue-');

/**
 * The position queues (Lake, Schaeffer & Lu 1994, section 3.2). Positions resolved in one round wait on disk, four
 * bytes each, until their predecessors are looked at in the next. One queue for each flow (won or lost, side to
 * move); while a round reads those that the round before wrote, it writes its own. Full pages go to disk, the last
 * stays in memory. Queues do not outlive the process: what they held is found again by a scan or by forward passes.
 */
export class PositionQueue {
  private readonly pool: Uint8Array<ArrayBuffer>;
  private readonly words: Uint32Array;
  private readonly files: PageFile[] = [];
  private readonly lengths = new Float64Array(2 * FLOWS);
  private writing = 0;

  constructor(
    private readonly folder: PageFolder,
    private readonly counters: PagedCounters,
  ) {
    this.pool = folder.pool(BUFFERS);
    this.words = new Uint32Array(this.pool.buffer, 0, this.pool.length / 4);
    for (let turn = 0; turn < 2; turn++) {
      for (let flow = 0; flow < FLOWS; flow++) this.files.push(folder.open(fileName(flow, turn), true));
    }
  }

  /** Puts the position number `index` (below 2^32) of the flow's side in the queue that is being written. */
  push(flow: number, index: number): void {
    const slot = this.writing * FLOWS + flow;
    const length = this.lengths[slot]++;
    const place = length % PER_PAGE;
    this.words[slot * PER_PAGE + place] = index;
    if (place === PER_PAGE - 1) {
      this.files[slot].write((length - place) / PER_PAGE, this.pool, slot * PAGE_BYTES);
      this.counters.queueWrites++;
    }
  }

  /** Starts reading the queues just written, and drops those just read. */
  turn(): void {
    this.writing = 1 - this.writing;
    this.lengths.fill(0, this.writing * FLOWS, (this.writing + 1) * FLOWS);
  }

  /** Positions in the queue that is being read. */
  length(flow: number): number {
    return this.lengths[(1 - this.writing) * FLOWS + flow];
  }

  /** Positions in the queues that are being written. */
  get written(): number {
    let sum = 0;
    for (let flow = 0; flow < FLOWS; flow++) sum += this.lengths[this.writing * FLOWS + flow];
    return sum;
  }

  /**
   * The positions [from, from + result.length) of the queue that is being read; empty at the end. `from` is 0 or the
   * end of the result before. The view is the caller's to reorder until the next call.
   */
  read(flow: number, from: number): Uint32Array {
    const slot = (1 - this.writing) * FLOWS + flow;
    const length = Math.min(PER_PAGE, this.lengths[slot] - from);
    if (length < PER_PAGE) return this.words.subarray(slot * PER_PAGE, slot * PER_PAGE + Math.max(0, length));
    this.files[slot].read(from / PER_PAGE, this.pool, 2 * FLOWS * PAGE_BYTES);
    this.counters.queueReads++;
    return this.words.subarray(2 * FLOWS * PER_PAGE);
  }

  /** Closes and deletes the queues. */
  close(): void {
    for (const file of this.files) file.close();
    for (const name of this.folder.list()) if (isQueueFile(name)) this.folder.delete(name);
  }
}
