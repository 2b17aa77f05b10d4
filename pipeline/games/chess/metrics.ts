import type { Metric } from '../../game/value.js';

/** The default first. */
export const metrics: readonly [Metric, ...Metric[]] = [
  'dtm',
  'dtc',
  'dtz',
  'dtm50',
  'wdl',
  'help',
  'help-stalemate',
  'self',
  'self-stalemate',
];
