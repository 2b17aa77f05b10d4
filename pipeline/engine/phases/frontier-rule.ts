/**
 * Frontier rules: which round is joined by positions that are decided outside of the rounds, by conversions or at ends of the play.
 * They come as events under numbers (game/events.ts).
 *
 * - `ply`: event n joins round n, since a win or a loss is as long as it is.
 * - `score`: the ends by the most points are the first frontier. When a round labels nothing, every position from which one
 *   side can force more than the points of the next event is labelled. Only then do those ends join, as event 1, 2, and so on. So
 *   one pass over the edges serves all scores: a position counts down its moves through all events.
 *
 * Rounds that take turns by players need no rule: each request states the side of its predecessor (edges.ts).
 */
import { stipulations } from '../../game/stipulation.js';
import type { Metric } from '../../game/value.js';

export class FrontierRule {
  /** By `score`: the plies of the rounds that an event joined. */
  readonly turned: number[] = [];
  private readonly byScore: boolean;

  /** @param last the number of the last event; 0 if there are none. */
  constructor(
    metric: Metric,
    private readonly last: number,
  ) {
    this.byScore = stipulations[metric].scores;
  }

  /** The event that joins round `ply`, which may hold nothing; null: none. Called once for each round. */
  eventOf(ply: number, wasIdle: boolean): number | null {
    if (!this.byScore) return ply <= this.last ? ply : null;
    if (!wasIdle || this.turned.length === this.last) return null;
    return this.turned.push(ply);
  }

  /** Whether an event is due after round `ply`. */
  isAwaited(ply: number): boolean {
    return (this.byScore ? this.turned.length : ply) < this.last;
  }
}
