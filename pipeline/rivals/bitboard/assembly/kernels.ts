/** Exports of the module: kernels, addresses of tables. */
export {
  BETWEEN,
  KIND,
  MOBILITY,
  PAIR_BLACK,
  PAIR_OF,
  PAIR_SYMMETRY,
  PAIR_WHITE,
  SIDE,
} from '../../../games/chess/assembly/tables';
export { encoded, encodeWords, lastEncoded } from './encode';
export { keepChecks, legalPositions } from './legality';
export { mirror } from './moves';
export { configure, heapBase, SHIFT } from './set-layout';
export { keepStruck, same, some, subtract } from './sets';
export { strike, takeWords } from './strike';
