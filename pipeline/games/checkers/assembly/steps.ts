/**
 * Steps of the mover's men. But for kings that stand in the way they depend on the men alone. So they are found once for all positions
 * with the same men. So is all of the index that they lead to but the part of the kings.
 */
import { enemyMen, men, placements, turnedEnemyMen, turnedKings } from './place';
import { menIndex, Space } from './space';
import { LAST_RANK, leadingRank, rankSet, turned } from './squares';
import { HERE, KINDS, MAN_STEPS, putWord, TARGET, TARGETS, THERE, word } from './tables';

/** Two for each of ten men, twice: first those that stay in the slice, then those of the men on the leading rank. */
const MOST_STEPS: i32 = 20;
/** i32, by step: where it leads; the men after it, and the man that it crowns, as the other player sees them. */
export const STEPS: usize = memory.data(40 * 4, 16);
const MEN_THERE: usize = memory.data(40 * 4, 16);
const CROWNED: usize = memory.data(40 * 4, 16);
/** usize, by step: the space there; and i64: its first index with the men. */
const SPACE: usize = memory.data(40 * 4, 16);
const FIRST: usize = memory.data(40 * 8, 16);

/** Steps that stay in the slice are 0 to `quiet`, those of the leading men `FIRST_ADVANCE` to `advances`. */
export const FIRST_ADVANCE: i32 = MOST_STEPS;
export let quiet: i32 = 0;
export let advances: i32 = FIRST_ADVANCE;
/** The first index of the other side with the same men. */
export let unmovedFirst: i64 = 0;

/** For which men they were found. */
let quietOf: i32 = -1;
let advancesOf: i32 = -1;

/** Finds the steps that stay in the slice. */
export function findQuiet(): void {
  if (quietOf === placements) return;
  quietOf = placements;
  quiet = 0;
  const here = changetype<Space>(HERE);
  const there = changetype<Space>(THERE);
  unmovedFirst = menIndex(there, turnedEnemyMen, enemyMen, men) * there.kings;
  const wanted = ~(men | enemyMen) & (here.following | here.leading);
  for (let rest = men; rest !== 0; rest &= rest - 1) {
    const others = men ^ (rest & -rest);
    for (let steps = word(MAN_STEPS, ctz(rest)) & wanted; steps !== 0; steps &= steps - 1) {
      addStep(quiet++, steps & -steps, others, there);
    }
  }
}

/** Finds the steps of the men on the leading rank. */
export function findAdvances(): void {
  if (advancesOf === placements) return;
  advancesOf = placements;
  advances = FIRST_ADVANCE;
  const here = changetype<Space>(HERE);
  const empty = ~(men | enemyMen);
  for (let rest = men & here.leading; rest !== 0; rest &= rest - 1) {
    const others = men ^ (rest & -rest);
    for (let steps = word(MAN_STEPS, ctz(rest)) & empty; steps !== 0; steps &= steps - 1) {
      const step = steps & -steps;
      const crowns = (step & LAST_RANK) !== 0;
      // As `targetNumber` of ../conversions.ts.
      const leading = leadingRank(crowns ? others : others | step);
      const number = ((crowns as i32) * 7 + leadingRank(turnedEnemyMen)) * 7 + leading;
      addStep(advances++, step, others, changetype<Space>(TARGETS + (word(KINDS, number) as usize) * TARGET));
    }
  }
}

function addStep(number: i32, step: i32, others: i32, space: Space): void {
  const crowns = (step & LAST_RANK) !== 0;
  const menAfter = crowns ? others : others | step;
  putWord(STEPS, number, step);
  putWord(MEN_THERE, number, turned(menAfter) | turnedEnemyMen);
  putWord(CROWNED, number, crowns ? turned(step) : 0);
  putWord(SPACE, number, changetype<usize>(space) as i32);
  store<i64>(
    FIRST + ((number as usize) << 3),
    menIndex(space, turnedEnemyMen, enemyMen, menAfter) * space.kings,
  );
}

export function spaceAfter(number: i32): Space {
  return changetype<Space>(word(SPACE, number) as usize);
}

/** The index that a step leads to. @param moved the other player's kings as that player sees them. */
export function indexAfter(number: i32, moved: i32): i64 {
  const menThere = word(MEN_THERE, number);
  return (
    load<i64>(FIRST + ((number as usize) << 3)) +
    (rankSet(moved, ~menThere) as i64) * spaceAfter(number).enemyKingSets +
    (rankSet(turnedKings | word(CROWNED, number), ~(menThere | moved)) as i64)
  );
}
