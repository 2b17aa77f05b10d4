/**
 * The one operation of this solver: strike off a set the positions that an unmove reaches. The *wanted* positions of one
 * pair of kings have `side` to move; those of `source` have the other side to move. Wanted positions that a man of `side`
 * reaches by an unmove from `source` are taken out. That makes, without any further test of a position,
 *   the wins of a ply:    open positions that are struck off by the positions just lost,
 *   the losses of a ply:  open positions that are left when the positions *not* known to be won have struck off all they
 *                         can: the complement of the escape set (Wendroff et al. 1993, section 4).
 * An elementary unmove is a motion of words for a man in array and a shift for the man in word (section 6); lines of
 * sliding men are swept once a direction, the moving word losing what is stopped on the way (Koistinen 2001).
 */
import {
  BIT_HIGH,
  BIT_LOW,
  Kind,
  PAIR_BLACK,
  PAIR_OF,
  PAIR_SYMMETRY,
  PAIR_WHITE,
} from '../../games/chess/geometry.js';
import type { SetLayout } from './layout.js';
import { JUMPS, KING_STEPS, SWEEPS } from './lines.js';
import type { PositionSet } from './position-set.js';
import { mirror, reach } from './words.js';

/** The state of the kernel: its buffers, and how many words it has combined. */
export interface Striker {
  readonly layout: SetLayout;
  /** Men of each side, the man in word first: its shifts are the cheapest way to thin out what is wanted. */
  readonly menOf: readonly [readonly number[], readonly number[]];
  /** 64 words of source, and of wanted: what an array man sweeps over while all else stands still. */
  readonly from: Int32Array;
  readonly wanted: Int32Array;
  /** For each square, the squares of the man in word that let a sliding man pass: not its own; none where a man is. */
  readonly pass: Int32Array;
  readonly pair: Int32Array;
  /** For the king's unmoves: pairs of kings, and where their words begin. */
  readonly kings: Int32Array;
  readonly bases: Int32Array;
  words: number;
}

export function newStriker(layout: SetLayout): Striker {
  const { space, wordMan } = layout;
  const menOf = (side: number) =>
    Array.from({ length: space.men }, (_, man) => man)
      .filter((man) => space.sideOf[man] === side)
      .sort((a, b) => Number(b === wordMan) - Number(a === wordMan));
  const pass = new Int32Array(128);
  for (let square = 0; square < 64; square++) openSquare(pass, square);
  return {
    layout,
    menOf: [menOf(0), menOf(1)],
    from: new Int32Array(128),
    wanted: new Int32Array(128),
    pass,
    pair: new Int32Array(2),
    kings: new Int32Array(8),
    bases: new Int32Array(8),
    words: 0,
  };
}

/** Strikes off `wanted` (2 * configs halves) as said above; false if nothing is left. */
export function strike(
  striker: Striker,
  side: number,
  pair: number,
  source: PositionSet,
  wanted: Int32Array,
): boolean {
  const { layout, menOf } = striker;
  if (!someLeft(wanted)) return false;
  if (source.some[pair] !== 0) {
    for (const man of menOf[side]) {
      if (man === layout.wordMan) strikeInWord(striker, pair, source.halves, wanted);
      else strikeInArray(striker, man, pair, source.halves, wanted);
      if (!someLeft(wanted)) return false;
    }
  }
  strikeByKing(striker, side, pair, source, wanted);
  return someLeft(wanted);
}

export function someLeft(halves: Int32Array): boolean {
  for (let i = 0; i < halves.length; i++) if (halves[i] !== 0) return true;
  return false;
}

