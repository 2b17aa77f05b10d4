/** The kernel `unmoves`. */
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
import { beginRows, endRows, putKings, rows, setBias } from './rows';
import { menIndex, Space } from './space';
import { backOrigins, landings, menOrigins, turned } from './squares';
import { BACK_STEPS, KEYS, KING_STEPS, THERE, word } from './tables';

/** As `moves`, but the predecessors, and without SOURCE. */
export function unmoves(base: f64, count: i32, bias: i32, room: i32): i32 {
  const start = base as i64;
  begin();
  beginRows();
  setBias(bias);
  let i = 0;
  for (; i < count && rows <= room; i++) {
    read(start + (word(KEYS, i) as u32 as i64));
    quietUnmoves();
  }
  endRows();
  return i;
}

/** The quiet unmoves in the slice of the position that was read. */
export function quietUnmoves(): void {
  const empty = ~turned(men | kings | enemyMen | enemyKings);
  const moved = turned(enemyKings);
  if (moved !== 0) unmovesOfKings(moved, empty);
  if (turnedEnemyMen !== 0) unmovesOfMen(moved, empty);
}

/**
 * Those of `steps`, where a piece may have come from, with which the player had nothing to capture before. There were
 * no jumps of others (`jumps`: where they land if the square is empty) but onto that square, and none from it
 * (`origins`).
 */
function withoutCapture(steps: i32, jumps: i32, origins: i32): i32 {
  if (jumps === 0) return steps & ~origins;
  return (jumps & (jumps - 1)) === 0 ? steps & jumps & ~origins : 0;
}

/** All is seen by the player who moved here. */
function unmovesOfKings(moved: i32, empty: i32): void {
  const there = changetype<Space>(THERE);
  const enemies = turnedMen | turnedKings;
  const placement = menIndex(there, turnedEnemyMen, enemyMen, men);
  for (let rest = moved; rest !== 0; rest &= rest - 1) {
    const bit = rest & -rest;
    const others = moved ^ bit;
    const without = empty | bit;
    const origins = menOrigins(enemies, without) | backOrigins(enemies, without);
    const jumps = landings(turnedEnemyMen, others, enemies, without);
    let steps = withoutCapture(word(KING_STEPS, ctz(rest)) & empty, jumps, origins);
    for (; steps !== 0; steps &= steps - 1) {
      putKings(there, placement, others | (steps & -steps), turnedKings, turnedEnemyMen | turnedMen);
    }
  }
}

function unmovesOfMen(moved: i32, empty: i32): void {
  const there = changetype<Space>(THERE);
  const enemies = turnedMen | turnedKings;
  for (let rest = turnedEnemyMen; rest !== 0; rest &= rest - 1) {
    const bit = rest & -rest;
    const others = turnedEnemyMen ^ bit;
    let steps = word(BACK_STEPS, ctz(rest)) & empty;
    if ((others & there.leading) === 0) steps &= there.leading;
    if (steps === 0) continue;
    const without = empty | bit;
    const jumps = landings(others, moved, enemies, without);
    steps = withoutCapture(steps, jumps, menOrigins(enemies, without));
    for (; steps !== 0; steps &= steps - 1) {
      const before = others | (steps & -steps);
      const placement = menIndex(there, before, turned(before), men);
      putKings(there, placement, moved, turnedKings, before | turnedMen);
    }
  }
}
