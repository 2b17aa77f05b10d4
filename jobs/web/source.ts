/** Where the page has its values from: a server, or tables that lie beside it. */
import type { Metric, Value } from '../../pipeline/game/value.js';
import type { Category } from '../../pipeline/tables/probe/verdict.js';
import type { Study } from '../notation/study.js';
import type { PageOfPositions } from '../positions/answer.js';
import type { PositionsQuery } from '../positions/query.js';
import type { LineAnswer, PositionsAnswer, SolutionsAnswer } from '../positions/shapes.js';
import type { EndingAnswer, FiledAnswer, HistogramAnswer, PlanAnswer } from '../server/api-answers.js';
import type { CheckedStudy } from '../study/check-study.js';

/** Positions of an ending by query. */
export interface AskedPositions extends PageOfPositions {
  readonly game: string;
  readonly metric: Metric;
  readonly ending: string;
  readonly query: PositionsQuery;
}

/** The value of a position for the side to move, or of a move for the side that makes it. */
export interface ShownValue extends Value {
  readonly precise: boolean;
  /** In games with endings. */
  readonly category?: Category;
  /** Points by which the player wins; null or left out in games without scores. */
  readonly score?: number | null;
  /** Of solutions or best moves, under metrics that have numbers of them. */
  readonly number?: number | undefined;
  /** Where positions without a table leave the value open: `wdl` and `plies` are the worst case for the player, and this is the best. */
  readonly most?: Value;
}

export interface ShownMove extends ShownValue {
  readonly uci: string;
  readonly san: string;
  /** The position after it. */
  readonly position: string;
  /** It leaves the slice. */
  readonly conversion: boolean;
}

/** An answer about a position of an ending, as the page shows it. */
export interface ShownPosition extends ShownValue {
  readonly game: string;
  readonly metric: Metric;
  readonly position: string;
  /** The name of the ending; '' in games without endings. */
  readonly ending: string;
  /** The name of the player to move. */
  readonly mover: string;
  readonly isOver: boolean;
  /** Letters of the pieces that pawns become, if the values are those of a game with fewer promotions. */
  readonly promotions?: string;
  readonly diagram: string;
  /** Best first. */
  readonly moves: readonly ShownMove[];
}

/**
 * Every function rejects with an `Error` whose message says in one line what is wrong: with a position, or with what was
 * asked for. Where no answer came at all it is an {@link UnreachableError}; of a position without a value `probe` rejects with a
 * {@link NoValueError}.
 */
export interface TableSource {
  endings(game: string, metric: Metric): Promise<EndingAnswer[]>;
  /** Endings that Syzygy's files have. */
  files(game: string, metric: Metric): Promise<FiledAnswer[]>;
  histogram(game: string, metric: Metric, ending: string): Promise<HistogramAnswer>;
  positions(asked: AskedPositions, signal?: AbortSignal): Promise<PositionsAnswer>;
  /** Under the first metric that has the position, and under others: all of `metrics` that have it, and any that came with them. */
  probe(game: string, metrics: readonly Metric[], position: string): Promise<readonly ShownPosition[]>;
  /** Of a problem, at most `limit`. */
  solutions(
    game: string,
    metric: Metric,
    position: string,
    limit: number,
    signal?: AbortSignal,
  ): Promise<SolutionsAnswer>;
  mainLine(game: string, metric: Metric, position: string): Promise<Pick<LineAnswer, 'line' | 'ruleDrawsAt'>>;
  /** Holds a study of chess against the tables. @param text that it was read from. */
  check(study: Study, text: string): Promise<CheckedStudy>;
  /** What tables of one position of chess would take; null where nothing can be solved. */
  plan(position: string): Promise<PlanAnswer | null>;
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