function strikeInWord(striker: Striker, pair: number, source: Int32Array, wanted: Int32Array): void {
  const { layout, pair: reached } = striker;
  const { occupied, configs } = layout;
  const kind = layout.space.kindOf[layout.wordMan];
  const kingsLow = BIT_LOW[PAIR_WHITE[pair]] | BIT_LOW[PAIR_BLACK[pair]];
  const kingsHigh = BIT_HIGH[PAIR_WHITE[pair]] | BIT_HIGH[PAIR_BLACK[pair]];
  const base = pair * 2 * configs;
  for (let i = 0; i < 2 * configs; i += 2) {
    if ((wanted[i] | wanted[i + 1]) === 0) continue;
    const low = source[base + i];
    const high = source[base + i + 1];
    if ((low | high) === 0) continue;
    reach(kind, low, high, ~(occupied[i] | kingsLow), ~(occupied[i + 1] | kingsHigh), reached);
    wanted[i] &= ~reached[0];
    wanted[i + 1] &= ~reached[1];
  }
  striker.words += configs;
}

function strikeInArray(
  striker: Striker,
  man: number,
  pair: number,
  source: Int32Array,
  wanted: Int32Array,
): void {
  const { layout, from, wanted: local } = striker;
  const { shift, configs, arrayMen } = layout;
  const kind = layout.space.kindOf[man];
  const step = 2 << shift[man];
  const base = pair * 2 * configs;
  const pass = kind === Kind.knight ? null : striker.pass;
  const sweep = kind === Kind.knight ? JUMPS : SWEEPS[kind];
  if (pass) {
    closeSquare(pass, PAIR_WHITE[pair]);
    closeSquare(pass, PAIR_BLACK[pair]);
  }
  for (let outer = 0; outer < 2 * configs; outer += 64 * step) {
    for (let first = outer; first < outer + step; first += 2) {
      if (!gather(wanted, first, step, local)) continue;
      if (!gather(source, base + first, step, from)) continue;
      if (pass) {
        closeOthers(pass, man, arrayMen, shift, first >> 1);
        slide(sweep, from, pass, local);
        openOthers(pass, man, arrayMen, shift, first >> 1);
        // A king's square stays closed, no matter which man stood there.
        closeSquare(pass, PAIR_WHITE[pair]);
        closeSquare(pass, PAIR_BLACK[pair]);
      } else jump(from, local);
      scatter(local, wanted, first, step);
      striker.words += sweep.length;
    }
  }
  if (pass) {
    openSquare(pass, PAIR_WHITE[pair]);
    openSquare(pass, PAIR_BLACK[pair]);
  }
}

/** Copies the 64 words `step` halves apart from `first` on; false if all are empty. */
function gather(set: Int32Array, first: number, step: number, into: Int32Array): boolean {
  let some = 0;
  for (let i = 0, at = first; i < 128; i += 2, at += step) {
    const low = set[at];
    const high = set[at + 1];
    into[i] = low;
    into[i + 1] = high;
    some |= low | high;
  }
  return some !== 0;
}

function scatter(words: Int32Array, set: Int32Array, first: number, step: number): void {
  for (let i = 0, at = first; i < 128; i += 2, at += step) {
    set[at] = words[i];
    set[at + 1] = words[i + 1];
  }
}

function slide(sweep: Int8Array, from: Int32Array, pass: Int32Array, wanted: Int32Array): void {
  let low = 0;
  let high = 0;
  for (let i = 0; i < sweep.length; i++) {
    const square = sweep[i];
    if (square < 0) {
      low = from[2 * ~square];
      high = from[2 * ~square + 1];
    } else {
      const at = 2 * square;
      wanted[at] &= ~low;
      wanted[at + 1] &= ~high;
      // A man may start here even where none can pass: on the square of the man it captured.
      low = (low & pass[at]) | from[at];
      high = (high & pass[at + 1]) | from[at + 1];
    }
  }
}

function jump(from: Int32Array, wanted: Int32Array): void {
  for (let i = 0; i < JUMPS.length; i += 2) {
    const at = 2 * JUMPS[i];
    const to = 2 * JUMPS[i + 1];
    wanted[to] &= ~from[at];
    wanted[to + 1] &= ~from[at + 1];
  }
}

function openSquare(pass: Int32Array, square: number): void {
  pass[2 * square] = ~BIT_LOW[square];
  pass[2 * square + 1] = ~BIT_HIGH[square];
}

