/** Files' values by placement: values in the order of a file become rows, which are distributed by placement through scratch. */
import type { Side } from '../../../../game/game.js';
import { bytesAt, ioBytes, type Kernels, layOut, symbolsAt } from '../kernels.js';
import type { SyzygyFile } from '../read/file.js';
import type { StoredSubtable } from '../read/head.js';
import { newScatter } from '../scatter.js';
import { setIndex } from '../set-index.js';
import { type Placements, setOrders, setPlacements } from './placements.js';
import type { Blocks } from './pools.js';

/** Subtables whose values are sent to placements. */
export interface Sent {
  readonly subtable: StoredSubtable;
  /** Whether the colours are exchanged. */
  readonly isTurned: boolean;
  /** Added to values; `most` stands for all greater ones. */
  readonly says: number;
  readonly most: number;
}

/**
 * Gathers subtables of a file by placement. `bytes` of a placement: 1 of outcomes (gatherOutcomes of assembly/placements.ts), 2 of plies
 * (gatherPlies). Throws UserError if the memory is too small, StorageError.
 */
export async function gatherFile(
  kernels: Kernels,
  placements: Placements,
  file: SyzygyFile,
  sent: readonly Sent[],
  bytes: 1 | 2,
): Promise<Blocks> {
  const { wasm, scratch } = kernels;
  const { size } = placements;
  const io = ioBytes(kernels);
  setPlacements(kernels, placements);
  setOrders(kernels, placements);
  const scatter = newScatter(kernels, [size], io);
  try {
    for (const { subtable, isTurned, says, most } of sent) {
      setIndex(kernels, 0, placements.material, subtable.arrangement);
      await file.eachStretch(subtable, (values, first) => {
        for (let at = 0; at < values.length; at += io / 2) {
          const some = values.subarray(at, at + io / 2);
          symbolsAt(kernels, scatter.space, some.length).set(some);
          wasm.placeFile(subtable.file, BigInt(first + at), scatter.space, some.length, most, says, isTurned);
        }
      });
    }
    scatter.seal();
    const allocate = layOut(kernels);
    const rows = allocate(io);
    const into = allocate(bytes * 2 ** scatter.bits);
    const swap = scratch.swap();
    for (let block = 0; block < scatter.blocks[0]; block++) {
      const from = block * 2 ** scatter.bits;
      const made = bytesAt(kernels, into, bytes * Math.min(2 ** scatter.bits, size - from)).fill(0xff);
      scatter.read(0, block, rows, (count) => {
        if (bytes === 1) wasm.gatherOutcomes(rows, count, into);
        else wasm.gatherPlies(rows, count, into);
      });
      swap.write(bytes * from, made);
    }
    return { swap, bytes: bytes * placements.block, count: placements.pairs.length };
  } finally {
    scatter.dispose();
  }
}

/** No outcome. */
const NO_OUTCOME = 5;

/** All outcomes; of like sides, Black's moves are White's with the colours exchanged. */
export function outcomesSent({ material, subtables }: SyzygyFile): Sent[] {
  const send = (subtable: StoredSubtable, side: Side, isTurned: boolean): Sent => ({
    subtable,
    isTurned,
    says: 8 * side,
    most: NO_OUTCOME,
  });
  return subtables.flat().flatMap((subtable) => {
    const own = send(subtable, subtable.side, false);
    return material.symmetric ? [own, send(subtable, 1, true)] : [own];
  });
}

/** Above all values of plies, as in the kernels: two cells have different ones. */
export const SEVERAL_PLIES = 1023;

/** All plies of a file. */
export function pliesSent({ subtables }: SyzygyFile, isTurned: boolean): Sent[] {
  return subtables.map(([subtable]) => ({
    subtable,
    isTurned,
    says: 1024 * subtable.file,
    most: SEVERAL_PLIES,
  }));
}
