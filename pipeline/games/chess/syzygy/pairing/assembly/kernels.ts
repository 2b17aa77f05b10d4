/** The exports of the module: kernels, and addresses of tables. Threads share the memory by turns, so it is imported. */
export { closeGaps, listPairs, pairedFirst, pairedSecond, replaceBest, setPairLists } from './pair-lists';
export {
  addReplacement,
  carries,
  clearReplacements,
  countPairs,
  greatestCount,
  pairsFrom,
  replacePairs,
  setPairing,
} from './pairs';
export { CARRIES, IS_FIRST, IS_SECOND, LENGTH } from './tables';

/** Where the arena begins. */
export function heapBase(): usize {
  return __heap_base;
}
