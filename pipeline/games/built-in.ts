/** The built-in games, with the facts that are needed before they are loaded. */
import type { Game } from '../game/game.js';
import type { Metric } from '../game/value.js';
import { metrics as checkersMetrics } from './checkers/metrics.js';
import { metrics as chessMetrics } from './chess/metrics.js';

export interface BuiltIn {
  readonly metrics: readonly [Metric, ...Metric[]];
  load(): Promise<Game>;
}

/** By name. */
export const builtIn: { readonly [name in 'chess' | 'checkers']: BuiltIn } = {
  chess: {
    metrics: chessMetrics,
    load: async () => (await import('./chess/chess.js')).chess as Game,
  },
  checkers: {
    metrics: checkersMetrics,
    load: async () => (await import('./checkers/checkers.js')).checkers as Game,
  },
};
