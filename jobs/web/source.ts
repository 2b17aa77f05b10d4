/** Where the page has its values from: a server, or tables that lie beside it. */
import type { Metric, Value } from '../../pipeline/game/value.js';
import type { PageOfPositions } from '../positions/answer.js';
import type { PositionsQuery } from '../positions/query.js';
import type {
  EndingAnswer,
  FiledAnswer,
  GameAnswer,
  HistogramAnswer,
  MainLineAnswer,
  MoveAnswer,
  PlanAnswer,
  PositionAnswer,
  PositionsAnswer,
  RootAnswer,
  SolutionsAnswer,
} from '../server/api-answers.js';

/** Positions of an ending by query. */
export interface AskedPositions extends PageOfPositions {
  readonly game: string;
  readonly metric: Metric;
  readonly ending: string;
  readonly query: PositionsQuery;
}

/** A value that positions without a table leave open: `wdl` and `plies` are the worst case for the player, and this is the best. */
interface Bounded {
  readonly most?: Value;
}

export type ValuedMove = MoveAnswer & Bounded;

export interface ValuedPosition extends PositionAnswer, Bounded {
  readonly moves: ValuedMove[];
  /** Letters of the pieces that pawns become, if the values are those of a game with fewer promotions. */
  readonly promotions?: string;
}

/**
 * Every function rejects with an `Error` whose message says in one line what is wrong: with a position, or with what was
 * asked for. Where no answer came at all it is an {@link UnreachableError}; of a position without a value `probe` rejects with a
 * {@link NoValueError}.
 */
export interface TableSource {
  games(): Promise<GameAnswer[]>;
  endings(game: string, metric: Metric): Promise<EndingAnswer[]>;
  /** Endings that Syzygy's files have. */
  files(game: string, metric: Metric): Promise<FiledAnswer[]>;
  histogram(game: string, metric: Metric, ending: string): Promise<HistogramAnswer>;
  positions(asked: AskedPositions): Promise<PositionsAnswer>;
  probe(game: string, metric: Metric, position: string): Promise<ValuedPosition>;
  /** Of a problem, at most `limit`. */
  solutions(game: string, metric: Metric, position: string, limit: number): Promise<SolutionsAnswer>;
  mainLine(game: string, metric: Metric, position: string): Promise<PlayedLine>;
  /** Positions of chess that tables were made for alone. */
  roots(): Promise<readonly RootAnswer[]>;
  /** What tables of one position of chess would take; null where nothing can be solved. */
  plan(position: string): Promise<PlanAnswer | null>;
}

/** Best play to the end. */
export interface PlayedLine extends Pick<MainLineAnswer, 'ruleDrawsAt'> {
  readonly moves: readonly Pick<MoveAnswer, 'uci' | 'san' | 'position'>[];
}

/** A position has no value here: it is illegal, or no table holds it. */
export class NoValueError extends Error {
  constructor(
    readonly kind: 'illegal' | 'unknown',
    message: string,
  ) {
    super(message);
  }
}

/** No answer came: the server is gone, or the network. */
export class UnreachableError extends Error {}
