/**
 * Tables of placements. A table lists the squares that the pawns of a group may occupy together; the digit of the group in an index is the
 * number of an entry. Examples are the sets of files on one rank, pairs of pawns that face each other, and the pawns of a blocked position.
 * No move of a pawn may lead from one entry to another, and the mirror image of each entry (left and right) must be an entry.
 */
import { assert } from '../../../operators/core/errors.js';
import type { Side } from '../../game/game.js';
import { SYMMETRY } from './geometry.js';

/** A man; its kind as geometry.ts numbers kinds. */
export interface Man {
  readonly side: Side;
  readonly kind: number;
}

export const slotOf = ({ side, kind }: Man) => 8 * side + kind;

/** The layout of a table in assembly/places.ts: words before the squares, and most slots. */
const HEAD = 24;
const MOST_SLOTS = 4;
const AT = { slots: 0, count: 1, bits: 2, never: 3, slot: 4, reach: 8, factors: 16 } as const;
/** Odd numbers of 64 bits without a pattern. */
const FACTORS = [0x9e3779b97f4a7c15n, 0xc2b2ae3d27d4eb4fn, 0x165667b19e3779f9n, 0x27d4eb2f165667c5n];

/** Moves that one side does not make, as sets of squares. */
export interface Restriction {
  readonly side: Side;
  /** By placement. */
  readonly of: readonly Forbidden[];
}

/** Squares that no man of a side leaves, that none enters, and by kind (geometry.ts, queen to pawn) those on which none captures. */
export interface Forbidden {
  readonly from: bigint;
  readonly to: bigint;
  readonly takes: readonly bigint[];
}

/** Words of 64 bits of a placement's restriction. */
const FORBIDDEN_SETS = 8;

export class Placements {
  readonly #slots: readonly number[];
  /** By slot: the squares that its men stand on in some placement. */
  readonly #reach: readonly bigint[];
  /** Of each placement, by slot: its squares. */
  readonly #sets: readonly (readonly bigint[])[];
  readonly #numbers = new Map<string, number>();
  #words: Int32Array | undefined;

  /** @param men of all placements. @param all by number: the square of each man; those of like men ascend. */
  constructor(
    readonly men: readonly Man[],
    readonly all: readonly (readonly number[])[],
    /** If all of them are sets of files on one rank: the square of that rank on the a-file. */
    readonly rank: number | null = null,
    readonly restriction: Restriction | null = null,
  ) {
    this.#slots = [...new Set(men.map(slotOf))];
    assert(this.#slots.length <= MOST_SLOTS, 'a table has few kinds of men');
    this.#sets = all.map((squares) => this.#setsOf(squares, 0, 0));
    this.#reach = this.#slots.map((_, s) => this.#sets.reduce((reach, sets) => reach | sets[s], 0n));
    for (const [number, sets] of this.#sets.entries()) this.#numbers.set(sets.join(), number);
    assert(this.#numbers.size === all.length, 'placements differ');
    assert(
      all.every((squares) => this.numberOf(squares, 0, MIRROR) >= 0),
      'mirror images have numbers',
    );
  }

  /** The number of the men on `squares`, from `first` on, moved by a symmetry; -1 if the table has no such placement. */
  numberOf(squares: ArrayLike<number>, first: number, symmetry: number): number {
    return this.#numbers.get(this.#setsOf(squares, first, symmetry).join()) ?? -1;
  }

  /** Whether a man stands on a square in some placement. */
  reaches(man: number, square: number): boolean {
    return ((this.#reach[this.#slots.indexOf(slotOf(this.men[man]))] >> BigInt(square)) & 1n) === 1n;
  }

  #setsOf(squares: ArrayLike<number>, first: number, symmetry: number): bigint[] {
    const sets = this.#slots.map(() => 0n);
    for (const [i, man] of this.men.entries()) {
      sets[this.#slots.indexOf(slotOf(man))] |= 1n << BigInt(SYMMETRY[symmetry * 64 + squares[first + i]]);
    }
    return sets;
  }

  /** The table in the layout that kernels read. */
  get words(): Int32Array {
    this.#words ??= this.#encode();
    return this.#words;
  }

  #encode(): Int32Array {
    const { rank, all } = this;
    const slots = this.#slots.length;
    // On a single rank the eight bits of the files are a hash without collisions.
    const bits = rank === null ? 1 + Math.ceil(Math.log2(1 + all.length)) : 8;
    const factors = rank === null ? FACTORS : [1n << BigInt(56 - rank)];
    const images = HEAD + 2 * slots * all.length;
    const search = images + all.length;
    const never = 2 * Math.ceil((search + 2 ** bits) / 2);
    const restricted = this.restriction === null ? 0 : 2 * FORBIDDEN_SETS * all.length;
    const words = new Int32Array(never + restricted);
    const put = (at: number, set: bigint) =>
      words.set([Number(set & 0xffffffffn) | 0, Number(set >> 32n) | 0], at);
    words[AT.slots] = slots;
    words[AT.count] = all.length;
    words[AT.bits] = bits;
    words.set(this.#slots, AT.slot);
    for (let s = 0; s < slots; s++) {
      put(AT.reach + 2 * s, this.#reach[s]);
      put(AT.factors + 2 * s, factors[s]);
    }
    words.fill(-1, search, search + 2 ** bits);
    for (const [number, sets] of this.#sets.entries()) {
      for (const [s, set] of sets.entries()) put(HEAD + 2 * (number * slots + s), set);
      words[images + number] = this.numberOf(all[number], 0, MIRROR);
      const product = sets.reduce((sum, set, s) => sum + set * factors[s], 0n) & 0xffffffffffffffffn;
      let at = Number(product >> BigInt(64 - bits));
      while (words[search + at] >= 0) at = (at + 1) % 2 ** bits;
      words[search + at] = number;
    }
    if (this.restriction !== null) {
      const { side, of } = this.restriction;
      words[AT.never] = (4 * never) | side;
      for (const [number, { from, to, takes }] of of.entries())
        for (const [i, set] of [from, to, ...takes].entries())
          put(never + 2 * (number * FORBIDDEN_SETS + i), set);
    }
    return words;
  }
}

/** The symmetry that mirrors files. */
const MIRROR = 1;

const ranks = new Map<string, Placements>();

/** The sets of files of `count` like men on the rank whose square on the a-file is given, in colexicographic order. */
export function filesOnRank(man: Man, count: number, rank: number): Placements {
  const key = [slotOf(man), count, rank].join();
  let known = ranks.get(key);
  if (known === undefined) {
    const sets = Array.from({ length: 256 }, (_, files) => files).filter(
      (files) => bitsOf(files).length === count,
    );
    const all = sets.map((files) => bitsOf(files).map((file) => rank + file));
    ranks.set(key, (known = new Placements(new Array<Man>(count).fill(man), all, rank)));
  }
  return known;
}

const bitsOf = (set: number) => [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => (set >> bit) & 1);
