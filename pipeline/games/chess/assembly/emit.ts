/** Rows of a position of the prepared row. All functions write from row n on and return the row after the last. */
import {
  digitOf,
  pairBase,
  plainSteps,
  RANKS,
  SQUARES,
  STEP_BASE,
  STEP_PART,
  STEP_SYMMETRY,
  STEP_TARGET,
  steps,
} from './row';
import { COUNT, GROUP, image, MAJOR, MINOR, putWord, REFLECTION, STRIDE, word } from './tables';

/** A fixed man of the mover goes to each of the targets; the kings are not both on the diagonal. */
export function emitMan(man: i32, key: i32, targets: u64, n: i32): i32 {
  const group = word(GROUP, man);
  const stride = word(STRIDE, group);
  const square = word(SQUARES, man);
  if (word(COUNT, group) === 1) {
    const base = key - square * stride;
    for (; targets; targets &= targets - 1) putWord(MINOR, n++, base + (ctz(targets) as i32) * stride);
  } else {
    const base = key - digitOf(man, square) * stride;
    for (; targets; targets &= targets - 1) {
      putWord(MINOR, n++, base + digitOf(man, ctz(targets) as i32) * stride);
    }
  }
  return n;
}

/** As `emitMan` for the last man: its square is the key's last digit. */
export function emitLast(square: i32, key: i32, targets: u64, n: i32): i32 {
  const base = key - square;
  for (; targets; targets &= targets - 1) putWord(MINOR, n++, base + (ctz(targets) as i32));
  return n;
}

/** Key of the reflected position, both kings being on the diagonal. */
export function reflectedKey(last: i32): i32 {
  return pairBase + word(RANKS, REFLECTION) + image(last, REFLECTION);
}

/**
 * Any man of the mover goes to each of the targets. As both kings are on the diagonal, the lesser of the key and the
 * reflected key is canonical. With `twice` a position that is its own reflection is emitted twice.
 */
export function emitMirrored(
  man: i32,
  square: i32,
  key: i32,
  reflected: i32,
  targets: u64,
  twice: bool,
  n: i32,
): i32 {
  const stride = word(STRIDE, word(GROUP, man));
  const base = key - digitOf(man, square) * stride;
  const mirror = 8 + man;
  const reflectedBase = reflected - digitOf(mirror, image(square, REFLECTION)) * stride;
  for (; targets; targets &= targets - 1) {
    const target = ctz(targets) as i32;
    const plain = base + digitOf(man, target) * stride;
    const other = reflectedBase + digitOf(mirror, image(target, REFLECTION)) * stride;
    putWord(MINOR, n++, min(plain, other));
    if (twice && plain === other) putWord(MINOR, n++, plain);
  }
  return n;
}

/** The king of the mover goes wherever it may but to the forbidden squares; `twice` as in `emitMirrored`. */
export function emitKing(last: i32, forbidden: u64, bias: i32, twice: bool, n: i32): i32 {
  let i = 0;
  for (; i < plainSteps; i++) {
    putWord(MINOR, n, stepKey(i, last, word(STEP_SYMMETRY, i)));
    putWord(MAJOR, n, bias + word(STEP_PART, i));
    n += (((forbidden >> (word(STEP_TARGET, i) as u64)) & 1) ^ 1) as i32;
  }
  for (; i < steps; i++) {
    if ((forbidden >> (word(STEP_TARGET, i) as u64)) & 1) continue;
    const symmetry = word(STEP_SYMMETRY, i);
    const plain = stepKey(i, last, symmetry);
    const other = stepKey(i, last, symmetry ^ REFLECTION);
    putWord(MINOR, n, min(plain, other));
    putWord(MAJOR, n++, bias + word(STEP_PART, i));
    if (twice && plain === other) {
      putWord(MINOR, n, plain);
      putWord(MAJOR, n++, bias + word(STEP_PART, i));
    }
  }
  return n;
}

/** Key after a step of the king, with the men moved by a symmetry. */
function stepKey(step: i32, last: i32, symmetry: i32): i32 {
  return word(STEP_BASE, step) + word(RANKS, symmetry) + image(last, symmetry);
}
