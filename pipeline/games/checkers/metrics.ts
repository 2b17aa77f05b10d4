import type { Metric } from '../../formats/value.js';

/** The default first. */
export const metrics: readonly [Metric, ...Metric[]] = ['dtw', 'wdl', 'dtc'];
