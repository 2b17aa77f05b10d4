/** The kernel `conversions`: captures, advances of leading men, and crowning. */
import { CAPTURED_KINGS, CAPTURED_MEN, captures, findCaptures, TAKEN } from './captures';
import { begin, enemyKings, enemyMen, kings, men, read } from './place';
import { beginRows, endRows, indexOf, putConversion, rows, setBias } from './rows';
import { menIndex, Space } from './space';
import { landings, leadingRank, turned } from './squares';
import { advances, FIRST_ADVANCE, findAdvances, indexAfter, STEPS, spaceAfter } from './steps';
import { BIAS, HERE, KEYS, KINDS, putWord, SOURCE, TARGET, TARGETS, word } from './tables';

/** As `moves`, to the spaces at TARGETS with the biases at BIAS. */
export function conversions(base: f64, count: i32, room: i32, source: i32): i32 {
  const start = base as i64;
  begin();
  beginRows();
  let i = 0;
  for (; i < count && rows <= room; i++) {
    read(start + (word(KEYS, i) as u32 as i64));
    const first = rows;
    const enemies = enemyMen | enemyKings;
    const empty = ~(men | kings | enemies);
    if (landings(men, kings, enemies, empty) !== 0) capture(enemies);
    else advance(empty);
    for (let row = first; row < rows; row++) putWord(SOURCE, row, source + i);
  }
  endRows();
  return i;
}

/** The captures of the position that was read. */
export function capture(enemies: i32): void {
  findCaptures(men, kings, enemies);
  for (let c = 0; c < captures; c++) {
    arrive(word(CAPTURED_MEN, c), word(CAPTURED_KINGS, c), word(TAKEN, c));
  }
}

/** The moves of the men on the leading rank. */
export function advance(empty: i32): void {
  findAdvances();
  if (advances === FIRST_ADVANCE) return;
  const moved = turned(enemyKings);
  for (let step = FIRST_ADVANCE; step < advances; step++) {
    if ((word(STEPS, step) & empty) === 0) continue;
    const target = spaceAfter(step);
    setBias(word(BIAS, target.to));
    // Where the other player has no pieces, the game is over; the space of its end has no tables.
    putConversion(target, target.over !== 0 ? 0 : indexAfter(step, moved));
  }
}

/** Emits the position in which the mover has these men and kings and has taken that. */
function arrive(menAfter: i32, kingsAfter: i32, taken: i32): void {
  const here = changetype<Space>(HERE);
  const enemyMenAfter = enemyMen & ~taken;
  const turnedEnemyMen = turned(enemyMenAfter);
  // As `targetNumber` of ../conversions.ts.
  const takenKings = popcnt(taken & enemyKings);
  const takenMen = popcnt(taken & enemyMen);
  const crowned = here.ownMen - popcnt(menAfter);
  const kind = (takenKings * (here.enemyMen + 1) + takenMen) * 2 + crowned;
  const number = (kind * 7 + leadingRank(turnedEnemyMen)) * 7 + leadingRank(menAfter);
  const target = changetype<Space>(TARGETS + (word(KINDS, number) as usize) * TARGET);
  setBias(word(BIAS, target.to));
  if (target.over !== 0) {
    putConversion(target, 0);
    return;
  }
  const turnedMen = turned(menAfter);
  const placement = menIndex(target, turnedEnemyMen, enemyMenAfter, menAfter);
  const kingsThere = turned(enemyKings & ~taken);
  putConversion(
    target,
    indexOf(target, placement, kingsThere, turned(kingsAfter), turnedMen | turnedEnemyMen),
  );
}
