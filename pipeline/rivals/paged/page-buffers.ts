import { assert } from '../../../operators/core/errors.js';
import { PAGE_BYTES, type PageFile } from '../../../operators/storage/page-folder.js';
import type { PagedCounters } from './counters.js';

/** The least number of buffers: a scanned page, the page it looks into, and one in between. */
export const LEAST_BUFFERS = 3;
/** The pool is addressed with 31 bits. */
export const MOST_BUFFERS = 2 ** 18 - 1;

const ABSENT = -1;

/**
 * The page table and its buffers (Lake, Schaeffer & Lu 1994, section 3.1). The least recently used page makes room. But a page
 * that a scan is done with goes first, because the pass will not want it again. While it is scanned a page is pinned: in the
 * paper every position of the scan touches it, which comes to the same.
 *
 * All state is in typed arrays. A page that is in its buffer costs a table look-up and, unless it is the one used last,
 * the relinking of a list. The page table is four bytes a page, the lists and tables of buffers 13 bytes a buffer.
 */
export class PageBuffers {
  /** Buffer `frame` is pool[frame * PAGE_BYTES, (frame + 1) * PAGE_BYTES). */
  readonly count: number;
  private readonly frameOfPage: Int32Array;
  private readonly pageOfFrame: Int32Array;
  private readonly dirty: Uint8Array;
  /** Ring of buffers by last use; place `count` is its head: next is the most, previous the least recently used. */
  private readonly next: Int32Array;
  private readonly previous: Int32Array;
  private newest: number;
  /** Buffers that have held a page: [0, used). */
  private used = 0;
  private pinned = ABSENT;
  private lastRead = ABSENT;
  private lastWrite = ABSENT;

  /** @param pool PAGE_BYTES bytes a buffer, aligned as `file` needs it. */
  constructor(
    readonly pool: Uint8Array,
    pages: number,
    private readonly file: PageFile,
    private readonly counters: PagedCounters,
  ) {
    this.count = pool.length / PAGE_BYTES;
    const { count } = this;
    assert(count >= LEAST_BUFFERS && count <= MOST_BUFFERS, 'the pool is of a possible size');
    this.frameOfPage = new Int32Array(pages).fill(ABSENT);
    this.pageOfFrame = new Int32Array(count).fill(ABSENT);
    this.dirty = new Uint8Array(count);
    this.next = new Int32Array(count + 1).fill(count);
    this.previous = new Int32Array(count + 1).fill(count);
    this.newest = count;
  }

  /** The buffer of a page, read if it must be; the page becomes the most recently used. */
  frameFor(page: number): number {
    const frame = this.frameOfPage[page];
    return frame === this.newest ? frame : this.touch(page, frame);
  }

  /** Marks the content of a buffer as differing from the file. */
  changed(frame: number): void {
    this.dirty[frame] = 1;
  }

  /**
   * Keeps the page in its buffer until `release`; one at a time. With `fresh` its content is of no interest: it is
   * zeroed, not read.
   */
  pin(page: number, fresh: boolean): number {
    assert(this.pinned === ABSENT, 'one page is pinned at a time');
    this.counters.scanned++;
    let frame = this.frameOfPage[page];
    if (frame === ABSENT) {
      frame = this.take(page);
      if (fresh) this.zero(frame);
      else this.read(page, frame);
    } else {
      if (fresh) this.zero(frame);
      this.unlink(frame);
    }
    this.newest = this.next[this.count];
    this.pinned = frame;
    return frame;
  }

  /** The pinned page becomes the least recently used. */
  release(): void {
    this.linkBefore(this.pinned, this.count);
    this.pinned = ABSENT;
    this.newest = this.next[this.count];
  }

  /** Writes all changed pages, in page order. */
  flush(): void {
    const pages: number[] = [];
    for (let frame = 0; frame < this.used; frame++)
      if (this.dirty[frame]) pages.push(this.pageOfFrame[frame]);
    for (const page of Int32Array.from(pages).sort()) this.write(this.frameOfPage[page]);
  }

  private touch(page: number, present: number): number {
    if (present !== ABSENT && present === this.pinned) return present;
    let frame = present;
    if (frame === ABSENT) {
      this.counters.faults++;
      frame = this.take(page);
      this.read(page, frame);
    } else this.unlink(frame);
    this.linkBefore(frame, this.next[this.count]);
    this.newest = frame;
    return frame;
  }

  /** Gives the page a buffer that is not in the ring, new or least recently used; the caller fills it. */
  private take(page: number): number {
    let frame = this.used;
    if (frame < this.count) this.used++;
    else {
      frame = this.previous[this.count];
      if (this.dirty[frame]) this.write(frame);
      this.frameOfPage[this.pageOfFrame[frame]] = ABSENT;
      this.unlink(frame);
    }
    this.pageOfFrame[frame] = page;
    this.frameOfPage[page] = frame;
    return frame;
  }

  private unlink(frame: number): void {
    const { next, previous } = this;
    const after = next[frame];
    const before = previous[frame];
    next[before] = after;
    previous[after] = before;
  }

  private linkBefore(frame: number, place: number): void {
    const { next, previous } = this;
    const before = previous[place];
    next[before] = frame;
    previous[frame] = before;
    next[frame] = place;
    previous[place] = frame;
  }

  private zero(frame: number): void {
    this.pool.fill(0, frame * PAGE_BYTES, (frame + 1) * PAGE_BYTES);
    this.dirty[frame] = 1;
  }

  private read(page: number, frame: number): void {
    if (page === this.lastRead + 1) this.counters.sequentialReads++;
    else this.counters.randomReads++;
    this.lastRead = page;
    this.file.read(page, this.pool, frame * PAGE_BYTES);
  }

  private write(frame: number): void {
    const page = this.pageOfFrame[frame];
    if (page === this.lastWrite + 1) this.counters.sequentialWrites++;
    else this.counters.randomWrites++;
    this.lastWrite = page;
    this.file.write(page, this.pool, frame * PAGE_BYTES);
    this.dirty[frame] = 0;
  }
}
