/**
 * The order in which passes over a slice read positions: in runs of indices that follow each other. What positions
 * lead to is seen by the other player, whose kings are the digit before the last there and the last one here. So a
 * run has few sets of the other player's kings, and the next run the same with the next set of the mover's. Values
 * that are looked up lie close together.
 */
import { read, readNext } from './place';
import { Space } from './space';
import { HERE, MOST_INDICES } from './tables';

/** Sets of the other player's kings of a run; if there are no more, runs are longer. */
const SETS_OF_RUN: i32 = 32;

/** The first index of the run, and how many there are. */
export let runFirst: i32 = 0;
export let runCount: i32 = 0;

let size: i32 = 0;
/** Positions with the same men; of these, positions with the same kings of the mover. */
let block: i32 = 0;
let sets: i32 = 0;
/** Where the block begins, and the first of the sets in it that the run has. */
let blockFirst: i32 = 0;
let setFirst: i32 = 0;

export function beginRuns(positions: i32): void {
  const here = changetype<Space>(HERE);
  size = positions;
  sets = here.enemyKingSets as i32;
  block = here.kings as i32;
  if (sets <= SETS_OF_RUN) {
    sets = MOST_INDICES;
    block = MOST_INDICES;
  }
  blockFirst = setFirst = runFirst = runCount = 0;
}

/** Turns to the next run; false if there is none. */
export function nextRun(): bool {
  if (runCount !== 0) runFirst += sets;
  if (runFirst >= blockFirst + block) {
    setFirst += SETS_OF_RUN;
    if (setFirst >= sets || block === sets) {
      setFirst = 0;
      blockFirst += block;
    }
    runFirst = blockFirst + setFirst;
  }
  if (runFirst >= size) return false;
  runCount = block === sets ? min(sets, size - runFirst) : min(SETS_OF_RUN, sets - setFirst);
  return true;
}

/** Reads position i of the run; all of them, ascending. */
export function readInRun(i: i32): void {
  if (i === 0) read(runFirst as i64);
  else readNext((runFirst + i) as i64);
}
