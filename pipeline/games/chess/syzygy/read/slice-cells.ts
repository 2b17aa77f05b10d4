/**
 * The cells of a file in the order of slices' indices. The index of each position in the file is computed, and noted with the block that
 * it is in. Blocks are decoded in the order of the file, and answer what was noted of each. Then the answers are read in the order in
 * which they were asked for. So the file and the slices are gone through once each, whatever their orders.
 */
import type { Swap } from '../../../../../operators/storage/swap.js';
import { CENSUS_ROWS, newCensus, piecesOf } from '../../../../game/fill-census.js';
import type { Side, Slice } from '../../../../game/game.js';
import { shapeOf } from '../../shape.js';
import { placeSlice, setIndex } from '../indices.js';
import { bytesAt, type Kernels, symbolsAt } from '../kernels.js';
import { newScatter, type Scatter } from '../scatter.js';
import type { SyzygyFile } from './file.js';
import type { StoredSubtable } from './head.js';

/** A cell: a value, and in the bits from this one on the file of the leading pawn. */
export const VALUE_BITS = 12;
/** In place of a cell: it is not wanted, or the file leaves it out. */
export const NO_CELL = 0x4000;
/** In place of a cell: the file has one, which was not asked for. */
export const UNKNOWN_CELL = 0x4001;
/** Added to the greater of two cells: that of the position's mirror image is another. */
export const TWO_CELLS = 0x8000;

/** Wishes for cells: none, the cell, or only whether the file has one. */
export const Want = { nothing: 0, cell: 1, presence: 2 } as const;

export interface SliceCells {
  /** By file of the leading pawn, the subtable that holds the moves of the side; undefined if the file has those of the other. */
  readonly subtables: readonly (StoredSubtable | undefined)[];
  /** Writes the cells of the next piece of a part, slice after slice: pieces have CENSUS_ROWS positions, the last of a part fewer. */
  next(into: Uint16Array): void;
  dispose(): void;
}

export interface CellsOptions {
  readonly kernels: Kernels;
  readonly file: SyzygyFile;
  /** Slices of the men of the file. */
  readonly slices: readonly Slice[];
  readonly side: Side;
  /** Writes for each position of a piece which of `Want` it has. */
  readonly want: (slice: Slice, part: number, first: number, wanted: Uint8Array) => void;
  /** Called now and then. */
  readonly pause: () => Promise<void>;
}

/** Wants the cells of all legal positions. */
export function legalCells(side: Side): CellsOptions['want'] {
  const census = newCensus(CENSUS_ROWS);
  return (slice, part, first, wanted) => {
    const { length } = wanted;
    slice.census(side, part, first, length, census);
    const { counts, lost, lostKeys } = census;
    for (let i = 0; i < length; i++) wanted[i] = counts[i] === 0 ? Want.nothing : Want.cell;
    for (let i = 0; i < lost; i++) wanted[lostKeys[i] - first] = Want.cell;
  };
}

/** Reads the cells of the positions of slices with a side to move. Throws StorageError, UserError. */
export async function readCells(options: CellsOptions): Promise<SliceCells> {
  const { kernels, file, slices, side } = options;
  const { material } = file;
  const [white, black] = shapeOf(slices[0].name).men;
  const isNamed = material.name === `K${white}vK${black}`;
  // Files of like sides hold White's moves alone.
  const flipped = material.symmetric ? side === 1 : !isNamed;
  const mover = flipped ? 1 - side : side;
  const subtables = file.subtables.map((each) => each.find((one) => one.side === mover));
  if (!subtables.some((subtable) => subtable)) {
    return { subtables, next: (into) => into.fill(NO_CELL), dispose() {} };
  }
  // The kernel reads the file of the leading pawn from the first index, so all are set, those of the other side's subtables too.
  const { arrangement } = subtables.find((subtable) => subtable)!;
  const sizes = subtables.map((subtable, number) => {
    const size = setIndex(kernels, number, material, subtable?.arrangement ?? arrangement)[number];
    return subtable === undefined ? 0 : size;
  });
  const scatter = newScatter(kernels, sizes, 6 * CENSUS_ROWS);
  const asked = kernels.scratch.swap();
  const dispose = () => {
    scatter.dispose();
    asked.remove();
  };
  try {
    const counts = await ask(options, scatter, asked, flipped, subtables);
    scatter.seal();
    for (const [number, subtable] of subtables.entries()) {
      if (subtable !== undefined) await answer(scatter, file, subtable, number);
    }
    return { subtables, next: cellsInOrder(kernels, scatter, asked, counts), dispose };
  } catch (error) {
    dispose();
    throw error;
  }
}

/** Files of the leading pawn as bits: all, whether there are pawns or not. */
const ALL_FILES = 15;

/** Returns how many cells each piece asked for. */
async function ask(
  { kernels, file: { material }, slices, want, pause }: CellsOptions,
  scatter: Scatter,
  asked: Swap,
  flipped: boolean,
  subtables: SliceCells['subtables'],
): Promise<number[]> {
  const files = subtables.every((subtable) => subtable)
    ? ALL_FILES
    : subtables.reduce((bits, subtable, number) => bits | (subtable ? 1 << number : 0), 0);
  const buckets = scatter.space + CENSUS_ROWS;
  const counts: number[] = [];
  let written = 0;
  for (const slice of slices) {
    const { placements, pairsPerPart } = placeSlice(kernels, material, { slice: slice.name, flipped });
    for (let part = 0; part < slice.parts; part++) {
      for (const { first, length } of piecesOf(slice, part)) {
        want(slice, part, first, bytesAt(kernels, scatter.space, length));
        const pair = Math.floor(first / placements);
        const count = kernels.wasm.askCells(
          part * pairsPerPart + pair,
          first - pair * placements,
          scatter.space,
          length,
          files,
          buckets,
        );
        asked.write(2 * written, bytesAt(kernels, buckets, 2 * count));
        written += count;
        counts.push(count);
      }
      await pause();
    }
  }
  return counts;
}

/** Shows a subtable to the questions of its blocks. */
async function answer(
  scatter: Scatter,
  file: SyzygyFile,
  subtable: StoredSubtable,
  number: number,
): Promise<void> {
  const { size } = subtable;
  const block = new Uint16Array(Math.min(size, 2 ** scatter.bits));
  await file.eachStretch(subtable, (values, first) => {
    for (let at = 0; at < values.length; ) {
      const inBlock = (first + at) % block.length;
      const some = values.subarray(at, at + block.length - inBlock);
      block.set(some, inBlock);
      at += some.length;
      const end = first + at;
      if (end % block.length === 0 || end === size) {
        scatter.answer(number, Math.ceil(end / block.length) - 1, block, number << VALUE_BITS);
      }
    }
  });
}

function cellsInOrder(
  kernels: Kernels,
  { space, recallAnswers }: Scatter,
  asked: Swap,
  counts: readonly number[],
): SliceCells['next'] {
  const cells = space + 4 * CENSUS_ROWS;
  let piece = 0;
  let read = 0;
  recallAnswers();
  return (into) => {
    const count = counts[piece++];
    asked.read(2 * read, bytesAt(kernels, space, 2 * count));
    read += count;
    kernels.wasm.takeCells(space, into.length, cells);
    into.set(symbolsAt(kernels, cells, into.length));
  };
}
