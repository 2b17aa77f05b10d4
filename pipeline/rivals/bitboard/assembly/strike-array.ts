/**
 * Unmoves of an array man: its 64 words move over the board while all else stands still. Two ways for all else to
 * stand are worked on at once. They are neighbouring words, or, for the man whose own words are neighbours, the next
 * 64.
 */
import { bit, KIND, KNIGHT, PAIR_BLACK, PAIR_WHITE, word } from '../../../games/chess/assembly/tables';
import { begins, endDirection, firstDirection, room, stepOf } from './lines';
import { length, men, SHIFT, squareIn, wordMan } from './set-layout';

/** v128, by square of the array man: words of the source, and of what is wanted. */
const FROM: usize = memory.data(64 * 16, 16);
const WANTED: usize = memory.data(64 * 16, 16);
/** v128, by square: the squares of the man in word that let a sliding man pass: not its own; none where a man is. */
const PASS: usize = memory.data(64 * 16, 16);

/** Beyond so many squares that men start from, whole lines are swept, not the rays of each of the squares. */
const MOST_STARTS: i32 = 10;

/** Returns how many words were combined. */
export function strikeInArray(man: i32, pair: i32, source: usize, wanted: usize): i32 {
  const kind = word(KIND, man);
  const shift = word(SHIFT, man);
  const neighbours = shift === 0;
  const stride: usize = (8 as usize) << (shift as usize);
  const block = stride << 6;
  // From the words of one way to stand to those of the other; ways are counted up by as much.
  const other: usize = neighbours ? (length > 512 ? 512 : 0) : 8;
  const outerStep = neighbours ? 512 + other : block;
  const innerStep: usize = neighbours ? 8 : 16;
  let combined = 0;
  for (let square = 0; square < 64; square++) openSquare(square);
  for (let outer: usize = 0; outer < length; outer += outerStep) {
    for (let first = outer; first < outer + stride; first += innerStep) {
      const starts = gather(source + first, stride, other, FROM);
      if (starts === 0 || gather(wanted + first, stride, other, WANTED) === 0) continue;
      if (kind !== KNIGHT) closeSquares(man, pair, first, other);
      combined += starts > MOST_STARTS && kind !== KNIGHT ? sweep(kind) : follow(kind);
      if (kind !== KNIGHT) openSquares(man, first, other);
      scatter(wanted + first, stride, other);
    }
  }
  return combined;
}

/** Copies 64 words of either way to stand. Returns how many squares have any. */
function gather(set: usize, stride: usize, other: usize, into: usize): i32 {
  let found = 0;
  let at = set;
  for (let i: usize = 0; i < 1024; i += 16) {
    const two = other === 8 ? v128.load(at) : v128.load64_lane(at + other, v128.load64_zero(at), 1);
    v128.store(into + i, two);
    found += v128.any_true(two) as i32;
    at += stride;
  }
  return found;
}

function scatter(set: usize, stride: usize, other: usize): void {
  let at = set;
  for (let i: usize = 0; i < 1024; i += 16) {
    const two = v128.load(WANTED + i);
    if (other === 8) v128.store(at, two);
    else {
      v128.store64_lane(at, two, 0);
      v128.store64_lane(at + other, two, 1);
    }
    at += stride;
  }
}

/** Sweeps all lines. A man may start even where none can pass: on the square of the man that it captured. */
function sweep(kind: i32): i32 {
  let combined = 0;
  for (let direction = firstDirection(kind); direction < endDirection(kind); direction++) {
    const step = stepOf(direction);
    for (let square = 0; square < 64; square++) {
      if (!begins(direction, square)) continue;
      const steps = room(direction, square);
      let at: usize = (square as usize) << 4;
      let moving = v128.load(FROM + at);
      for (let n = steps; n > 0; n--) {
        at += step;
        v128.store(WANTED + at, v128.andnot(v128.load(WANTED + at), moving));
        moving = v128.or(v128.and(moving, v128.load(PASS + at)), v128.load(FROM + at));
      }
      combined += 2 * steps;
    }
  }
  return combined;
}

/** Follows the rays, or the jumps, from each square that men start from. */
function follow(kind: i32): i32 {
  let combined = 0;
  for (let square = 0; square < 64; square++) {
    const start = v128.load(FROM + ((square as usize) << 4));
    if (!v128.any_true(start)) continue;
    for (let direction = firstDirection(kind); direction < endDirection(kind); direction++) {
      const step = stepOf(direction);
      let at: usize = (square as usize) << 4;
      let moving = start;
      for (let n = room(direction, square); n > 0; n--) {
        at += step;
        v128.store(WANTED + at, v128.andnot(v128.load(WANTED + at), moving));
        moving = v128.and(moving, v128.load(PASS + at));
        combined += 2;
      }
    }
  }
  return combined;
}

function openSquare(square: i32): void {
  v128.store(PASS + ((square as usize) << 4), i64x2.splat(~bit(square) as i64));
}

/** Closes the squares where kings stand, and other array men in either way to stand. */
function closeSquares(man: i32, pair: i32, first: usize, other: usize): void {
  const config = (first >> 3) as i32;
  const otherConfig = ((first + other) >> 3) as i32;
  for (let i = 0; i < men; i++) {
    if (i === man || i === wordMan) continue;
    store<u64>(PASS + ((squareIn(config, i) as usize) << 4), 0);
    store<u64>(PASS + ((squareIn(otherConfig, i) as usize) << 4) + 8, 0);
  }
  v128.store(PASS + ((word(PAIR_WHITE, pair) as usize) << 4), i64x2.splat(0));
  v128.store(PASS + ((word(PAIR_BLACK, pair) as usize) << 4), i64x2.splat(0));
}

function openSquares(man: i32, first: usize, other: usize): void {
  const config = (first >> 3) as i32;
  const otherConfig = ((first + other) >> 3) as i32;
  for (let i = 0; i < men; i++) {
    if (i === man || i === wordMan) continue;
    openSquare(squareIn(config, i));
    openSquare(squareIn(otherConfig, i));
  }
}
