/** The exports of the module: kernels, addresses of buffers, and how much they hold. */
export { census, dontCares } from './census';
export { conversions } from './conversions';
export { moves } from './moves';
export {
  BESTS,
  compareAll,
  EVENTS,
  FRONTIERS,
  LABELLED,
  raiseAll,
  readValues,
  round,
  SPACES,
  STATES,
  settleAll,
  takeRequests,
  writeValues,
} from './resident';
export { describe, describeEnd } from './space';
export {
  allocated,
  BIAS,
  CONVERSIONS,
  COUNTS,
  HERE,
  KEYS,
  KINDS,
  LOST,
  MAJOR,
  MINOR,
  MOST_BIASES,
  MOST_INDICES,
  MOST_KEYS,
  MOST_KINDS,
  MOST_ROWS,
  MOST_TARGETS,
  NARROW_RANKS,
  OPEN,
  OWN_RANKS,
  ROWS,
  SOURCE,
  TARGET,
  TARGETS,
  THERE,
  VALUES,
  WIDE,
  WIDE_RANKS,
} from './tables';
export { unmoves } from './unmoves';
