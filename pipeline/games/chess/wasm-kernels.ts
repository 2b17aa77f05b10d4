/**
 * The kernels `moves` and `unmoves` in WebAssembly (see assembly/). An instance belongs to an ending: its linear memory
 * holds the tables of geometry.ts and index-space.ts, written once, and buffers of a few thousand keys and rows that
 * keys are copied to and rows from. The plain kernels of moves.ts and unmoves.ts say what these do.
 */
import type { KeyEmission } from '../../game.js';
import {
  BETWEEN_HIGH,
  BETWEEN_LOW,
  BIT_HIGH,
  BIT_LOW,
  Kind,
  PAIR_BLACK,
  PAIR_DIAGONAL,
  PAIR_OF,
  PAIR_SYMMETRY,
  PAIR_WHITE,
  RAY_START,
  RAYS,
  SYMMETRY,
} from './geometry.js';
import { BINOMIAL, type Space } from './index-space.js';
import type { MoveKernels } from './plain-kernels.js';
import { wasmCode } from './wasm-code.js';

/** Addresses of tables and buffers, as the instance exports them. */
type Table =
  | 'BEHIND'
  | 'BETWEEN'
  | 'BINOMIAL'
  | 'COUNT'
  | 'FIRST'
  | 'GROUP'
  | 'IMAGE'
  | 'KEYS'
  | 'KIND'
  | 'MAJOR'
  | 'MINOR'
  | 'MOBILITY'
  | 'PAIR_BASE'
  | 'PAIR_BLACK'
  | 'PAIR_DIAGONAL'
  | 'PAIR_OF'
  | 'PAIR_PART'
  | 'PAIR_SYMMETRY'
  | 'PAIR_WHITE'
  | 'SIDE'
  | 'SOURCE'
  | 'STRIDE';

interface Exports extends Record<Table | 'MOST_KEYS' | 'MOST_ROWS' | 'rows', { readonly value: number }> {
  readonly memory: { readonly buffer: ArrayBuffer };
  configure(men: number, groups: number, composite: number, placements: number, pairsPerPart: number): void;
  unmoves(side: number, part: number, count: number, what: number, bias: number, room: number): number;
  moves(
    side: number,
    part: number,
    count: number,
    what: number,
    bias: number,
    room: number,
    source: number,
  ): number;
}

/** What to emit, as bits. */
const MEN = 1;
const KING = 2;

let compiled: WebAssembly.Module | undefined;

/** An instance, and its buffers as arrays. */
function instantiate(space: Space) {
  compiled ??= new WebAssembly.Module(Buffer.from(wasmCode, 'base64'));
  const wasm = new WebAssembly.Instance(compiled).exports as Exports;
  writeGeometry(wasm);
  writeSpace(wasm, space);
  const buffer = (table: Table, most: number) => new Uint32Array(wasm.memory.buffer, wasm[table].value, most);
  const rows = wasm.MOST_ROWS.value;
  return {
    wasm,
    keys: buffer('KEYS', wasm.MOST_KEYS.value),
    minor: buffer('MINOR', rows),
    major: buffer('MAJOR', rows),
    source: buffer('SOURCE', rows),
  };
}

