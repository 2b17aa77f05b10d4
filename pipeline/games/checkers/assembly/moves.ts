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
import { beginRows, endRows, putMove, rows, setBias } from './rows';
import { Space } from './space';
import { landings, rankSet, turned, turnedBit } from './squares';
import { findQuiet, indexAfter, quiet, STEPS, unmovedFirst } from './steps';
import { KEYS, KING_STEPS, putWord, SOURCE, THERE, word } from './tables';

/**
 * The quiet moves in the slice, to MINOR, MAJOR and SOURCE. They start from keys[0..count) at KEYS, of the part that
 * begins with index `base`. SOURCE counts the keys from `source`. Stops when more than `room` rows are written, whose
 * number goes to ROWS; returns the number of keys done.
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
  findQuiet();
  if (kings !== 0) movesOfKings(turnedEnemyKings, empty);
  if (men !== 0) movesOfMen(turnedEnemyKings, empty);
}

function movesOfKings(turnedEnemyKings: i32, empty: i32): void {
  const there = changetype<Space>(THERE);
  const free = ~(turnedMen | turnedEnemyMen);
  const base = unmovedFirst + (rankSet(turnedEnemyKings, free) as i64) * there.enemyKingSets;
  const left = free & ~turnedEnemyKings;
  for (let rest = kings; rest !== 0; rest &= rest - 1) {
    const square = ctz(rest);
    const others = turnedKings ^ turnedBit(square);
    for (let steps = word(KING_STEPS, square) & empty; steps !== 0; steps &= steps - 1) {
      putMove(there, base + (rankSet(others | turnedBit(ctz(steps)), left) as i64));
    }
  }
}

function movesOfMen(turnedEnemyKings: i32, empty: i32): void {
  const there = changetype<Space>(THERE);
  for (let step = 0; step < quiet; step++) {
    if ((word(STEPS, step) & empty) !== 0) putMove(there, indexAfter(step, turnedEnemyKings));
  }
}
