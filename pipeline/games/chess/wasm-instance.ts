/**
 * The module of the kernels (assembly/), and its instances: the tables of geometry.ts and index-space.ts in their linear memory,
 * written once, what they are given of a slice, and buffers. Keys are copied to buffers and rows from them, a few thousand at a time. An
 * *arena* is an instance with memory behind its tables, for what kernels by rows work on.
 *
 * Kernels have the parameters of the contract (game/emission.ts says why).
 */
import { assert } from '../../../operators/core/errors.js';
import {
  aligned,
  growHeap,
  KernelModule,
  type LinearMemory,
  writeWords,
} from '../../../operators/core/wasm.js';
import type { SetColumns } from '../../game/game.js';
import type { Numbering } from '../../game/labelling.js';
import { addSquare, writeBoard } from './board-tables.js';
import { type Change, PLACES } from './changes.js';
import {
  allPairs,
  filePairs,
  Kind,
  type KingNumbers,
  RAY_START,
  RAYS,
  SYMMETRY,
  whiteKings,
} from './geometry.js';
import { BINOMIAL, type MenGroup, type Space, squareSets } from './index-space.js';
import { type Placements, slotOf } from './placements.js';
import { type WasmExports, type WasmGlobal, wasmCode } from './wasm-code.js';

export type Kernels = LinearMemory & WasmExports;

const module = new KernelModule<WasmExports>(wasmCode);

