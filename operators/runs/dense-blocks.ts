/**
 * One byte per row of a dense index space that may be larger than memory. It is for sweeps that change some rows: major
 * after major, ascending, again and again. The space is cut into fixed blocks of consecutive majors. Each block is committed
 * as a run. Blocks are cut into *pages*, which come to memory and leave it (label-memory.ts). When a changed page leaves, it
 * is put to swap space.
 */
import { type Arrays, newArrays } from '../core/arrays.js';
import type { Counters } from '../core/counters.js';
import { assert, fail, StorageError } from '../core/errors.js';
import type { Interval } from '../core/interval.js';
import { orAbort } from '../core/or-abort.js';
import { objectName } from '../storage/object-names.js';
import type { Scratch } from '../storage/scratch.js';
import type { Store } from '../storage/store.js';
import type { Swap } from '../storage/swap.js';
import { type Closings, newClosings } from './closings.js';
import type { LabelMemory, Tenant } from './label-memory.js';
import { openRun, type RunReader } from './reader.js';
import type { RunSpec } from './schema.js';
import type { RunRef } from './types.js';
import { createRun } from './writer.js';

/** A run that holds the labels of the majors [from, to); it may hold others. */
export interface LabelRun extends Interval, RunRef {}

export interface LabelSource extends LabelRun {
  readonly store: Store;
}

export interface LabelOptions {
  readonly majors: readonly [from: number, to: number];
  /** Rows, hence bytes, of a major; the same at every call. */
  readonly rowsOf: (major: number) => number;
  /** A block is closed when it has this many bytes, and a page likewise; each has at least one major. */
  readonly blockBytes: number;
  readonly pageBytes: number;
  /** Shared with other labels. All pages are of `all` bytes together at most, and no page exceeds its `largest`. */
  readonly memory: LabelMemory;
  /** Runs that hold the initial content, by disjoint intervals; what none holds is zero. */
  readonly sources: readonly LabelSource[];
  readonly scratch: Scratch;
  readonly batchRows: number;
  readonly counters: Counters;
}

/** The kind of the runs that hold blocks: dense, one u8 column "label". */
export const LABELS = 'labels';
const SPEC: RunSpec = {
  kind: LABELS,
  dense: true,
  columns: [{ name: 'label', type: 'u8' }],
  strict: true,
  meta: {},
};

interface Block extends Interval {
  readonly number: number;
  readonly pages: Page[];
  /** The sources that were last committed; none means zeros. */
  home: readonly LabelSource[];
}

interface Page extends Interval, Tenant {
  readonly block: Block;
  /** The content in memory is newer than that in swap space or in the committed run. */
  changed: boolean;
  /** Swap space has the content, at least as new as that of the committed run. */
  swapped: boolean;
  /** The committed run has older content. */
  unsaved: boolean;
  /** Its place in swap space. */
  readonly offset: number;
}

/** Labels on their sources, which are not read until they are needed. */
export class LabelBlocks {
  private readonly arrays = newArrays();
  private readonly blocks: readonly Block[];
  private readonly pages: readonly Page[];
  /** By major, from the first on: the number of its page, and where it begins in the page. */
  private readonly pageOf: Uint32Array;
  private readonly startOf: Float64Array;
  private readonly readHome: (page: Page, content: Uint8Array) => Promise<void>;
  /** The page of the last load. */
  private last: Page | null = null;
  /** Whether it was changed since a sweep came to it. */
  private isChanged = false;
  private swap: Swap | null = null;

  constructor(private readonly options: LabelOptions) {
    const { blocks, pages, pageOf, startOf } = layOut(options, (page) => this.leave(page));
    this.blocks = blocks;
    this.pages = pages;
    this.pageOf = pageOf;
    this.startOf = startOf;
    this.readHome = homeReader(options, startOf, this.arrays);
  }

  /** The rows of a major: a view that may be changed, valid until the next load or commit of any labels in the same memory. */
  async load(major: number): Promise<Uint8Array> {
    const { majors, rowsOf, counters } = this.options;
    const [from, to] = majors;
    if (major < from || major >= to) fail(`major ${major} is in [${from}, ${to})`);
    const page = this.pages[this.pageOf[major - from]];
    if (page !== this.last) {
      counters.pagesMet++;
      this.isChanged = false;
    }
    this.last = page;
    const start = this.startOf[major - from];
    return (await this.enter(page)).subarray(start, start + rowsOf(major));
  }

