import { newCensus, readStatus } from '../../pipeline/census.js';
import type { Side, Slice } from '../../pipeline/game.js';
import { createPlainKernels } from '../../pipeline/games/chess/plain-kernels.js';
import { createSlice } from '../../pipeline/games/chess/slice.js';

export interface KernelRow {
  readonly kernel: string;
  readonly ending: string;
  readonly side: Side;
  /** Nanoseconds a position, or an index in a census. */
  readonly nsPerPosition: number;
  /** Nanoseconds an emitted row, copies into and out of the linear memory included; null if there are no rows. */
  readonly nsPerRow: number | null;
  /** The same of the plain kernel. */
  readonly plainNsPerRow: number | null;
}

const KERNELS = ['unmovesWithin', 'unmovesBeyond', 'unmoves', 'moves', 'conversions'] as const;
type Kernel = (typeof KERNELS)[number];

const EMISSION = 1 << 16;

/** CPU seconds. */
function seconds(run: () => void): number {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

/** The least of some times: the machine may be busy with other work, and the first runs are compiled meanwhile. */
function best(run: () => void): number {
  return Math.min(...Array.from({ length: 6 }, () => seconds(run)));
}

function timeCensus(slice: Slice, side: Side, parts: readonly number[]): KernelRow {
  const length = 1 << 14;
  const out = { ...newCensus(length), conversions: null };
  let indices = 0;
  const time = best(() => {
    indices = 0;
    for (const part of parts) {
      const size = slice.partSize(part);
      for (let first = 0; first < size; first += length) {
        slice.census(side, part, first, Math.min(length, size - first), out);
      }
      indices += size;
    }
  });
  return {
    kernel: 'census',
    ending: slice.name,
    side,
    nsPerPosition: (time * 1e9) / indices,
    nsPerRow: null,
    plainNsPerRow: null,
  };
}

/** Every eleventh canonical legal position of a part, as a frontier would have them. */
function frontier(slice: Slice, side: Side, part: number): Uint32Array {
  const size = slice.partSize(part);
  const census = newCensus(size);
  slice.census(side, part, 0, size, census);
  const status = new Uint8Array(size);
  readStatus(census, 0, size, status);
  return Uint32Array.from(status.keys())
    .filter((key) => status[key] !== 0)
    .filter((_, i) => i % 11 === 0);
}

/** One kernel over the keys of some parts: CPU seconds and rows. */
function timeRows(
  slice: Slice,
  kernel: Kernel,
  side: Side,
  parts: readonly number[],
  keys: readonly Uint32Array[],
): { time: number; rows: number } {
  const bias = new Array<number>(2 * slice.dependencies.length).fill(0);
  const local = slice.local!;
  const out = {
    length: 0,
    major: new Uint32Array(EMISSION),
    minor: new Uint32Array(EMISSION),
    source: new Uint32Array(EMISSION),
  };
  const step = (part: number, batch: Uint32Array, from: number): number => {
    const to = batch.length;
    switch (kernel) {
      case 'conversions':
        return slice.conversions(side, part, batch, from, to, bias, out);
      case 'unmovesWithin':
        return local[kernel](side, part, batch, from, to, out);
      case 'unmovesBeyond':
        return local[kernel](side, part, batch, from, to, 0, out);
      default:
        return slice[kernel](side, part, batch, from, to, 0, out);
    }
  };
  let rows = 0;
  const time = best(() => {
    rows = 0;
    for (let i = 0; i < parts.length; i++) {
      for (let from = 0; from < keys[i].length; ) {
        out.length = 0;
        from = step(parts[i], keys[i], from);
        rows += out.length;
      }
    }
  });
  return { time, rows };
}

/** Measures the kernels on one core, over up to `most` parts spread over each ending. */
export function benchChessKernels(endings: readonly string[], most = 4): KernelRow[] {
  return endings.flatMap((ending) => {
    const slice = createSlice(ending);
    const plain = createSlice(ending, createPlainKernels);
    const step = Math.max(1, Math.ceil(slice.parts / most));
    const parts = Array.from({ length: slice.parts }, (_, part) => part).filter((part) => part % step === 0);
    return ([0, 1] as const).flatMap((side) => {
      const keys = parts.map((part) => frontier(slice, side, part));
      const positions = keys.reduce((sum, { length }) => sum + length, 0);
      const rows = KERNELS.map((kernel): KernelRow => {
        const ours = timeRows(slice, kernel, side, parts, keys);
        const theirs = timeRows(plain, kernel, side, parts, keys);
        return {
          kernel,
          ending,
          side,
          nsPerPosition: (ours.time * 1e9) / positions,
          nsPerRow: ours.rows === 0 ? null : (ours.time * 1e9) / ours.rows,
          plainNsPerRow: ours.rows === 0 ? null : (theirs.time * 1e9) / theirs.rows,
        };
      });
      return [timeCensus(slice, side, parts), ...rows];
    });
  });
}
