/**
 * The module of the kernels (assembly/), and what every instance has: the tables of geometry.ts and index-space.ts in its
 * linear memory, written once, and buffers. Keys are copied to buffers and rows from them, a few thousand at a time.
 *
 * Kernels have the parameters of the contract (game/emission.ts says why).
 */
import {
  type Exported,
  growHeap,
  type Heap,
  KernelModule,
  writeWords,
} from '../../../operators/core/wasm.js';
import type {
  Emission,
  KeyEmission,
  MoveKernel,
  PartKernels,
  RowConversions,
  Slice,
} from '../../game/game.js';
import { type Kernel, runKernel } from '../../game/run-kernel.js';
import { addSquare, type BoardTable, writeBoard } from './board-tables.js';
import { filePairs, Kind, PAIR_DIAGONAL, RAY_START, RAYS, SYMMETRY, whiteKings } from './geometry.js';
import { BINOMIAL, squareSets } from './index-space.js';
import { wasmCode } from './wasm-code.js';

/** Addresses of tables and buffers, as the instance exports them. */
type Table =
  | BoardTable
  | 'PAIR_DIAGONAL'
  | `FILE_PAIR_${'BLACK' | 'OF' | 'SYMMETRY' | 'WHITE'}`
  | `GROUP_${'COUNT' | 'RANK' | 'SLOT' | 'STRIDE'}`
  | `TO_${'COUNT' | 'DEPENDENCY' | 'FLIPPED' | 'GROUPS' | 'KINGS' | 'PAIRS' | 'PLACE' | 'PLACEMENTS' | 'RANK' | 'SLOTS' | 'STRIDE'}`
  | 'ALL_CAPTURES'
  | 'ALL_COUNTS'
  | 'BEHIND'
  | 'BIAS'
  | 'BINOMIAL'
  | 'CHANGE_OF'
  | 'COUPLES'
  | 'FOUND'
  | 'HIGH'
  | 'HIGH_IN'
  | 'IMAGE'
  | 'KEYS'
  | 'KING_OF'
  | 'KING_SQUARE'
  | 'LINES'
  | 'LOW'
  | 'LOW_IN'
  | 'MAJOR'
  | 'MINOR'
  | 'OPEN'
  | 'PAWN_ATTACKS'
  | 'ROWS'
  | 'SOURCE'
  | 'STRIDE';
type Constant = `MOST_${'BEHIND' | 'BIASES' | 'INDICES' | 'KEYS' | 'ROWS' | 'SETS' | 'SETS_OF_TWINS'}`;

export interface ChessMemory extends Heap, Exported<Table | Constant> {}

const kernels = new KernelModule(wasmCode);

/** An instance whose kernels `Exports` names, and its buffers as arrays. */
export function instantiate<Exports extends ChessMemory>() {
  const wasm = kernels.instance<Exports>();
  writeGeometry(wasm);
  return withBuffers(wasm);
}

/** The instance with at least so many bytes of memory behind its tables. Arrays of its memory must not be used any more. */
export function grown<Exports extends ChessMemory>({ wasm }: Instance<Exports>, heap: number) {
  growHeap(wasm, heap);
  return withBuffers(wasm);
}

function withBuffers<Exports extends ChessMemory>(wasm: Exports) {
  const words = (table: Table, most: number) => new Uint32Array(wasm.memory.buffer, wasm[table].value, most);
  const rows = wasm.MOST_ROWS.value;
  const keys = wasm.MOST_KEYS.value;
  return {
    wasm,
    keys: words('KEYS', keys),
    lowIn: words('LOW_IN', keys),
    highIn: words('HIGH_IN', keys),
    minor: words('MINOR', rows),
    major: words('MAJOR', rows),
    source: words('SOURCE', rows),
    low: words('LOW', rows),
    high: words('HIGH', rows),
    rows: words('ROWS', 1),
    bias: words('BIAS', wasm.MOST_BIASES.value),
  };
}

export type Instance<Exports extends ChessMemory> = ReturnType<typeof withBuffers<Exports>>;

/** Move kernels of a module, by name; parameters as in assembly/moves.ts and conversions.ts. */
export interface RawKernels {
  moves(side: number, part: number, count: number, bias: number, room: number, source: number): number;
  unmoves(
    side: number,
    part: number,
    count: number,
    ofMen: boolean,
    ofKing: boolean,
    bias: number,
    room: number,
  ): number;
  conversions(side: number, part: number, count: number, room: number, source: number): number;
}

/** The kernels of a slice that make moves or take them back. */
export interface MoveKernels {
  readonly moves: MoveKernel;
  readonly unmoves: MoveKernel;
  readonly local: PartKernels;
  readonly conversions: Slice['conversions'];
}

/** All kernels of a slice, by keys, and its conversions by rows. */
export interface KeyKernels extends MoveKernels, Pick<Slice, 'census'> {
  readonly unconversions: NonNullable<Slice['unconversions']>;
  readonly rowConversions: RowConversions;
}