function closeSquare(pass: Int32Array, square: number): void {
  pass[2 * square] = 0;
  pass[2 * square + 1] = 0;
}

function closeOthers(
  pass: Int32Array,
  man: number,
  arrayMen: readonly number[],
  shift: Int32Array,
  config: number,
): void {
  for (let i = 0; i < arrayMen.length; i++) {
    if (arrayMen[i] !== man) closeSquare(pass, (config >> shift[arrayMen[i]]) & 63);
  }
}

function openOthers(
  pass: Int32Array,
  man: number,
  arrayMen: readonly number[],
  shift: Int32Array,
  config: number,
): void {
  for (let i = 0; i < arrayMen.length; i++) {
    if (arrayMen[i] !== man) openSquare(pass, (config >> shift[arrayMen[i]]) & 63);
  }
}

/**
 * The king's unmoves come from other pairs of kings; where those are canonical only when mirrored, so are men and words.
 * Up to four pairs that need the same mirroring are united on the way.
 */
function strikeByKing(
  striker: Striker,
  side: number,
  pair: number,
  source: PositionSet,
  wanted: Int32Array,
): void {
  const { kings, bases } = striker;
  const count = kingSteps(side, pair, source, kings);
  for (let symmetry = 0; symmetry < 8; symmetry++) {
    let n = 0;
    for (let i = 0; i < count; i++) {
      if (PAIR_SYMMETRY[kings[i]] === symmetry) bases[n++] = PAIR_OF[kings[i]] * wanted.length;
    }
    if (n === 0) continue;
    striker.words += n * (wanted.length >> 1);
    bases.fill(bases[0], n);
    for (let i = 0; i < n; i += 4) {
      if (symmetry === 0) strikeWords(source.halves, bases, i, wanted);
      else strikeMirrored(striker, symmetry, source.halves, i, wanted);
    }
  }
}

/** Where both kings may have stood before: pairs, at white * 64 + black, that have positions. */
function kingSteps(side: number, pair: number, source: PositionSet, kings: Int32Array): number {
  const white = PAIR_WHITE[pair];
  const black = PAIR_BLACK[pair];
  const steps = 8 * (side === 0 ? white : black);
  let count = 0;
  for (let i = steps; i < steps + 8 && KING_STEPS[i] >= 0; i++) {
    const both = side === 0 ? KING_STEPS[i] * 64 + black : white * 64 + KING_STEPS[i];
    if (PAIR_OF[both] >= 0 && source.some[PAIR_OF[both]] !== 0) kings[count++] = both;
  }
  return count;
}

function strikeWords(source: Int32Array, bases: Int32Array, from: number, wanted: Int32Array): void {
  const a = bases[from];
  const b = bases[from + 1];
  const c = bases[from + 2];
  const d = bases[from + 3];
  for (let i = 0; i < wanted.length; i++) {
    const left = wanted[i];
    if (left !== 0) wanted[i] = left & ~(source[a + i] | source[b + i] | source[c + i] | source[d + i]);
  }
}

function strikeMirrored(
  striker: Striker,
  symmetry: number,
  source: Int32Array,
  group: number,
  wanted: Int32Array,
): void {
  const { layout, bases, pair: mirrored } = striker;
  const images = layout.images[symmetry];
  const a = bases[group];
  const b = bases[group + 1];
  const c = bases[group + 2];
  const d = bases[group + 3];
  for (let config = 0; config < images.length; config++) {
    const at = 2 * config;
    if ((wanted[at] | wanted[at + 1]) === 0) continue;
    const i = 2 * images[config];
    const low = source[a + i] | source[b + i] | source[c + i] | source[d + i];
    const high = source[a + i + 1] | source[b + i + 1] | source[c + i + 1] | source[d + i + 1];
    if ((low | high) === 0) continue;
    mirror(symmetry, low, high, mirrored);
    wanted[at] &= ~mirrored[0];
    wanted[at + 1] &= ~mirrored[1];
  }
}
