/**
 * One byte per row of a dense index space that may be larger than memory, for sweeps: major after major, ascending,
 * again and again, changing some rows. The space is cut into fixed blocks of consecutive majors. A block stays in
 * memory from its first use on as long as memory lasts; the others pass through one buffer and, when changed, are
 * put to swap space on leaving. For cyclic sweeps this is the best policy: least-recently-used would always drop
 * the block that is needed next but one, and hit nothing.
 */
import type { Counters } from '../core/counters.js';
import { assert, StorageError } from '../core/errors.js';
import { objectName } from '../storage/names.js';
import type { Scratch } from '../storage/scratch.js';
import type { Store } from '../storage/store.js';
import type { Swap } from '../storage/swap.js';
import { openRun } from './reader.js';
import type { RunSpec } from './schema.js';
import type { MajorRange, RunRef } from './types.js';
import { createRun } from './writer.js';

/** A run that holds the labels of the majors [from, to); it may hold others. */
export interface LabelRun extends MajorRange, RunRef {}

export interface LabelSource extends LabelRun {
  readonly store: Store;
}

/**
 * Bytes of blocks that may yet come to stay, for one or several sets of labels: those that are swept most get most. What
 * cannot stay passes through a buffer of the largest block, which is held in any case and taken off, below zero if need be.
 */
export interface Allowance {
  bytes: number;
}

export interface LabelOptions {
  readonly majors: readonly [from: number, to: number];
  /** Rows, hence bytes, of a major; the same at every call. */
  readonly rowsOf: (major: number) => number;
  /** A block is closed when it has this many bytes; it has at least one major. */
  readonly blockBytes: number;
  readonly allowance: Allowance;
  /** Runs that hold the initial content, by disjoint intervals; what none holds is zero. */
  readonly sources: readonly LabelSource[];
  readonly scratch: Scratch;
  readonly batchRows: number;
  readonly counters: Counters;
  /** Memory for a block, whatever it holds; of the heap unless given. Given back by whoever gave it, after `dispose`. */
  readonly allocate?: (bytes: number) => Uint8Array;
}

