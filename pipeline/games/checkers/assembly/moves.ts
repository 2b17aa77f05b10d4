/** The kernel `moves`. */
import {
  begin,
  enemyKings,
  enemyMen,
  kings,
  men,
  read,
  turnedEnemyMen,
  turnedKings,
  turnedMen,
} from './place';
import { beginRows, endRows, put, putKings, rows, setBias } from './rows';
import { menIndex, Space } from './space';
import { landings, rankSet, turned, turnedBit } from './squares';
import { HERE, KEYS, KING_STEPS, MAN_STEPS, putWord, SOURCE, THERE, word } from './tables';

/**
 * The quiet moves in the slice of the keys[0..count) at KEYS of the part that begins with index `base`, to MINOR, MAJOR
 * and SOURCE, which counts the keys from `source`. Stops when more than `room` rows are written, whose number goes to
 * ROWS; returns the number of keys done.
 */
export function moves(base: f64, count: i32, bias: i32, room: i32, source: i32): i32 {
  const start = base as i64;
  begin();
  beginRows();
  setBias(bias);
  let i = 0;
  for (; i < count && rows <= room; i++) {
    read(start + (word(KEYS, i) as u32 as i64));
    const first = rows;
    const enemies = enemyMen | enemyKings;
    const empty = ~(men | kings | enemies);
    if (landings(men, kings, enemies, empty) !== 0) continue;
    quietMoves(empty);
    for (let row = first; row < rows; row++) putWord(SOURCE, row, source + i);
  }
  endRows();
  return i;
}

/** The quiet moves in the slice of the position that was read. */
export function quietMoves(empty: i32): void {
  const turnedEnemyKings = turned(enemyKings);
  if (kings !== 0) movesOfKings(turnedEnemyKings, empty);
  if (men !== 0) movesOfMen(turnedEnemyKings, empty);
}

function movesOfKings(turnedEnemyKings: i32, empty: i32): void {
  const there = changetype<Space>(THERE);
  const free = ~(turnedMen | turnedEnemyMen);
  const base =
    menIndex(there, turnedEnemyMen, enemyMen, men) * there.kings +
    (rankSet(turnedEnemyKings, free) as i64) * there.enemyKingSets;
  const left = free & ~turnedEnemyKings;
  for (let rest = kings; rest !== 0; rest &= rest - 1) {
    const square = ctz(rest);
    const others = turnedKings ^ turnedBit(square);
    for (let steps = word(KING_STEPS, square) & empty; steps !== 0; steps &= steps - 1) {
      put(there, base + (rankSet(others | turnedBit(ctz(steps)), left) as i64));
    }
  }
}

function movesOfMen(turnedEnemyKings: i32, empty: i32): void {
  const there = changetype<Space>(THERE);
  const here = changetype<Space>(HERE);
  const wanted = empty & (here.following | here.leading);
  for (let rest = men; rest !== 0; rest &= rest - 1) {
    const square = ctz(rest);
    const others = men ^ (1 << square);
    const turnedOthers = turnedEnemyMen | (turnedMen ^ turnedBit(square));
    for (let steps = word(MAN_STEPS, square) & wanted; steps !== 0; steps &= steps - 1) {
      const placement = menIndex(there, turnedEnemyMen, enemyMen, others | (steps & -steps));
      putKings(there, placement, turnedEnemyKings, turnedKings, turnedOthers | turnedBit(ctz(steps)));
    }
  }
}
