/**
 * Frontier rules: which round is joined by positions that are decided outside of the rounds, by conversions or at ends of the play.
 * They come as events under numbers (game/events.ts).
 *
 * - `ply`: event n joins round n, since a win or a loss is as long as it is. After a round that labelled nothing only an event can label
 *   anything, so the rounds before the next one are not done.
 * - `score`: the ends by the most points are the first frontier. When a round labels nothing, every position from which one
 *   side can force more than the points of the next event is labelled. Only then do those ends join, as event 1, 2, and so on. So
 *   one pass over the edges serves all scores: a position counts down its moves through all events.
 *
 * Rounds that take turns by players need no rule: each request states the side of its predecessor (edges.ts).
 */
import { stipulations } from '../../game/stipulation.js';
import type { Metric } from '../../game/value.js';

export interface NextRound {
  readonly ply: number;
  /** The event that joins it; null: none. */
  readonly event: number | null;
}

export class FrontierRule {
  /** By `score`: the plies of the rounds that an event joined. */
  readonly turned: number[] = [];
  private readonly byScore: boolean;

  /** @param events the numbers of all events, ascending. */
  constructor(
    metric: Metric,
    private readonly events: readonly number[],
  ) {
    this.byScore = stipulations[metric].scores;
  }

  /** The round after that of `ply`; 0: the first. `wasIdle`: that one labelled nothing, and an event is awaited. Called once for each round. */
  next(ply: number, wasIdle: boolean): NextRound {
    const { byScore, events, turned } = this;
    if (byScore) return { ply: ply + 1, event: wasIdle ? events[turned.push(ply + 1) - 1] : null };
    const event = events.find((each) => each > ply) ?? null;
    return wasIdle && event !== null
      ? { ply: event, event }
      : { ply: ply + 1, event: event === ply + 1 ? event : null };
  }

  /** Whether an event is due after round `ply`. */
  isAwaited(ply: number): boolean {
    const { byScore, events, turned } = this;
    return byScore ? turned.length < events.length : (events.at(-1) ?? 0) > ply;
  }
}