/** The move kernels of the contract, by those of the instance that `instance` returns. */
export function moveKernels(
  instance: () => Instance<ChessMemory & RawKernels>,
  maxMoves: number,
): MoveKernels {
  function run(
    kernel: (kernels: RawKernels, ...asked: Parameters<Kernel>) => number,
    keys: Uint32Array,
    from: number,
    to: number,
    out: KeyEmission,
    columns: Partial<Pick<Emission, 'major' | 'source'>>,
  ): number {
    const buffers = instance();
    const kernels = buffers.wasm;
    return runKernel(
      buffers,
      maxMoves,
      (...asked) => kernel(kernels, ...asked),
      keys,
      from,
      to,
      out,
      columns,
    );
  }

  const unmovesOf =
    (ofMen: boolean, ofKing: boolean): NonNullable<Slice['unmoves']> =>
    (side, part, keys, from, to, bias, out) =>
      run(
        (kernels, count, room) => kernels.unmoves(side, part, count, ofMen, ofKing, bias, room),
        keys,
        from,
        to,
        out,
        { major: out.major },
      );

  return {
    moves: (side, part, keys, from, to, bias, out) =>
      run(
        (kernels, count, room, source) => kernels.moves(side, part, count, bias, room, source),
        keys,
        from,
        to,
        out,
        out,
      ),
    unmoves: unmovesOf(true, true),
    local: {
      unmovesWithin: (side, part, keys, from, to, out) =>
        run(
          (kernels, count, room) => kernels.unmoves(side, part, count, true, false, 0, room),
          keys,
          from,
          to,
          out,
          {},
        ),
      unmovesBeyond: unmovesOf(false, true),
    },
    conversions(side, part, keys, from, to, conversionBias, out) {
      const { bias } = instance();
      for (let i = 0; i < conversionBias.length; i++) bias[i] = conversionBias[i];
      return run(
        (kernels, count, room, source) => kernels.conversions(side, part, count, room, source),
        keys,
        from,
        to,
        out,
        out,
      );
    },
  };
}

/** At side * 64 + square: the squares that a pawn attacks. */
const PAWN_ATTACKS = new BigUint64Array(128);
for (let square = 0; square < 64; square++) {
  const files = [(square & 7) - 1, (square & 7) + 1].filter((file) => file >= 0 && file < 8);
  for (const side of [0, 1]) {
    const rank = (square >> 3) + (side === 0 ? 1 : -1);
    if (rank < 0 || rank > 7) continue;
    for (const file of files) PAWN_ATTACKS[side * 64 + square] |= 1n << BigInt(8 * rank + file);
  }
}

/** Writes the tables that are the same for all slices. */
function writeGeometry(wasm: ChessMemory): void {
  writeBoard(wasm);
  writeWords(wasm, 'FILE_PAIR_WHITE', filePairs.white);
  writeWords(wasm, 'FILE_PAIR_BLACK', filePairs.black);
  writeWords(wasm, 'FILE_PAIR_OF', filePairs.pairOf);
  writeWords(wasm, 'FILE_PAIR_SYMMETRY', filePairs.symmetryOf);
  writeWords(wasm, 'KING_SQUARE', whiteKings.white);
  writeWords(wasm, 'KING_OF', whiteKings.pairOf);
  new BigUint64Array(wasm.memory.buffer, wasm.PAWN_ATTACKS.value, PAWN_ATTACKS.length).set(PAWN_ATTACKS);
  writeWords(wasm, 'BINOMIAL', BINOMIAL);
  writeWords(wasm, 'COUPLES', squareSets(2));
  writeWords(wasm, 'PAIR_DIAGONAL', PAIR_DIAGONAL);
  const image = Int32Array.from({ length: 512 }, (_, i) => SYMMETRY[((i & 7) << 6) | (i >> 3)]);
  writeWords(wasm, 'IMAGE', image);
  const behind = new Int32Array(2 * 4096);
  for (let from = 0; from < 64; from++) {
    const rays = (Kind.queen << 6) | from;
    for (let r = RAY_START[rays]; r < RAY_START[rays + 1]; r++) {
      const end = r + ((RAYS[r] >> 6) & 7);
      for (let hidden = r + 1; hidden < end; hidden++) {
        addSquare(behind, ((RAYS[r] & 63) << 6) | from, RAYS[hidden] & 63);
      }
    }
  }
  writeWords(wasm, 'BEHIND', behind);
  const lines = new Int32Array(2 * 2 * 4 * 64);
  for (let square = 0; square < 64; square++) {
    for (let i = 0; i < 4; i++) {
      const slider = ((i < 2 ? Kind.rook : Kind.bishop) << 6) | square;
      for (let r = RAY_START[slider]; r < RAY_START[slider + 1]; r++) {
        const to = RAYS[r] & 63;
        if (lineOf(square, to) === i) addSquare(lines, ((square << 2) | i) * 2 + (to > square ? 1 : 0), to);
      }
    }
  }
  writeWords(wasm, 'LINES', lines);
}

/** Which line through `square` holds `to`: 0 the rank, 1 the file, 2 the diagonal, 3 the antidiagonal. */
function lineOf(square: number, to: number): number {
  const files = (to & 7) - (square & 7);
  const ranks = (to >> 3) - (square >> 3);
  if (ranks === 0) return 0;
  if (files === 0) return 1;
  return files === ranks ? 2 : 3;
}
