/** Exports of the module: kernels, addresses of tables and buffers. */
export { ALL_CAPTURES, ALL_COUNTS, census, FOUND, MOST_INDICES, OPEN } from './census';
export {
  BIAS,
  CHANGE_OF,
  MOST_BIASES,
  TO_ASSUMED,
  TO_DEPENDENCY,
  TO_FLIPPED,
  TO_GROUPS,
  TO_KINGS,
  TO_PAIRS,
  TO_PLACEMENTS,
  TO_PLACES,
  TO_SLOT,
  TO_STRIDE,
} from './changes';
export { decidedSets } from './decided';
export {
  GROUP_COUNT,
  GROUP_PLACES,
  GROUP_SLOT,
  GROUP_STRIDE,
  KINGS_BLACK,
  KINGS_BOARDS,
  KINGS_IMAGES,
  KINGS_OF,
  KINGS_WHITE,
  PAWN_ATTACKS,
} from './index-tables';
export {
  drain,
  hasMarks,
  heapBase,
  label,
  packCounts,
  placeCounters,
  placeMarks,
  strikeKeys,
  strikeRows,
} from './labels';
export { moves, unmoves } from './moves';
export { countNumbers } from './numbers';
export { MOST_PLACES, PLACES } from './places';
export { configure } from './position';
export { countWrong, positionsCompared, rankCodes } from './rank-codes';
export { placeNumbers, placeRanks } from './rank-rows';
export { completeRanks, conversions, raiseByRows, unassumeSets } from './row-moves';
export { MOST_SETS, MOST_SETS_OF_TWINS, strikeWithin, unmoveRows } from './row-unmoves';
export { leftOut, resetLeftOut, UNLABELLED } from './sets-out';
export {
  BEHIND,
  BETWEEN,
  BINOMIAL,
  COUPLES,
  HIGH,
  HIGH_IN,
  IMAGE,
  KEYS,
  LINES,
  LOW,
  LOW_IN,
  MAJOR,
  MINOR,
  MOBILITY,
  MOST_BEHIND,
  MOST_KEYS,
  MOST_PARTS,
  MOST_ROWS,
  ROWS,
  SOURCE,
} from './tables';
export { keepsRows, TO_COUNT, TO_PLACE, unconvertSets } from './unconversions';
export { placeUnwon, settle, writeSets } from './values';
