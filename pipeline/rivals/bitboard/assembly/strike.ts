/**
 * The one operation of the solver: strike off a set the positions that an unmove reaches. The *wanted* positions of one pair of
 * kings have `side` to move; those of `source` have the other side to move. Wanted positions that a man of `side` reaches by an unmove from
 * `source` are taken out. That makes, without any further test of a position,
 *   the wins of a ply:    open positions that are struck off by the positions just lost,
 *   the losses of a ply:  open positions that are left when the positions *not* known to be won have struck off all they
 *                         can: the complement of the escape set (Wendroff et al. 1993, section 4).
 *
 * An elementary unmove is a motion of words for a man in array, and a shift for the man in word (section 6). Lines of
 * sliding men are swept once a direction. The moving word loses what is stopped on the way (Koistinen 2001).
 */
import {
  bit,
  KIND,
  KING,
  MOBILITY,
  PAIR_BLACK,
  PAIR_OF,
  PAIR_SYMMETRY,
  PAIR_WHITE,
  SIDE,
  squaresAt,
  word,
} from '../../../games/chess/assembly/tables';
import { mirrored, reach } from './moves';
import {
  images,
  isArrayMan,
  length,
  loadWords,
  men,
  occupiedSquares,
  storeWords,
  wordMan,
} from './set-layout';
import { some } from './sets';
import { strikeInArray } from './strike-array';

/** 64-bit words combined since `takeWords` was called. */
let words: f64 = 0;

export function takeWords(): f64 {
  const taken = words;
  words = 0;
  return taken;
}

/** Strikes off `wanted` as said above; false if nothing is left. `full`: a byte for each pair of kings, 0 where `source` is empty. */
export function strike(side: i32, pair: i32, source: usize, full: usize, wanted: usize): bool {
  if (!some(wanted)) return false;
  if (load<u8>(full + (pair as usize)) !== 0) {
    const from = source + (pair as usize) * length;
    // The shifts of the man in word are the cheapest way to thin out what is wanted.
    if (wordMan >= 0 && word(SIDE, wordMan) === side) {
      strikeInWord(pair, from, wanted);
      if (!some(wanted)) return false;
    }
    for (let man = 0; man < men; man++) {
      if (!isArrayMan(man, side)) continue;
      words += strikeInArray(man, pair, from, wanted) as f64;
      if (!some(wanted)) return false;
    }
  }
  strikeByKing(side, pair, source, full, wanted);
  return some(wanted);
}

function strikeInWord(pair: i32, from: usize, wanted: usize): void {
  const kind = word(KIND, wordMan);
  const kings = i64x2.splat((bit(word(PAIR_WHITE, pair)) | bit(word(PAIR_BLACK, pair))) as i64);
  for (let i: usize = 0; i < length; i += 16) {
    const left = loadWords(wanted + i);
    if (!v128.any_true(left)) continue;
    const moving = loadWords(from + i);
    if (!v128.any_true(moving)) continue;
    const empty = v128.not(v128.or(loadWords(occupiedSquares + i), kings));
    storeWords(wanted + i, v128.andnot(left, reach(kind, moving, empty)));
  }
  words += (length >> 3) as f64;
}

/** Where both kings may have stood before, in order of the symmetry that they need: the words of their pairs. */
const STEP_WORDS: usize = memory.data(8 * 4, 16);

/**
 * The king's unmoves come from other pairs of kings; where those are canonical only when mirrored, so are men and words. Up to four
 * pairs that need the same mirroring are united on the way.
 */
function strikeByKing(side: i32, pair: i32, source: usize, full: usize, wanted: usize): void {
  const white = word(PAIR_WHITE, pair);
  const black = word(PAIR_BLACK, pair);
  const steps = squaresAt(MOBILITY, (KING << 6) | (side === 0 ? white : black));
  for (let symmetry = 0; symmetry < 8; symmetry++) {
    let count = 0;
    for (let rest = steps; rest; rest &= rest - 1) {
      const to = ctz(rest) as i32;
      const kings = side === 0 ? (to << 6) | black : (white << 6) | to;
      const there = word(PAIR_OF, kings);
      if (there < 0 || word(PAIR_SYMMETRY, kings) !== symmetry) continue;
      if (load<u8>(full + (there as usize)) === 0) continue;
      store<usize>(STEP_WORDS + ((count++ as usize) << 2), source + (there as usize) * length);
    }
    if (count === 0) continue;
    words += (count as f64) * ((length >> 3) as f64);
    for (let i = count; i < 8; i++) store<usize>(STEP_WORDS + ((i as usize) << 2), load<usize>(STEP_WORDS));
    for (let i = 0; i < count; i += 4) {
      const at = STEP_WORDS + ((i as usize) << 2);
      if (symmetry === 0) strikePlain(at, wanted);
      else strikeMirrored(symmetry, at, wanted);
    }
  }
}

function strikePlain(at: usize, wanted: usize): void {
  const a = load<usize>(at);
  const b = load<usize>(at + 4);
  const c = load<usize>(at + 8);
  const d = load<usize>(at + 12);
  for (let i: usize = 0; i < length; i += 16) {
    const left = loadWords(wanted + i);
    if (!v128.any_true(left)) continue;
    const struck = v128.or(
      v128.or(loadWords(a + i), loadWords(b + i)),
      v128.or(loadWords(c + i), loadWords(d + i)),
    );
    storeWords(wanted + i, v128.andnot(left, struck));
  }
}

function strikeMirrored(symmetry: i32, at: usize, wanted: usize): void {
  const a = load<usize>(at);
  const b = load<usize>(at + 4);
  const c = load<usize>(at + 8);
  const d = load<usize>(at + 12);
  const image = images + (((symmetry as usize) * length) >> 1);
  for (let i: usize = 0; i < length; i += 16) {
    const left = loadWords(wanted + i);
    if (!v128.any_true(left)) continue;
    const first = (load<u32>(image + (i >> 1)) as usize) << 3;
    let moving = i64x2.splat(
      load<i64>(a + first) | load<i64>(b + first) | load<i64>(c + first) | load<i64>(d + first),
    );
    if (length > 8) {
      const second = (load<u32>(image + (i >> 1) + 4) as usize) << 3;
      const other =
        load<i64>(a + second) | load<i64>(b + second) | load<i64>(c + second) | load<i64>(d + second);
      moving = i64x2.replace_lane(moving, 1, other);
    }
    if (!v128.any_true(moving)) continue;
    storeWords(wanted + i, v128.andnot(left, mirrored(symmetry, moving)));
  }
}
