/**
 * The module of the kernels (assembly/), and its instances: the tables of geometry.ts and index-space.ts in their linear memory,
 * written once, what they are given of a slice, and buffers. Keys are copied to buffers and rows from them, a few thousand at a time. An
 * *arena* is an instance with memory behind its tables, for what kernels by rows work on.
 *
 * Kernels have the parameters of the contract (game/emission.ts says why).
 */
import { assert } from '../../../operators/core/errors.js';
import {
  type Exported,
  growHeap,
  type Heap,
  KernelModule,
  writeWords,
} from '../../../operators/core/wasm.js';
import type { SetColumns } from '../../game/game.js';
import { addSquare, type BoardTable, writeBoard } from './board-tables.js';
import type { Change } from './changes.js';
import { filePairs, Kind, PAIR_DIAGONAL, RAY_START, RAYS, SYMMETRY, whiteKings } from './geometry.js';
import { BINOMIAL, type Space, squareSets } from './index-space.js';
import { shapeOf } from './shape.js';
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

/** What an instance exports. Parameters are as in assembly/. */
export interface Kernels extends Heap, Exported<Table | Constant> {
  configure(
    groups: number,
    placements: number,
    pairs: number,
    taker: number,
    last: boolean,
    kings: number,
  ): void;
  census(side: number, part: number, first: number, count: number, withConversions: boolean): void;
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
  keepsRows(side: number, dependency: number, sideThere: number, changes: number): number;
  unconvertSets(
    side: number,
    dependency: number,
    sideThere: number,
    changes: number,
    part: number,
    count: number,
    bias: number,
    room: number,
    asSets: boolean,
  ): number;
  decidedSets(firstRow: number, count: number, wide: boolean, alike: number, room: number): number;
  strikeWithin(side: number, part: number, count: number): number;
  unmoveRows(side: number, part: number, count: number, bias: number, room: number): number;
  strikeRows(count: number): void;
  strikeKeys(count: number): void;
  label(countPlanes: number, labels: number): void;
  packCounts(countPlanes: number, rows: number): void;
  placeMarks(at: number): void;
  hasMarks(): number;
  drain(): number;
  placeUnwon(at: number): void;
  settle(values: number, rows: number, wide: boolean): number;
  writeSets(values: number, count: number, code: number, wide: boolean): number;
  placeRanks(at: number): void;
  completeRanks(side: number, part: number, count: number, ranks: number): void;
  /** `leaving`: whether ranks of other slices are there. */
  raiseByRows(side: number, part: number, count: number, bias: number, leaving: boolean, best: number): void;
  rankCodes(count: number, codes: number, isWide: boolean, table: number, ranks: number): number;
  countWrong(
    side: number,
    part: number,
    count: number,
    best: number,
    expected: number,
    drawn: number,
    mated: number,
    broken: number,
  ): number;
  positionsCompared(): number;
}

const module = new KernelModule(wasmCode);

/** An instance, and its buffers as arrays. */
export function instantiate(): Instance {
  const wasm = module.instance<Kernels>();
  writeGeometry(wasm);
  return withBuffers(wasm);
}

/**
 * The arena that was used last: what a slice does next likely wants as much memory. It grows in place, for memory that an instance
 * has given up is collected late.
 */
let spare: Instance | undefined;

/** An instance with so many bytes to be allocated behind its tables. Arrays of its memory that were made before must not be used any more. */
export function takeArena(bytes: number): Instance {
  const { wasm } = spare ?? instantiate();
  spare = undefined;
  growHeap(wasm, bytes);
  return withBuffers(wasm);
}

export function giveBack(arena: Instance): void {
  spare = arena;
}

/** Gives the memory up, where what comes next has other uses for it. */
export function dropArena(): void {
  spare = undefined;
}

function withBuffers(wasm: Kernels) {
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

export type Instance = ReturnType<typeof withBuffers>;

/** Copies as many of the sets [from, to) into an instance as there is room for, and returns how many. */
export function copySetsIn(
  { keys, lowIn, highIn }: Instance,
  sets: SetColumns,
  from: number,
  to: number,
): number {
  const count = Math.min(to - from, keys.length);
  keys.set(sets.minor.subarray(from, from + count));
  lowIn.set(sets.low.subarray(from, from + count));
  highIn.set(sets.high.subarray(from, from + count));
  return count;
}

/** How an index has the kings, as assembly/index-tables.ts numbers it. */
function kingsOf({ pawnGroups, kingRuns }: Space): number {
  return kingRuns ? 2 : pawnGroups > 0 ? 1 : 0;
}

/** Gives an instance an index space. */
export function tellSpace(wasm: Kernels, space: Space): void {
  const { groups, groupStride, groupCount, placements, pairsPerPart, hasRows, name } = space;
  writeWords(
    wasm,
    'GROUP_SLOT',
    groups.map(({ side, kind }) => 8 * side + kind),
  );
  writeWords(wasm, 'GROUP_COUNT', groupCount);
  writeWords(wasm, 'GROUP_STRIDE', groupStride);
  writeWords(
    wasm,
    'GROUP_RANK',
    groups.map(({ rank }) => Math.max(0, rank)),
  );
  const { taker } = shapeOf(name);
  wasm.configure(groups.length, placements, pairsPerPart, taker ?? -1, hasRows, kingsOf(space));
}

/** The words of a change, by table; and of each group of the slice that it leads to. */
const OF_CHANGE: Partial<Record<Table, (change: Change) => number>> = {
  TO_PLACE: ({ place }) => place,
  TO_DEPENDENCY: ({ dependency }) => dependency,
  TO_FLIPPED: ({ flipped }) => Number(flipped),
  TO_KINGS: ({ target }) => kingsOf(target),
  TO_PLACEMENTS: ({ target }) => target.placements,
  TO_PAIRS: ({ target }) => target.pairsPerPart,
  TO_GROUPS: ({ target }) => target.groups.length,
};
const OF_GROUP: Partial<Record<Table, (change: Change, group: number) => number>> = {
  TO_RANK: ({ target }, group) => target.groups[group].rank,
  TO_COUNT: ({ target }, group) => target.groups[group].count,
  TO_STRIDE: ({ target }, group) => target.groupStride[group],
  TO_SLOTS: ({ slots }, group) => slots[group],
};
const MOST_GROUPS = 8;

/** Gives an instance the changes that moves out of a slice make. */
export function tellChanges(wasm: Kernels, all: readonly Change[]): void {
  const isNumbered = ({ dependency }: Change) => 2 * dependency + 1 < wasm.MOST_BIASES.value;
  assert(all.every(isNumbered), 'the parts of all dependencies have a bias');
  const changeOf = new Int32Array(286);
  for (const [number, { place }] of all.entries()) changeOf[place] = number;
  writeWords(wasm, 'CHANGE_OF', changeOf);
  for (const [table, wordOf] of Object.entries(OF_CHANGE)) writeWords(wasm, table as Table, all.map(wordOf));
  for (const [table, wordOf] of Object.entries(OF_GROUP)) {
    const words = new Int32Array(MOST_GROUPS * all.length);
    for (const [number, change] of all.entries()) {
      for (const group of change.slots.keys()) words[MOST_GROUPS * number + group] = wordOf(change, group);
    }
    writeWords(wasm, table as Table, words);
  }
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
function writeGeometry(wasm: Kernels): void {
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
