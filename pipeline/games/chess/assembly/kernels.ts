/** What the module exports: kernels, addresses of tables and buffers. */
export {
  BIAS,
  conversions,
  WITHOUT_COUNT,
  WITHOUT_DEPENDENCY,
  WITHOUT_FLIPPED,
  WITHOUT_GROUPS,
  WITHOUT_MAN,
  WITHOUT_PAIRS,
  WITHOUT_PLACEMENTS,
  WITHOUT_STRIDE,
} from './conversions';
export { moves } from './moves';
export { configure } from './row';
export {
  BEHIND,
  BETWEEN,
  BINOMIAL,
  COUNT,
  COUPLES,
  FIRST,
  GROUP,
  IMAGE,
  KEYS,
  KIND,
  MAJOR,
  MINOR,
  MOBILITY,
  MOST_KEYS,
  MOST_ROWS,
  PAIR_BASE,
  PAIR_BLACK,
  PAIR_DIAGONAL,
  PAIR_OF,
  PAIR_PART,
  PAIR_SYMMETRY,
  PAIR_WHITE,
  ROWS,
  SIDE,
  SOURCE,
  STRIDE,
} from './tables';
export { unmoves } from './unmoves';
