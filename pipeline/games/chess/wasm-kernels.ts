/**
 * The kernels `moves`, `unmoves` and `conversions` in WebAssembly (see assembly/). An instance belongs to an ending: its linear memory
 * holds the tables of geometry.ts and index-space.ts, written once, and buffers of a few thousand keys and rows that
 * keys are copied to and rows from. plain-kernels.ts has the same in TypeScript.
 */
import type { Emission, KeyEmission, Slice } from '../../game.js';
import { type Kernel, runKernel } from '../run-kernel.js';
import type { Captures } from './conversions.js';
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
import { BINOMIAL, type Space, squareSets } from './index-space.js';
import type { MoveKernels } from './plain-kernels.js';
import { wasmCode } from './wasm-code.js';

/** Addresses of tables and buffers, as the instance exports them. */
type Table =
  | `PAIR_${'BASE' | 'BLACK' | 'DIAGONAL' | 'OF' | 'PART' | 'SYMMETRY' | 'WHITE'}`
  | `WITHOUT_${'COUNT' | 'DEPENDENCY' | 'FLIPPED' | 'GROUPS' | 'MAN' | 'PAIRS' | 'PLACEMENTS' | 'STRIDE'}`
  | 'BEHIND'
  | 'BETWEEN'
  | 'BIAS'
  | 'BINOMIAL'
  | 'COUNT'
  | 'COUPLES'
  | 'FIRST'
  | 'GROUP'
  | 'IMAGE'
  | 'KEYS'
  | 'KIND'
  | 'MAJOR'
  | 'MINOR'
  | 'MOBILITY'
  | 'ROWS'
  | 'SIDE'
  | 'SOURCE'
  | 'STRIDE';
type Constant = 'MOST_KEYS' | 'MOST_ROWS';

interface Exports extends Readonly<Record<Table | Constant, { readonly value: number }>> {
  readonly memory: { readonly buffer: ArrayBuffer };
  configure(men: number, groups: number, composite: number, placements: number, pairsPerPart: number): void;
  unmoves(
    side: number,
    part: number,
    count: number,
    ofMen: boolean,
    ofKing: boolean,
    bias: number,
    room: number,
  ): number;
  moves(side: number, part: number, count: number, bias: number, room: number, source: number): number;
  conversions(side: number, part: number, count: number, room: number, source: number): number;
}

let compiled: WebAssembly.Module | undefined;

/** An instance, and its buffers as arrays. */
function instantiate(space: Space, captures: Captures) {
  compiled ??= new WebAssembly.Module(Buffer.from(wasmCode, 'base64'));
  const wasm = new WebAssembly.Instance(compiled).exports as Exports;
  writeGeometry(wasm);
  writeSpace(wasm, space);
  writeCaptures(wasm, captures);
  const buffer = (table: Table, most: number) => new Uint32Array(wasm.memory.buffer, wasm[table].value, most);
  const rows = wasm.MOST_ROWS.value;
  return {
    wasm,
    keys: buffer('KEYS', wasm.MOST_KEYS.value),
    minor: buffer('MINOR', rows),
    major: buffer('MAJOR', rows),
    source: buffer('SOURCE', rows),
    rows: buffer('ROWS', 1),
    bias: buffer('BIAS', 16),
  };
}

type Instance = ReturnType<typeof instantiate>;

export function createWasmKernels(space: Space, captures: Captures, maxMoves: number): MoveKernels {
  // Made when it is first needed: most slices are but asked for their size.
  let made: Instance | undefined;
  const instance = (): Instance => (made ??= instantiate(space, captures));

  function run(
    kernel: (wasm: Exports, ...asked: Parameters<Kernel>) => number,
    keys: Uint32Array,
    from: number,
    to: number,
    out: KeyEmission,
    columns: Partial<Pick<Emission, 'major' | 'source'>>,
  ): number {
    const buffers = instance();
    const { wasm } = buffers;
    return runKernel(buffers, maxMoves, (...asked) => kernel(wasm, ...asked), keys, from, to, out, columns);
  }

  const unmovesOf =
    (ofMen: boolean, ofKing: boolean): Slice['unmoves'] =>
    (side, part, keys, from, to, bias, out) =>
      run(
        (wasm, count, room) => wasm.unmoves(side, part, count, ofMen, ofKing, bias, room),
        keys,
        from,
        to,
        out,
        { major: out.major },
      );

  return {
    moves: (side, part, keys, from, to, bias, out) =>
      run(
        (wasm, count, room, source) => wasm.moves(side, part, count, bias, room, source),
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
          (wasm, count, room) => wasm.unmoves(side, part, count, true, false, 0, room),
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
        (wasm, count, room, source) => wasm.conversions(side, part, count, room, source),
        keys,
        from,
        to,
        out,
        out,
      );
    },
  };
}

function write(wasm: Exports, table: Table, values: ArrayLike<number>): void {
  new Int32Array(wasm.memory.buffer, wasm[table].value, values.length).set(values);
}

function writeGeometry(wasm: Exports): void {
  write(wasm, 'BINOMIAL', BINOMIAL);
  write(wasm, 'COUPLES', squareSets(2));
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

function writeCaptures(wasm: Exports, { byMan }: Captures): void {
  write(
    wasm,
    'WITHOUT_DEPENDENCY',
    byMan.map(({ dependency }) => dependency),
  );
  write(
    wasm,
    'WITHOUT_FLIPPED',
    byMan.map(({ flipped }) => Number(flipped)),
  );
  write(
    wasm,
    'WITHOUT_PLACEMENTS',
    byMan.map(({ target }) => target.placements),
  );
  write(
    wasm,
    'WITHOUT_PAIRS',
    byMan.map(({ target }) => target.pairsPerPart),
  );
  write(
    wasm,
    'WITHOUT_GROUPS',
    byMan.map(({ target }) => target.groups.length),
  );
  const count = new Int32Array(64);
  const stride = new Int32Array(64);
  const manHere = new Int32Array(64);
  byMan.forEach(({ target, manThere }, taken) => {
    count.set(target.groupCount, 8 * taken);
    stride.set(target.groupStride, 8 * taken);
    for (let man = 0; man < byMan.length; man++) if (man !== taken) manHere[8 * taken + manThere[man]] = man;
  });
  write(wasm, 'WITHOUT_COUNT', count);
  write(wasm, 'WITHOUT_STRIDE', stride);
  write(wasm, 'WITHOUT_MAN', manHere);
}