export interface LabelBlocks {
  /** The rows of a major: a view that may be changed, valid until the next load or commit. */
  load(major: number): Promise<Uint8Array>;
  /** Says that the rows last loaded were changed (or will be, before the next load). */
  dirty(): void;
  /**
   * Makes `store` hold all blocks, and returns the runs that do, ascending. Blocks not changed since they were last
   * committed to this store (or opened from it) keep their run; the others are written to new ones, block i to nameOf(i).
   */
  commit(store: Store, nameOf: (block: number) => string): Promise<LabelRun[]>;
  /** Frees the memory and the swap space. */
  dispose(): Promise<void>;
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

interface Block extends MajorRange {
  readonly number: number;
  readonly bytes: number;
  /** Its content while it is in memory: resident, or in the common buffer. */
  content: Uint8Array | null;
  /** The content in memory differs from what is behind it: in swap space or in `home`. */
  changed: boolean;
  /** What was last committed; nothing of it means zeros. */
  home: readonly LabelSource[];
  /** Swap space has newer content than `home`. */
  swapped: boolean;
  /** Its place in swap space. */
  readonly offset: number;
}

/** Opens labels on their sources, which are not read until they are needed. */
export function openLabels(options: LabelOptions): LabelBlocks {
  const { rowsOf, allowance, scratch, counters } = options;
  const allocate = options.allocate ?? ((bytes: number) => new Uint8Array(bytes));
  const [from, to] = options.majors;
  const { blocks, blockOf, startOf, largest } = layOut(options);
  let held = 0;
  let passing: Uint8Array | null = null;
  let passingBlock: Block | null = null;
  let last: Block | null = null;
  let swap: Swap | null = null;

  /** Fills `content` with what is behind the block. */
  async function fetch(block: Block, content: Uint8Array): Promise<void> {
    if (block.swapped) {
      swap!.read(block.offset, content);
      counters.bytesRead += content.length;
      return;
    }
    await readHome(options, startOf, block, content);
  }

  function rowsIn(content: Uint8Array, major: number): Uint8Array {
    const start = startOf[major - from];
    return content.subarray(start, start + rowsOf(major));
  }

  /** Empties the common buffer. */
  function leave(): void {
    if (passingBlock === null) return;
    if (passingBlock.changed) {
      swap ??= scratch.swap();
      swap.write(passingBlock.offset, passingBlock.content!);
      counters.bytesWritten += passingBlock.bytes;
      passingBlock.swapped = true;
      passingBlock.changed = false;
    }
    passingBlock.content = null;
    passingBlock = null;
  }

  function hold(bytes: number): Uint8Array {
    allowance.bytes -= bytes;
    held += bytes;
    return allocate(bytes);
  }

  /** Brings a block into memory: to stay, if there is room. */
  async function enter(block: Block): Promise<Uint8Array> {
    let content: Uint8Array;
    const stays = block.bytes <= allowance.bytes;
    if (stays) {
      content = hold(block.bytes);
    } else {
      leave();
      passing ??= hold(largest);
      content = passing.subarray(0, block.bytes);
    }
    await fetch(block, content);
    if (!stays) passingBlock = block;
    block.content = content;
    return content;
  }

  async function commitBlock(block: Block, store: Store, nameOf: (block: number) => string): Promise<void> {
    if (isSettled(block, store)) return;
    const content = block.content ?? (await enter(block));
    await writeHome(options, startOf, block, content, { store, name: nameOf(block.number) });
  }

  return {
    async load(major) {
      assert(major >= from && major < to, `major ${major} is in [${from}, ${to})`);
      last = blocks[blockOf[major - from]];
      return rowsIn(last.content ?? (await enter(last)), major);
    },
    dirty() {
      assert(last?.content, 'rows are loaded before they are dirty');
      last.changed = true;
    },
    async commit(store, nameOf) {
      last = null;
      for (const block of blocks) await commitBlock(block, store, nameOf);
      return runsOf(blocks);
    },
    async dispose() {
      for (const block of blocks) block.content = null;
      allowance.bytes += held;
      held = 0;
      swap?.remove();
      swap = null;
      passing = null;
      passingBlock = null;
      last = null;
    },
  };
}

/** Fills `content` with what was last committed of the block. @param startOf each major's place in its block. */
async function readHome(
  { majors: [first], rowsOf, counters }: LabelOptions,
  startOf: Float64Array,
  block: Block,
  content: Uint8Array,
): Promise<void> {
  if (coveredMajors(block) < block.to - block.from) content.fill(0);
  for (const { store, name, crc, ...range } of block.home) {
    const run = await openRun(store, { name, crc }, { counters, expect: { kind: LABELS } });
    for (let major = range.from; major < range.to; major++) {
      if (run.segmentRows(major) === rowsOf(major)) continue;
      const has = `has ${run.segmentRows(major)} rows of major ${major}, not ${rowsOf(major)}`;
      throw new StorageError(objectName(store, name), has);
    }
    for await (const batch of run.denseCursor(range)) {
      content.set(batch.columns[0], startOf[batch.major - first] + batch.first);
    }
  }
}

/** Writes content in memory to the new run `name` of `store`, which becomes the home of the block. */
async function writeHome(
  { majors: [first], rowsOf, batchRows, counters }: LabelOptions,
  startOf: Float64Array,
  block: Block,
  content: Uint8Array,
  { store, name }: { readonly store: Store; readonly name: string },
): Promise<void> {
  const writer = await createRun(store, name, SPEC, { batchRows, counters });
  try {
    for (let major = block.from; major < block.to; major++) {
      await writer.append(major, rowsOf(major), null, [content], startOf[major - first]);
    }
    const { crc } = await writer.close();
    block.home = [{ store, name, crc, from: block.from, to: block.to }];
  } catch (error) {
    await writer.abort();
    throw error;
  }
  block.swapped = false;
  block.changed = false;
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
    !block.changed &&
    !block.swapped &&
    coveredMajors(block) === block.to - block.from &&
    block.home.every((source) => source.store === store)
  );
}

/** Majors that the block's home holds. */
function coveredMajors(block: Block): number {
  return block.home.reduce((sum, source) => sum + source.to - source.from, 0);
}

/** Cuts the majors into blocks; startOf gives each major's place in its block. */
function layOut({ majors: [from, to], rowsOf, blockBytes, sources }: LabelOptions) {
  const ordered = [...sources].sort((a, b) => a.from - b.from);
  for (let i = 1; i < ordered.length; i++) {
    assert(ordered[i - 1].to <= ordered[i].from, 'the intervals of the sources are disjoint');
  }
  const blocks: Block[] = [];
  const blockOf = new Uint32Array(to - from);
  const startOf = new Float64Array(to - from);
  let largest = 0;
  let offset = 0;
  let first = from;
  let bytes = 0;
  for (let major = from; major < to; major++) {
    blockOf[major - from] = blocks.length;
    startOf[major - from] = bytes;
    bytes += rowsOf(major);
    if (bytes < blockBytes && major < to - 1) continue;
    const range = { from: first, to: major + 1 };
    blocks.push({
      ...range,
      number: blocks.length,
      bytes,
      content: null,
      changed: false,
      home: within(ordered, range),
      swapped: false,
      offset,
    });
    offset += bytes;
    largest = Math.max(largest, bytes);
    first = major + 1;
    bytes = 0;
  }
  return { blocks, blockOf, startOf, largest };
}

/** The parts of sources that lie in a range. */
function within(sources: readonly LabelSource[], range: MajorRange): LabelSource[] {
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
