/** The moves of a single position of the census, with the runner on a given square. */
import {
  enemyKing,
  king,
  mine,
  OTHER,
  OWN,
  others,
  owns,
  runner,
  runnerKind,
  runnerOwn,
  SIGHT,
  sight,
  sightThroughKing,
  standing,
  theirs,
} from './census-row';
import { findChecks, permitted } from './legality';
import { SQUARES } from './row';
import { BEHIND, bit, KING, MOBILITY, putWord, squaresAt, word } from './tables';

/** Counts of the last position. */
export let moves: i32 = 0;
export let captures: i32 = 0;

/** Counts the moves of the mover's men. */
export function countMen(square: i32): void {
  moves = 0;
  captures = 0;
  const taken = standing | bit(square);
  const prey = runnerOwn ? theirs : theirs | bit(square);
  const free = ~(runnerOwn ? mine | bit(square) : mine);
  const before = word(SQUARES, runner);
  putWord(SQUARES, runner, square);
  findChecks(square, taken);
  putWord(SQUARES, runner, before);
  for (let i = 0; i < owns; i++) {
    const man = word(OWN, i);
    const from = word(SQUARES, man);
    const seen = squaresAt(SIGHT, man) & ~squaresAt(BEHIND, (square << 6) | from);
    add(seen & free & permitted(from, taken), prey);
  }
  if (runnerOwn) add(sight(runnerKind, square) & free & permitted(square, taken), prey);
}

/** Adds the moves of the mover's king. */
export function countKing(square: i32): void {
  const prey = runnerOwn ? theirs : theirs | bit(square);
  let attacked = squaresAt(MOBILITY, (KING << 6) | enemyKing) | mine;
  if (runnerOwn) attacked |= bit(square);
  else attacked |= sightThroughKing(runnerKind, square);
  for (let i = 0; i < others; i++) {
    const man = word(OTHER, i);
    attacked |= squaresAt(SIGHT, man) & ~squaresAt(BEHIND, (square << 6) | word(SQUARES, man));
  }
  add(squaresAt(MOBILITY, (KING << 6) | king) & ~attacked, prey);
}

function add(targets: u64, prey: u64): void {
  moves += popcnt(targets) as i32;
  captures += popcnt(targets & prey) as i32;
}
