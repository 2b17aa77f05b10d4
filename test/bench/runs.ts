/** Sizes of small runs of minors and the cost of packing them on one core, by density; beside the same minors unpacked. */
import { newCounters } from '../../operators/core/counters.js';
import { openBlocks, packBlocks, packedCapacity, unpackBlocks } from '../../operators/runs/compact-blocks.js';
import { openRun } from '../../operators/runs/reader.js';
import type { RunSpec } from '../../operators/runs/schema.js';
import { createRun, type RunInfo } from '../../operators/runs/writer.js';
import { memoryStore } from '../../operators/storage/memory.js';

export interface RunFigure {
  /** Number of keys per key that is there. */
  readonly oneIn: number;
  readonly bytesPerRow: number;
  /** Nanoseconds of CPU a row, the best of the repetitions: the coding alone, */
  readonly pack: number;
  readonly unpack: number;
  /** a run written to memory and read from it, checksums included, */
  readonly write: number;
  readonly read: number;
  /** and one of as many u32 values that are not packed. */
  readonly plainWrite: number;
  readonly plainRead: number;
}

const ROWS = 1 << 22;
const BATCH = 1 << 16;
const REPETITIONS = 5;

export async function benchRuns(): Promise<RunFigure[]> {
  const figures: RunFigure[] = [];
  for (const oneIn of [1000, 100, 10, 3]) {
    const minor = minorsOf(oneIn);
    const packed = packAll(minor);
    const figure = {
      oneIn,
      bytesPerRow: packed.reduce((sum, words) => sum + words.byteLength, 0) / ROWS,
      pack: await nsPerRow(() => packAll(minor)),
      unpack: await nsPerRow(() => unpackAll(packed)),
      ...(await throughRun(minor, false)),
    };
    const plain = await throughRun(minor, true);
    figures.push({ ...figure, plainWrite: plain.write, plainRead: plain.read });
  }
  return figures;
}

async function nsPerRow(run: () => unknown): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let r = 0; r < REPETITIONS; r++) {
    const start = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, user + system);
  }
  return (best * 1000) / ROWS;
}

const parts = Uint32Array.of(BATCH);
const buffer = new Uint32Array(packedCapacity(BATCH));

/** Every batch of the minors, copied and packed. */
function packAll(minor: Uint32Array): Uint32Array[] {
  const packed: Uint32Array[] = [];
  for (let from = 0; from < ROWS; from += BATCH) {
    buffer.set(minor.subarray(from, from + BATCH));
    packed.push(buffer.slice(0, packBlocks(buffer, parts)));
  }
  return packed;
}

function unpackAll(packed: readonly Uint32Array[]): void {
  const rows = 1 << 13;
  for (const words of packed) {
    const blocks = openBlocks(words, parts);
    if (typeof blocks === 'string') throw new Error(blocks);
    for (let from = 0; from < BATCH; from += rows) {
      const fault = unpackBlocks(blocks, 0, from, rows, buffer);
      if (fault !== null) throw new Error(fault);
    }
  }
}

/** A run of minors alone is packed; a dense run of the same numbers stays as it was. */
async function throughRun(minor: Uint32Array, plain: boolean): Promise<{ write: number; read: number }> {
  let info: RunInfo | undefined;
  const store = memoryStore();
  const counters = newCounters();
  const columns = plain ? [{ name: 'minor', type: 'u32' as const }] : [];
  const spec: RunSpec = { kind: 'bench', dense: plain, columns, strict: true, meta: {} };
  const write = await nsPerRow(async () => {
    const writer = await createRun(store, 'run', spec, { batchRows: BATCH, counters });
    for (let from = 0; from < ROWS; from += BATCH) {
      if (plain) await writer.append(0, BATCH, null, [minor], from);
      else await writer.append(0, BATCH, minor, [], from);
    }
    info = await writer.close();
  });
  const read = await nsPerRow(async () => {
    const run = await openRun(store, info!, { counters });
    let rows = 0;
    for await (const batch of plain ? run.denseCursor() : run.cursor()) rows += batch.length;
    if (rows !== ROWS) throw new Error(`${rows} rows of ${ROWS}`);
  });
  return { write, read };
}

/** Random ascending minors: one in `oneIn` is there. */
function minorsOf(oneIn: number): Uint32Array {
  let x = 0x9e3779b9;
  let key = -1;
  return Uint32Array.from({ length: ROWS }, () => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    const gap = 1 + Math.floor(Math.log((1 + (x >>> 0)) / 2 ** 32) / Math.log(1 - 1 / oneIn));
    key += gap;
    return key;
  });
}
