import { CENSUS_ROWS, newCensus, readStatus } from '../../pipeline/game/fill-census.js';
import type { Side, Slice } from '../../pipeline/game/game.js';
import { createSlice as createCheckers } from '../../pipeline/games/checkers/slice.js';
import { createSlice as createChess } from '../../pipeline/games/chess/slice.js';
import { plainSlice as plainCheckers } from '../pipeline/games/checkers/plain/plain-kernels.js';
import { plainSlice as plainChess } from '../pipeline/games/chess/plain/plain-kernels.js';

/** Slices by name: those that are measured, and the same with plain kernels. */
export interface KernelSubject {
  readonly create: (name: string) => Slice;
  readonly createPlain: (name: string) => Slice;
}
export const CHESS: KernelSubject = {
  create: createChess,
  createPlain: plainChess,
};
export const CHECKERS: KernelSubject = {
  create: createCheckers,
  createPlain: plainCheckers,
};

export interface KernelRow {
  readonly kernel: string;
  readonly ending: string;
  readonly side: Side;
  /** Nanoseconds a position, or an index in a census, copies into and out of the linear memory included. */
  readonly nsPerPosition: number;
  /** Figures of the plain kernel. */
  readonly plainNsPerPosition: number;
  /** Nanoseconds an emitted row; null if there are no rows. */
  readonly nsPerRow: number | null;
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

/** The kernels of all indices of an interval. CPU seconds. */
function timeIndices(
  slice: Slice,
  kernel: 'census' | 'dontCares',
  side: Side,
  parts: readonly number[],
): number {
  const length = CENSUS_ROWS;
  const out = { ...newCensus(length), conversions: null };
  return best(() => {
    for (const part of parts) {
      const size = slice.partSize(part);
      for (let first = 0; first < size; first += length) {
        const indices = Math.min(length, size - first);
        if (kernel === 'census') slice.census(side, part, first, indices, out);
        else slice.dontCares!(side, part, first, indices, out.counts);
      }
    }
  });
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
        return slice[kernel]!(side, part, batch, from, to, 0, out);
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

/** Measures the kernels on one core, over up to `most` parts spread over each slice. */
export function benchKernels(
  { create, createPlain }: KernelSubject,
  names: readonly string[],
  most = 4,
): KernelRow[] {
  return names.flatMap((name) => {
    const slice = create(name);
    const plain = createPlain(name);
    const step = Math.max(1, Math.ceil(slice.parts / most));
    const parts = Array.from({ length: slice.parts }, (_, part) => part).filter((part) => part % step === 0);
    const indices = parts.reduce((sum, part) => sum + slice.partSize(part), 0);
    const ofIndices = (['census', 'dontCares'] as const).filter((kernel) => slice[kernel] !== undefined);
    const ofKeys = KERNELS.filter((kernel) => kernel in slice || slice.local !== undefined);
    return ([0, 1] as const).flatMap((side) => {
      const keys = parts.map((part) => frontier(slice, side, part));
      const positions = keys.reduce((sum, { length }) => sum + length, 0);
      return [
        ...ofIndices.map((kernel): KernelRow => {
          const nsPer = (of: Slice) => (timeIndices(of, kernel, side, parts) * 1e9) / indices;
          return {
            kernel,
            ending: name,
            side,
            nsPerPosition: nsPer(slice),
            plainNsPerPosition: nsPer(plain),
            nsPerRow: null,
            plainNsPerRow: null,
          };
        }),
        ...ofKeys.map((kernel): KernelRow => {
          const ours = timeRows(slice, kernel, side, parts, keys);
          const theirs = timeRows(plain, kernel, side, parts, keys);
          return {
            kernel,
            ending: name,
            side,
            nsPerPosition: (ours.time * 1e9) / positions,
            plainNsPerPosition: (theirs.time * 1e9) / positions,
            nsPerRow: ours.rows === 0 ? null : (ours.time * 1e9) / ours.rows,
            plainNsPerRow: ours.rows === 0 ? null : (theirs.time * 1e9) / theirs.rows,
          };
        }),
      ];
    });
  });
}
