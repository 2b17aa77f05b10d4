import type { AddressSpace } from './address-space.js';
import type { Codec } from './codes.js';
import type { PageBuffers } from './page-buffers.js';

/**
 * The codes of all positions of an address space, looked up at random through the page buffers or scanned page by page.
 * Two-bit codes lie four to a byte, the first in the low bits; others are one word each.
 */
export class PagedValues {
  private readonly words: Uint8Array | Uint16Array;
  private readonly firstPage: Int32Array;
  private readonly pageShift: number;
  private readonly pageMask: number;
  /** Binary logarithm of the words of a page. */
  private readonly frameShift: number;
  private readonly laneShift: number;
  private readonly laneMask: number;
  private readonly codeMask: number;
  /** First word of the pinned page. */
  private pinnedWord = 0;

  constructor(
    readonly space: AddressSpace,
    codec: Codec,
    readonly buffers: PageBuffers,
  ) {
    const { pool } = buffers;
    this.words = codec.bits === 16 ? new Uint16Array(pool.buffer, pool.byteOffset, pool.length / 2) : pool;
    this.firstPage = space.firstPage;
    this.pageShift = space.pageShift;
    this.pageMask = space.perPage - 1;
    this.laneShift = codec.bits === 2 ? 2 : 0;
    this.laneMask = codec.bits === 2 ? 3 : 0;
    this.frameShift = space.pageShift - this.laneShift;
    this.codeMask = 2 ** codec.bits - 1;
  }

  /** The code of a position. The caller counts lookups. */
  get(major: number, key: number): number {
    const frame = this.buffers.frameFor(this.firstPage[major] + (key >>> this.pageShift));
    const word = (frame << this.frameShift) + ((key & this.pageMask) >>> this.laneShift);
    return (this.words[word] >>> ((key & this.laneMask) << 1)) & this.codeMask;
  }

  set(major: number, key: number, code: number): void {
    const frame = this.buffers.frameFor(this.firstPage[major] + (key >>> this.pageShift));
    this.buffers.changed(frame);
    this.put((frame << this.frameShift) + ((key & this.pageMask) >>> this.laneShift), key, code);
  }

  /** Pins the page that begins at key `first` of a part; see {@link PageBuffers.pin}. */
  pin(major: number, first: number, fresh: boolean): void {
    const page = this.firstPage[major] + (first >>> this.pageShift);
    this.pinnedWord = this.buffers.pin(page, fresh) << this.frameShift;
  }

  /** The code of position `place` of the pinned page. */
  pinnedAt(place: number): number {
    return (
      (this.words[this.pinnedWord + (place >>> this.laneShift)] >>> ((place & this.laneMask) << 1)) &
      this.codeMask
    );
  }

  /**
   * Puts the places in [from, to) of the pinned page that hold `code` in `places`, plus `offset`; returns how many. Not
   * for two-bit codes.
   */
  findPinned(code: number, from: number, to: number, offset: number, places: Uint32Array): number {
    const page = this.words.subarray(this.pinnedWord + from, this.pinnedWord + to);
    let n = 0;
    for (let at = page.indexOf(code); at >= 0; at = page.indexOf(code, at + 1))
      places[n++] = at + from + offset;
    return n;
  }

  setPinned(place: number, code: number): void {
    this.buffers.changed(this.pinnedWord >>> this.frameShift);
    this.put(this.pinnedWord + (place >>> this.laneShift), place, code);
  }

  private put(word: number, key: number, code: number): void {
    const shift = (key & this.laneMask) << 1;
    this.words[word] = (this.words[word] & ~(this.codeMask << shift)) | (code << shift);
  }
}