  /** The rows of a major if they are in memory: a view as that of `load`, to be read only. Else null. */
  inMemory(major: number): Uint8Array | null {
    const { majors, rowsOf } = this.options;
    const page = this.pages[this.pageOf[major - majors[0]]];
    const start = this.startOf[major - majors[0]];
    return page.at < 0 ? null : this.contentOf(page).subarray(start, start + rowsOf(major));
  }

  /** Marks the rows last loaded as changed (now, or before the next load). */
  dirty(): void {
    const { last } = this;
    assert(last !== null && last.at >= 0, 'rows are loaded before they are dirty');
    if (!this.isChanged) this.options.counters.pagesChanged++;
    this.isChanged = last.changed = last.unsaved = true;
  }

  /**
   * Makes `store` hold all blocks, and returns the runs that do, ascending. Blocks not changed since they were last
   * committed to this store (or opened from it) keep their run. The others are written to new ones, block i to nameOf(i).
   */
  async commit(store: Store, nameOf: (block: number) => string): Promise<LabelRun[]> {
    this.last = null;
    const closings = newClosings();
    try {
      for (const block of this.blocks) {
        if (!isSettled(block, store)) await this.commitBlock(block, store, nameOf(block.number), closings);
      }
      await closings.settle();
    } catch (error) {
      await closings.abandon();
      throw error;
    }
    return runsOf(this.blocks);
  }

  /** Frees the memory and the swap space. */
  async dispose(): Promise<void> {
    for (const page of this.pages) this.options.memory.remove(page);
    this.swap?.remove();
    this.swap = null;
    this.last = null;
  }

  private contentOf({ at, bytes }: Page): Uint8Array {
    return this.options.memory.content.subarray(at, at + bytes);
  }

  /** Brings a page into memory. */
  private async enter(page: Page): Promise<Uint8Array> {
    const { memory, counters } = this.options;
    const wasThere = memory.use(page);
    const content = this.contentOf(page);
    if (wasThere) return content;
    try {
      if (page.swapped) {
        this.swap!.read(page.offset, content);
        counters.bytesRead += content.length;
      } else await this.readHome(page, content);
    } catch (error) {
      memory.remove(page);
      throw error;
    }
    return content;
  }

  /** Saves a page that leaves the memory, if it was changed. */
  private leave(page: Page): void {
    if (!page.changed) return;
    const { scratch, counters } = this.options;
    this.swap ??= scratch.swap();
    this.swap.write(page.offset, this.contentOf(page));
    counters.bytesWritten += page.bytes;
    page.swapped = true;
    page.changed = false;
  }

  private async commitBlock(block: Block, store: Store, name: string, closings: Closings): Promise<void> {
    const { majors, rowsOf, batchRows, counters } = this.options;
    const writer = await createRun(store, name, SPEC, { batchRows, counters, arrays: this.arrays });
    await orAbort(writer, async () => {
      for (const page of block.pages) {
        const content = await this.enter(page);
        for (let major = page.from; major < page.to; major++)
          await writer.append(major, rowsOf(major), null, [content], this.startOf[major - majors[0]]);
      }
    });
    await closings.add(writer, ({ crc }) => {
      block.home = [{ store, name, crc, from: block.from, to: block.to }];
      for (const page of block.pages) {
        if (page.changed) page.swapped = false;
        page.changed = false;
        page.unsaved = false;
      }
    });
  }
}

