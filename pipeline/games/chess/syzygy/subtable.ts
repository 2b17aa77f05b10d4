/**
 * The raw values of a side's subtables, in scratch. Of each index they say whether a position is there, and its
 * code. They also say whether a capture is worth as much as the position, or a quiet move leads to its end.
 */
import { UserError } from '../../../../operators/core/errors.js';
import type { Store } from '../../../../operators/storage/store.js';
import type { Side } from '../../../game/game.js';
import type { ValueColumn } from '../../../game/value.js';
import type { View } from '../../../game/views.js';
import type { Arrangement } from './arrangement.js';
import { outcomeOf, RULE } from './format.js';
import { placeSlice, setIndex } from './indices.js';
import { bytesAt, ioBytes, type Kernels, layOut, symbolsAt } from './kernels.js';
import type { Material } from './material.js';
import { newScatter, type Scatter } from './scatter.js';
import { type SavedTape, saveTapes, type Tape } from './tape.js';

/** How many raw values there are. */
export const RAW_VALUES = 1 << 14;
/** No position has this index. */
export const NO_POSITION = 0;
const THERE = 0x2000;
const QUIET = 0x1000;
/** Values from -1024 on have a code in a raw value. */
const CODES = 2048;

/**
 * Reads a raw value. `byCapture`: a capture is worth as much as the position. `winsByZeroing`: a capture or move of a pawn wins, and
 * no quiet move does so in as many plies.
 */
export function readRaw(raw: number) {
  const code = (raw & 0x7ff) - 1024;
  const byCapture = (raw & 0x800) !== 0;
  const isQuiet = (raw & QUIET) !== 0;
  const isImmediate = code === 1 || code === RULE + 1;
  const winsByZeroing = code > 0 && (byCapture || (isImmediate && !isQuiet));
  return { isPosition: (raw & THERE) !== 0, code, byCapture, winsByZeroing };
}

/** Takes the values of positions in any order; one of two mirror images is enough. */
export interface Placement {
  /** Positions that follow are of this view. */
  view(view: View): void;
  /** Values of `length` positions from `first` of the part on. `captures`: 1 + the outcome of the best capture, 0 where there is none. */
  values(part: number, first: number, codes: ValueColumn, captures: Uint8Array, length: number): void;
  /** A move of these positions that is not zeroing leads to mate, or to a position lost in all the plies of the rule. */
  quiet(part: number, keys: Uint32Array): void;
  /** A code of the board whose squares are those of the men of the material. */
  board(squares: Uint8Array, code: number): void;
}

/**
 * Where values come from. Positions with a right to capture en passant are no matter of Syzygy's files and not shown.
 */
export interface ValueSource {
  /** Places legal positions with `side` to move, with codes of pipeline/game/value.ts under the metric `dtz`, and their flags. */
  place(side: Side, into: Placement): Promise<void>;
}

/** Covers a file of the leading pawn, or the whole of a side. */
export interface Subtable {
  readonly size: number;
  /** Two bytes an index, in the order of the arrangement that it was made in. */
  readonly raw: SavedTape;
  /** How often each raw value occurs. */
  readonly histogram: Uint32Array;
}

/** Where subtables go: a saved tape of this name for each. */
interface SubtableTapes {
  readonly store: Store;
  readonly names: readonly string[];
}

/** Places the values of a side in the order of `arrangement`. The subtables by file of the leading pawn. */
export async function fillSubtables(
  kernels: Kernels,
  source: ValueSource,
  material: Material,
  arrangement: Arrangement,
  side: Side,
  { store, names }: SubtableTapes,
): Promise<Subtable[]> {
  const sizes = setIndex(kernels, 0, material, arrangement);
  const scatter = newScatter(kernels, sizes, 8 * ioBytes(kernels));
  try {
    await source.place(side, placementInto(kernels, material, scatter.space));
    if (Number(kernels.wasm.isBeyond.value) !== 0) {
      throw new UserError(`${material.name}: its files would need larger numbers than are written`);
    }
    scatter.seal();
    // Without pawns a win in one ply that is no capture is a quiet one.
    const there = THERE | (material.leadingPawns.length === 0 ? QUIET : 0);
    const histograms: Uint32Array[] = [];
    const raws = saveTapes(store, names, (tapes) => {
      for (const [file, tape] of tapes.entries()) {
        histograms.push(gather(kernels, scatter, file, sizes[file], there, tape));
      }
    });
    return sizes.map((size, file) => ({ size, raw: raws[file], histogram: histograms[file] }));
  } finally {
    scatter.dispose();
  }
}

function placementInto(kernels: Kernels, material: Material, space: number): Placement {
  const { wasm } = kernels;
  const room = ioBytes(kernels);
  const shorts = new Int16Array(wasm.memory.buffer, space, room / 2);
  const keysAt = new Uint32Array(wasm.memory.buffer, space, room / 4);
  const capturesAt = bytesAt(kernels, space + room, room / 2);
  const board = bytesAt(kernels, wasm.BOARD.value, 8);
  const outcomes = bytesAt(kernels, wasm.OUTCOME.value, CODES);
  for (let i = 0; i < CODES; i++) outcomes[i] = 1 + outcomeOf(i - CODES / 2);
  let slice = { placements: 1, pairsPerPart: 1 };
  return {
    view(view) {
      slice = placeSlice(kernels, material, view);
    },
    values(part, first, codes, captures, length) {
      const broken = codes.BYTES_PER_ELEMENT === 1 ? -128 : -32768;
      for (let at = 0; at < length; at += shorts.length) {
        const count = Math.min(shorts.length, length - at);
        shorts.set(codes.subarray(at, at + count));
        capturesAt.set(captures.subarray(at, at + count));
        const pair = Math.floor((first + at) / slice.placements);
        const placement = first + at - pair * slice.placements;
        wasm.placeValues(part * slice.pairsPerPart + pair, placement, space, space + room, count, broken);
      }
    },
    quiet(part, keys) {
      for (let at = 0; at < keys.length; at += keysAt.length) {
        const count = Math.min(keysAt.length, keys.length - at);
        keysAt.set(keys.subarray(at, at + count));
        wasm.placeQuiet(part * slice.pairsPerPart, space, count);
      }
    },
    board(squares, code) {
      board.set(squares);
      wasm.placeBoard(code);
    },
  };
}

/** Appends the raw values of a subtable, made of its rows, to a tape. Returns how often each occurs. @param there added to each value. */
function gather(
  kernels: Kernels,
  scatter: Scatter,
  file: number,
  size: number,
  there: number,
  tape: Tape,
): Uint32Array {
  const { wasm } = kernels;
  const histogram = new Uint32Array(wasm.memory.buffer, wasm.HISTOGRAM.value, RAW_VALUES).fill(0);
  const allocate = layOut(kernels);
  const block = 2 ** scatter.bits;
  const rows = allocate(ioBytes(kernels));
  const raw = allocate(2 * block);
  for (let b = 0; b < scatter.blocks[file]; b++) {
    const count = Math.min(block, size - b * block);
    symbolsAt(kernels, raw, count).fill(NO_POSITION);
    scatter.read(file, b, rows, (read) => wasm.gatherRaw(rows, read, raw, there));
    wasm.countRaw(raw, count);
    tape.append(bytesAt(kernels, raw, 2 * count));
  }
  return histogram.slice();
}
