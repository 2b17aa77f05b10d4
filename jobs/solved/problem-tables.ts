/** The tables that a problem is held against. */
import type { Game } from '../../pipeline/game/game.js';
import type { Prober } from '../../pipeline/tables/probe/probed.js';

export interface ProblemTables {
  /** The one whose slice names the tables have (named-for.ts). */
  readonly game: Game;
  /** Of the stipulation's metric. Of the tables of a root, where unknown positions have no solution. */
  readonly prober: Prober<unknown>;
  /** Of the tables of a root, where unknown positions are the goal, if the value of a position may be another there. */
  readonly most?: Prober<unknown>;
}