export function createWasmKernels(space: Space, maxMoves: number): MoveKernels {
  // Made when it is first needed: most slices are but asked for their size.
  let instance: ReturnType<typeof instantiate> | undefined;

  function run(
    forward: boolean,
    what: number,
    side: number,
    part: number,
    keys: Uint32Array,
    from: number,
    to: number,
    bias: number,
    out: KeyEmission & { readonly major?: Uint32Array },
  ): number {
    instance ??= instantiate(space);
    const { wasm } = instance;
    const room = out.minor.length - maxMoves;
    let next = from;
    while (next < to && out.length <= room) {
      const count = Math.min(to - next, instance.keys.length);
      instance.keys.set(keys.subarray(next, next + count));
      const most = Math.min(room - out.length, instance.minor.length - maxMoves);
      const done = forward
        ? wasm.moves(side, part, count, what, bias, most, next)
        : wasm.unmoves(side, part, count, what, bias, most);
      const rows = wasm.rows.value;
      out.minor.set(instance.minor.subarray(0, rows), out.length);
      if (what & KING) out.major!.set(instance.major.subarray(0, rows), out.length);
      if (forward) out.source.set(instance.source.subarray(0, rows), out.length);
      out.length += rows;
      next += done;
    }
    return next;
  }

  return {
    moves: (side, part, keys, from, to, bias, out) =>
      run(true, MEN | KING, side, part, keys, from, to, bias, out),
    unmoves: (side, part, keys, from, to, bias, out) =>
      run(false, MEN | KING, side, part, keys, from, to, bias, out),
    local: {
      movesWithin: (side, part, keys, from, to, out) => run(true, MEN, side, part, keys, from, to, 0, out),
      unmovesWithin: (side, part, keys, from, to, out) => run(false, MEN, side, part, keys, from, to, 0, out),
      movesBeyond: (side, part, keys, from, to, bias, out) =>
        run(true, KING, side, part, keys, from, to, bias, out),
      unmovesBeyond: (side, part, keys, from, to, bias, out) =>
        run(false, KING, side, part, keys, from, to, bias, out),
    },
  };
}

function write(wasm: Exports, table: Table, values: ArrayLike<number>): void {
  new Int32Array(wasm.memory.buffer, wasm[table].value, values.length).set(values);
}

function writeGeometry(wasm: Exports): void {
  write(wasm, 'BINOMIAL', BINOMIAL);
  write(wasm, 'PAIR_OF', PAIR_OF);
  write(wasm, 'PAIR_SYMMETRY', PAIR_SYMMETRY);
  write(wasm, 'PAIR_WHITE', PAIR_WHITE);
  write(wasm, 'PAIR_BLACK', PAIR_BLACK);
  write(wasm, 'PAIR_DIAGONAL', PAIR_DIAGONAL);
  const image = Int32Array.from({ length: 512 }, (_, i) => SYMMETRY[((i & 7) << 6) | (i >> 3)]);
  write(wasm, 'IMAGE', image);

  // A set of squares is two words, the low one first.
  const between = new Int32Array(2 * 4096);
  for (let line = 0; line < 4096; line++) {
    between[2 * line] = BETWEEN_LOW[line];
    between[2 * line + 1] = BETWEEN_HIGH[line];
  }
  write(wasm, 'BETWEEN', between);
  const mobility = new Int32Array(2 * 5 * 64);
  for (let man = 0; man < 5 * 64; man++) {
    for (let r = RAY_START[man]; r < RAY_START[man + 1]; r++) add(mobility, man, RAYS[r] & 63);
  }
  write(wasm, 'MOBILITY', mobility);
  const behind = new Int32Array(2 * 4096);
  for (let from = 0; from < 64; from++) {
    const rays = (Kind.queen << 6) | from;
    for (let r = RAY_START[rays]; r < RAY_START[rays + 1]; r++) {
      const end = r + ((RAYS[r] >> 6) & 7);
      for (let hidden = r + 1; hidden < end; hidden++) {
        add(behind, ((RAYS[r] & 63) << 6) | from, RAYS[hidden] & 63);
      }
    }
  }
  write(wasm, 'BEHIND', behind);
}

/** Adds a square to the i-th of some sets. */
function add(sets: Int32Array, i: number, square: number): void {
  sets[2 * i] |= BIT_LOW[square];
  sets[2 * i + 1] |= BIT_HIGH[square];
}

function writeSpace(wasm: Exports, space: Space): void {
  write(wasm, 'PAIR_PART', space.pairPart);
  write(wasm, 'PAIR_BASE', space.pairBase);
  write(wasm, 'KIND', space.kindOf);
  write(wasm, 'SIDE', space.sideOf);
  write(wasm, 'GROUP', space.groupOf);
  write(wasm, 'FIRST', space.groupFirst);
  write(wasm, 'COUNT', space.groupCount);
  write(wasm, 'STRIDE', space.groupStride);
  const { men, groups, composite, placements, pairsPerPart } = space;
  wasm.configure(men, groups.length, composite, placements, pairsPerPart);
}
