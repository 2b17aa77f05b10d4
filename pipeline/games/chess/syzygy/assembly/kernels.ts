/** The exports of the module: kernels, and addresses of tables. */
export {
  beginSettling,
  countRaw,
  endSettling,
  gatherCells,
  gatherRaw,
  settle,
} from './cells';
export { cellsOfBlock, sortByBlock } from './lookups';
export { BOARD, fileOfBoard, indexOfBoard } from './numbers';
export {
  askCells,
  isBeyond,
  placeBoard,
  placeCells,
  placeQuiet,
  placeValues,
  setPages,
  setSlice,
  takeCells,
  translate,
} from './scatter';
export {
  BINOMIAL,
  CELL_OF,
  FIRST_BUCKET,
  HELD,
  HISTOGRAM,
  INDICES,
  KINGS_OF,
  KINGS_SQUARES,
  MIRROR,
  OUTCOME,
  RANK,
  ROOM,
  ROOM_SQUARE,
  SLICE_BLACK,
  SLICE_COUNT,
  SLICE_LOWEST,
  SLICE_MAN,
  SLICE_STRIDE,
  SLICE_WHITE,
  SYMMETRY,
  TAKEN,
  TRIPLE_OF,
  TRIPLE_SQUARES,
} from './tables';

/** Where the arena begins. */
export function heapBase(): usize {
  return __heap_base;
}