/** Fills the content of a page with what was last committed of it. @param startOf each major's place in its page. */
function homeReader(
  { majors: [first], rowsOf, counters }: LabelOptions,
  startOf: Float64Array,
  arrays: Arrays,
) {
  // Pages of a block mostly come one behind the other.
  let open: { readonly source: LabelSource; readonly run: RunReader } | null = null;

  async function opened(source: LabelSource): Promise<RunReader> {
    if (open?.source !== source) {
      const { store, name, crc } = source;
      open = { source, run: await openRun(store, { name, crc }, { counters, expect: { kind: LABELS } }) };
    }
    return open.run;
  }

  return async (page: Page, content: Uint8Array): Promise<void> => {
    if (coveredMajors(page.block.home, page) < page.to - page.from) content.fill(0);
    for (const source of page.block.home) {
      const range = { from: Math.max(source.from, page.from), to: Math.min(source.to, page.to) };
      if (range.from >= range.to) continue;
      const run = await opened(source);
      for (let major = range.from; major < range.to; major++) {
        if (run.segmentRows(major) === rowsOf(major)) continue;
        const has = `has ${run.segmentRows(major)} rows of major ${major}, not ${rowsOf(major)}`;
        throw new StorageError(objectName(source.store, source.name), has);
      }
      for await (const batch of run.denseCursor(range, { arrays })) {
        content.set(batch.columns[0], startOf[batch.major - first] + batch.first);
      }
    }
  };
}

/** The runs that hold the blocks, ascending; neighbouring intervals of a run are joined. */
function runsOf(blocks: readonly Block[]): LabelRun[] {
  const runs: LabelRun[] = [];
  for (const block of blocks) {
    for (const { name, crc, ...range } of block.home) {
      const before = runs[runs.length - 1];
      if (before?.name === name && before.to === range.from)
        runs[runs.length - 1] = { ...before, to: range.to };
      else runs.push({ name, crc, from: range.from, to: range.to });
    }
  }
  return runs;
}

/** Whether `store` holds the block as it is. */
function isSettled(block: Block, store: Store): boolean {
  return (
    block.pages.every((page) => !page.unsaved) &&
    coveredMajors(block.home, block) === block.to - block.from &&
    block.home.every((source) => source.store === store)
  );
}

/** Majors of a range that sources hold. */
function coveredMajors(sources: readonly LabelSource[], { from, to }: Interval): number {
  return sources.reduce(
    (sum, source) => sum + Math.max(0, Math.min(to, source.to) - Math.max(from, source.from)),
    0,
  );
}

/** Cuts the majors into blocks and these into pages; startOf gives each major's place in its page. */
function layOut(
  { majors: [from, to], rowsOf, blockBytes, pageBytes, sources }: LabelOptions,
  leave: (page: Page) => void,
) {
  const ordered = [...sources].sort((a, b) => a.from - b.from);
  for (let i = 1; i < ordered.length; i++) {
    assert(ordered[i - 1].to <= ordered[i].from, 'the intervals of the sources are disjoint');
  }
  const blocks: Block[] = [];
  const pages: Page[] = [];
  const pageOf = new Uint32Array(to - from);
  const startOf = new Float64Array(to - from);
  let offset = 0;
  for (let first = from; first < to; ) {
    const end = endOf(first, to, blockBytes, rowsOf);
    const range = { from: first, to: end };
    const block: Block = { ...range, number: blocks.length, pages: [], home: within(ordered, range) };
    blocks.push(block);
    for (let major = first; major < end; ) {
      const page = newPage(block, major, endOf(major, end, pageBytes, rowsOf), offset);
      for (; major < page.to; major++) {
        pageOf[major - from] = pages.length;
        startOf[major - from] = page.bytes;
        page.bytes += rowsOf(major);
      }
      offset += page.bytes;
      const laid: Page = Object.assign(page, { leave: () => leave(laid) });
      pages.push(laid);
      block.pages.push(laid);
    }
    first = end;
  }
  return { blocks, pages, pageOf, startOf };
}

function newPage(block: Block, from: number, to: number, offset: number) {
  const state = { at: -1, used: 0, changed: false, swapped: false, unsaved: false };
  return { block, from, to, offset, bytes: 0, ...state };
}

/** The end of the majors from `from` on that have `bytes` together, or of all below `to`. */
function endOf(from: number, to: number, bytes: number, rowsOf: (major: number) => number): number {
  let major = from;
  for (let sum = 0; major < to && (sum < bytes || major === from); major++) sum += rowsOf(major);
  return major;
}

/** The parts of sources that lie in a range. */
function within(sources: readonly LabelSource[], range: Interval): LabelSource[] {
  return sources
    .map(({ store, name, crc, from, to }) => ({
      store,
      name,
      crc,
      from: Math.max(from, range.from),
      to: Math.min(to, range.to),
    }))
    .filter((source) => source.from < source.to);
}