/** An instance, and its buffers as arrays. */
export function instantiate(): Instance {
  const wasm = module.instance();
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

/** Gives an arena back between two phases of a slice. */
export function giveBack(arena: Instance): void {
  spare = arena;
}

/** Bytes of an arena that small slices use one after the other. A larger one would lie beside the buffers of the next slice's first phases. */
const MOST_KEPT = 16 << 20;

/** As {@link giveBack}, where the phases that follow have other uses for the memory. */
export function retire(arena: Instance): void {
  spare = arena.wasm.memory.buffer.byteLength <= MOST_KEPT ? arena : undefined;
}

/** Gives the memory up, where what comes next has other uses for it. */
export function dropArena(): void {
  spare = undefined;
}

function withBuffers(wasm: Kernels) {
  const words = (table: WasmGlobal, most: number) =>
    new Uint32Array(wasm.memory.buffer, wasm[table].value, most);
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

/** What kernels count, as assembly/numbers.ts numbers it. */
export function kernelNumbering(numbering: Numbering | null): number {
  return numbering === null ? 0 : numbering === 'solutions' ? 1 : 2;
}

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

/** How indices have the kings, as assembly/index-tables.ts numbers it. */
const KINGS: readonly KingNumbers[] = [allPairs, filePairs, whiteKings];
const MOST_PAIRS = filePairs.white.length;

const kingsOf = ({ pairs }: Space) => KINGS.indexOf(pairs);

/** By instance, the addresses of the tables of placements that it has. */
const placed = new WeakMap<Kernels, Map<Placements, number>>();

/** Writes tables of placements that the instance does not have. Returns the address of each, 0 for null. */
function placeTables(
  wasm: Kernels,
  tables: readonly (Placements | null)[],
): (table: Placements | null) => number {
  const { buffer } = wasm.memory;
  let known = placed.get(wasm) ?? new Map<Placements, number>();
  const needed = new Set(tables.filter((table) => table !== null && !known.has(table))) as Set<Placements>;
  const bytesOf = ({ words }: Placements) => aligned(words.byteLength);
  const bytes = (all: Iterable<Placements>) => [...all].reduce((sum, table) => sum + bytesOf(table), 0);
  const room = wasm.MOST_PLACES.value;
  if (bytes(known.keys()) + bytes(needed) > room) {
    for (const table of tables) if (table !== null) needed.add(table);
    known = new Map();
  }
  assert(bytes(needed) <= room, 'tables of placements fit the memory of the kernels');
  let at = wasm.PLACES.value + bytes(known.keys());
  for (const table of needed) {
    new Int32Array(buffer, at, table.words.length).set(table.words);
    known.set(table, at);
    at += bytesOf(table);
  }
  placed.set(wasm, known);
  return (table) => (table === null ? 0 : known.get(table)!);
}

/** The words of a change, by table; and of each group of the slice that it leads to. */
const OF_CHANGE: Partial<Record<WasmGlobal, (change: Change) => number>> = {
  TO_PLACE: ({ place }) => place,
  TO_DEPENDENCY: ({ dependency }) => dependency,
  TO_FLIPPED: ({ flipped }) => Number(flipped),
  TO_KINGS: ({ target }) => kingsOf(target),
  TO_PLACEMENTS: ({ target }) => target.placements,
  TO_PAIRS: ({ target }) => target.pairsPerPart,
  TO_GROUPS: ({ target }) => target.groups.length,
  TO_ASSUMED: ({ assumed }) => Number(assumed),
};
const MOST_GROUPS = 8;

/** Gives an instance an index space, and the changes that moves out of its slice make. */
export function writeSlice(wasm: Kernels, space: Space, all: readonly Change[] = []): void {
  const isNumbered = ({ dependency }: Change) => 2 * dependency + 1 < wasm.MOST_BIASES.value;
  assert(all.every(isNumbered), 'the parts of all dependencies have a bias');
  const { groups, groupStride, groupCount, placements, pairsPerPart, hasRows, kindOf, sideOf } = space;
  const tablesOf = ({ groups }: Space) => groups.map(({ places }) => places);
  const addressOf = placeTables(wasm, [...tablesOf(space), ...all.flatMap(({ target }) => tablesOf(target))]);
  const slots = groups.map(({ men }) => slotOf(men[0]));
  writeWords(wasm, 'GROUP_SLOT', slots);
  writeWords(wasm, 'GROUP_COUNT', groupCount);
  writeWords(wasm, 'GROUP_STRIDE', groupStride);
  writeWords(wasm, 'GROUP_PLACES', tablesOf(space).map(addressOf));
  const changeOf = new Int32Array(PLACES);
  for (const [number, { place }] of all.entries()) changeOf[place] = number;
  writeWords(wasm, 'CHANGE_OF', changeOf);
  for (const [table, wordOf] of Object.entries(OF_CHANGE))
    writeWords(wasm, table as WasmGlobal, all.map(wordOf));
  const ofGroup: Partial<Record<WasmGlobal, (change: Change, group: MenGroup, g: number) => number>> = {
    TO_PLACES: (_, { places }) => addressOf(places),
    TO_COUNT: (_, { men }) => men.length,
    TO_STRIDE: ({ target }, _, g) => target.groupStride[g],
    TO_SLOT: ({ flipped }, { men }) => slotOf(men[0]) ^ (flipped ? 8 : 0),
  };
  for (const [table, wordOf] of Object.entries(ofGroup)) {
    const words = new Int32Array(MOST_GROUPS * all.length);
    for (const [number, change] of all.entries()) {
      for (const [g, group] of change.target.groups.entries())
        words[MOST_GROUPS * number + g] = wordOf(change, group, g);
    }
    writeWords(wasm, table as WasmGlobal, words);
  }
  const passant = kindOf.indexOf(Kind.passant);
  const taker = passant < 0 ? -1 : 1 - sideOf[passant];
  wasm.configure(groups.length, placements, pairsPerPart, taker, hasRows, kingsOf(space));
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
  for (const [kings, { white, black, pairOf, imagesOf, boards }] of KINGS.entries()) {
    writeWords(wasm, 'KINGS_OF', pairOf, 4096 * kings);
    writeWords(wasm, 'KINGS_IMAGES', imagesOf, 4096 * kings);
    writeWords(wasm, 'KINGS_WHITE', white, MOST_PAIRS * kings);
    writeWords(wasm, 'KINGS_BLACK', black ?? [], MOST_PAIRS * kings);
    writeWords(wasm, 'KINGS_BOARDS', boards, MOST_PAIRS * kings);
  }
  new BigUint64Array(wasm.memory.buffer, wasm.PAWN_ATTACKS.value, PAWN_ATTACKS.length).set(PAWN_ATTACKS);
  writeWords(wasm, 'BINOMIAL', BINOMIAL);
  writeWords(wasm, 'COUPLES', squareSets(2));
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
