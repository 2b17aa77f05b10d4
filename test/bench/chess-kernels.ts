import { newCensus, readStatus } from '../../pipeline/census.js';
import type { Side, Slice } from '../../pipeline/game.js';
import { chess } from '../../pipeline/games/chess/chess.js';

export interface KernelRow {
  readonly kernel: string;
  readonly ending: string;
  readonly side: Side;
  /** Census: nanoseconds per index. Others: emitted rows per second, and nanoseconds per position. */
  readonly nsPerIndex: number;
  readonly rowsPerSecond: number | null;
}

const EMISSION = 1 << 16;

function seconds(run: () => void): number {
  const start = process.hrtime.bigint();
  run();
  return Number(process.hrtime.bigint() - start) / 1e9;
}

/** The least of three times: the machine may be busy with other work. */
function best(run: () => void): number {
  run();
  return Math.min(seconds(run), seconds(run), seconds(run));
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
    nsPerIndex: (time * 1e9) / indices,
    rowsPerSecond: null,
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

function timeRows(
  slice: Slice,
  kernel: 'moves' | 'unmoves' | 'conversions',
  side: Side,
  parts: readonly number[],
): KernelRow {
  const keys = parts.map((part) => frontier(slice, side, part));
  const bias = new Array<number>(2 * slice.dependencies.length).fill(0);
  const out = {
    length: 0,
    major: new Uint32Array(EMISSION),
    minor: new Uint32Array(EMISSION),
    source: new Uint32Array(EMISSION),
  };
  let rows = 0;
  let positions = 0;
  const time = best(() => {
    rows = 0;
    positions = 0;
    for (let i = 0; i < parts.length; i++) {
      for (let from = 0; from < keys[i].length; ) {
        out.length = 0;
        if (kernel === 'conversions') {
          from = slice.conversions(side, parts[i], keys[i], from, keys[i].length, bias, out);
        } else from = slice[kernel](side, parts[i], keys[i], from, keys[i].length, 0, out);
        rows += out.length;
      }
      positions += keys[i].length;
    }
  });
  return {
    kernel,
    ending: slice.name,
    side,
    nsPerIndex: (time * 1e9) / positions,
    rowsPerSecond: rows / time,
  };
}

/** Measures the kernels on one core, over up to `most` parts spread over each ending. */
export function benchChessKernels(
  endings: readonly string[] = ['KQK', 'KBNK', 'KQKR', 'KBBK', 'KBBKN', 'KRBKN', 'KQRKR'],
  most = 4,
): KernelRow[] {
  return endings.flatMap((name) => {
    const slice = chess.slice(name);
    const step = Math.max(1, Math.ceil(slice.parts / most));
    const parts = Array.from({ length: slice.parts }, (_, part) => part).filter((part) => part % step === 0);
    return ([0, 1] as const).flatMap((side) => [
      timeCensus(slice, side, parts),
      timeRows(slice, 'unmoves', side, parts),
      timeRows(slice, 'moves', side, parts),
      timeRows(slice, 'conversions', side, parts),
    ]);
  });
}
