/** The indices of subtables as the kernels compute them, and the slices whose positions kernels place in these indices. */
import { assert } from '../../../../operators/core/errors.js';
import { growTo, writeWords } from '../../../../operators/core/wasm.js';
import type { View } from '../../../game/views.js';
import { REFLECTION, SYMMETRY } from '../geometry.js';
import { type Digit, type Space, spaceOf } from '../index-space.js';
import type { Placements } from '../placements.js';
import { type Arrangement, shapeOfIndex } from './arrangement.js';
import { bytesAt, instance, type Kernels } from './kernels.js';
import { BLACK, type Material, MOST_MEN, manCode } from './material.js';

/** As in assembly/tables.ts, in words. */
const WORDS = 256;
const AT = { start: 4, count: 12, lowest: 20, order: 28, weights: 36, files: 48 } as const;
const FILE = { words: 32, sizes: 16, first: 24 } as const;

/** The symmetry of geometry.ts that turns the board left to right. */
const LEFT_TO_RIGHT = 1;

/** An index as kernels read it, and the sizes of the subtables by file of the leading pawn. */
function wordsOfIndex(
  material: Material,
  arrangement: Arrangement,
): { readonly words: Int32Array; readonly sizes: number[] } {
  const pawns = material.leadingPawns.length > 0;
  const words = new Int32Array(WORDS);
  const { groups, weights } = arrangement;
  words.set([groups.length, groups[0].length, pawns ? 1 : 0]);
  const files = (pawns ? [0, 1, 2, 3] : [0]).map((file) => shapeOfIndex(material, arrangement, file));
  const { starts, counts, lowest } = files[0];
  words.set(starts, AT.start);
  words.set(counts, AT.count);
  words.set(lowest, AT.lowest);
  words.set(groups.flat(), AT.order);
  words.set(weights, AT.weights);
  for (const [file, { sizes, strides, leading }] of files.entries()) {
    const at = AT.files + file * FILE.words;
    for (const [group, stride] of strides.entries()) {
      words.set([(stride % 2 ** 32) | 0, Math.floor(stride / 2 ** 32)], at + 2 * group);
    }
    words.set(sizes, at + FILE.sizes);
    words.set(leading?.first ?? [], at + FILE.first);
  }
  return { words, sizes: files.map(({ size }) => size) };
}

/** Sets the index of this number, 0 to 3, to an arrangement. Returns the sizes of the subtables, by file of the leading pawn. */
export function setIndex(
  kernels: Kernels,
  which: number,
  material: Material,
  arrangement: Arrangement,
): number[] {
  const { words, sizes } = wordsOfIndex(material, arrangement);
  writeWords(kernels.wasm, 'INDICES', words, which * WORDS);
  const mirror = (material.leadingPawns.length > 0 ? LEFT_TO_RIGHT : REFLECTION) * 64;
  bytesAt(kernels, kernels.wasm.MIRROR.value, 64).set(SYMMETRY.subarray(mirror, mirror + 64));
  return sizes;
}

/** Indices that are allocated at a time: as many as fit in a page of the linear memory. */
const ROOM = 2 ** 16 / (4 * WORDS);

/** Indices in which programs that probe look up boards one by one. Each takes a kilobyte until all of them are dropped. */
export class BoardIndices {
  readonly #wasm = instance();
  #count = 0;
  /** The squares of the men of the board that is looked up, in the order of the material. */
  #squares = new Uint8Array(0);

  /** Adds an index and returns its number. */
  add(material: Material, arrangement: Arrangement): number {
    if (this.#count % ROOM === 0) growTo(this.#wasm, this.#addressOf(this.#count + ROOM));
    const { words } = wordsOfIndex(material, arrangement);
    new Int32Array(this.#wasm.memory.buffer, this.#addressOf(this.#count), WORDS).set(words);
    this.#squares = new Uint8Array(this.#wasm.memory.buffer, this.#wasm.BOARD.value, MOST_MEN);
    return this.#count++;
  }

  /** Where the caller writes the board, a square a man in the order of the material. Valid until an index is added. */
  get squares(): Uint8Array {
    return this.#squares;
  }

  /** The file of the leading pawn of the board, 0 to 3; 0 without pawns. */
  file(index: number): number {
    return this.#wasm.fileOfBoard(this.#addressOf(index));
  }

  /** The index of the board within the subtable of its file; -1 where the kings that lead touch. */
  locate(index: number): number {
    return this.#wasm.indexOfBoard(this.#addressOf(index));
  }

  #addressOf(index: number): number {
    return this.#wasm.heapBase() + 4 * WORDS * index;
  }
}

/** A square XOR this is its image when the colours are exchanged. */
const FLIP = 56;

/** Sets the kernels to the slice of a view, whose positions are to be placed. */
export function placeSlice(kernels: Kernels, material: Material, { slice, flipped }: View): Space {
  const space = spaceOf(slice);
  const rotation = flipped ? FLIP : 0;
  // A king whose square is a digit is placed with the men.
  const { white: first, black: second } = space.pairs;
  const [white, black] = flipped ? [second ?? first, first] : [first, second ?? first];
  const turned = (squares: Uint8Array) => Int32Array.from(squares, (square) => square ^ rotation);
  const words = (of: (digit: Digit) => number) => Int32Array.from(space.digits, of);
  const tables = {
    SLICE_WHITE: turned(white),
    SLICE_BLACK: turned(black),
    SLICE_COUNT: words(({ count }) => count),
    SLICE_STRIDE: words(({ stride }) => stride),
    SLICE_LOWEST: words(({ places }) => lowestOf(places)),
    SLICE_MAN: menOf(material, space, flipped),
  };
  for (const [name, table] of Object.entries(tables)) {
    writeWords(kernels.wasm, name as keyof typeof tables, table);
  }
  assert(space.hasRows, 'every ending with files has rows');
  kernels.wasm.setSlice(space.digits.length, space.placements, rotation);
  return space;
}

/** The square of the pawns' rank on the a-file: files have pawns on ranks. */
function lowestOf(places: Placements | null): number {
  if (places === null) return 0;
  assert(places.rank !== null, 'pawns stand on one rank');
  return places.rank;
}

/** By man of the space, its number in the material; the black king's follows. */
function menOf({ men }: Material, space: Space, flipped: boolean): number[] {
  const free = men.map((code, man) => ({ code, man })).slice(2);
  const found = Array.from({ length: space.men }, (_, man) => {
    const code = manCode(space.kindOf[man]) + (space.sideOf[man] === (flipped ? 0 : 1) ? BLACK : 0);
    const found = free.findIndex((slot) => slot.code === code);
    assert(found >= 0, `${space.name} has the men of the file`);
    return free.splice(found, 1)[0].man;
  });
  return [...found, flipped ? 0 : 1];
}
