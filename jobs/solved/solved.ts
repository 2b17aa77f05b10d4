/**
 * One view of anything that is solved: endings of a game (ending.ts), keyed games and graphs (keyed.ts). Commands that look positions up
 * ask it alone, and print what it answers by answer-text.ts, or as JSON by {@link answerJson}.
 */
import type { Side } from '../../pipeline/game/game.js';
import type { Metric } from '../../pipeline/game/stipulation.js';
import type { Wdl } from '../../pipeline/game/value.js';
import type { MetricAnswer, ProbedAnswer, ProbedLine } from '../positions/shapes.js';
import { type SolvedValue, valueJson } from '../positions/value.js';

export interface SolvedMove extends SolvedValue {
  readonly name: string;
  /** In games with two notations, the second. */
  readonly uci?: string;
  /** The position it leads to, as the game writes it. */
  readonly after: string;
  /** That position as the game has it, of endings. */
  readonly board?: unknown;
  /** Whether it leaves the ending, in games with endings. */
  readonly conversion?: boolean;
}

/** What a position is worth under a metric. */
export interface Answer extends SolvedValue {
  readonly metric: Metric;
  /** The slice that has the position, in games with endings. */
  readonly slice?: string;
  /** The name of the root whose tables have the position. */
  readonly root?: string;
  readonly mover: Side;
  /** Nobody is to move, and there are no moves. */
  readonly isOver: boolean;
  /** Best first. */
  readonly moves: readonly SolvedMove[];
  /** Moves without a value, because the tables were made without them: options of a root forbid them. */
  readonly leftOut?: readonly string[];
  /** In problems: the value with the other side to move, if that has a solution. */
  readonly setPlay?: SolvedValue | undefined;
}

/** Under one metric or more: the first orders the moves. */
export type Answers = readonly [Answer, ...Answer[]];

/** Best play from a position, printed. */
export interface SolvedLine {
  readonly text: string;
  readonly json: ProbedLine;
}

/** Opens the tables with the first position that is looked up: what is no position is refused before. */
export interface Solved<Position = unknown> {
  readonly players: readonly [string, string];
  /** How messages call a position. */
  readonly what: string;
  /** The positions in which games begin. @throws UserError, with what to pass instead, if the game has none. */
  starts(): Iterable<Position>;
  /** Throws UserError for text that is no position. */
  parse(text: string): Position;
  format(position: Position): string;
  /** What else identifies the position in JSON. */
  names(position: Position): { readonly id?: string | number };
  /** Ends with a newline. */
  diagram(position: Position): string;
  /** The half-move clock; 0 in games without. */
  clock(position: Position): number;
  /** Throws UserError for a position that is not solved. */
  probe(position: Position): Promise<Answers>;
  /** Best play; of problems all solutions, at most `limit`. */
  line(position: Position, limit?: number): Promise<SolvedLine>;
  /** "White to move: wins in 19 plies (mate in 10)" */
  verdict(position: Position, answer: Answer): string;
  /** The plies of a value in words; empty if it has none. */
  distance(value: SolvedValue, metric: Metric): string;
  /** The hits and misses of caches, where they are counted. */
  caches?(): string;
}

/** The winner of a position with this player to move; null: nobody. */
export function winnerOf({ players }: Pick<Solved, 'players'>, mover: Side, wdl: Wdl): string | null {
  if (wdl === 'win') return players[mover];
  return wdl === 'loss' ? players[1 - mover] : null;
}

/** How positions are written in JSON. */
export type Named<Position> = Pick<Solved<Position>, 'format' | 'names' | 'players'>;

/** `probe --json`: the answer under the first metric, and if there are several, those under each as `metrics`. */
export function answerJson<Position>(
  solved: Named<Position>,
  position: Position,
  [first, ...others]: Answers,
): ProbedAnswer {
  const each = (answer: Answer): MetricAnswer => ({
    ...positionJson(solved, position, answer),
    ...(answer.leftOut !== undefined && { leftOut: [...answer.leftOut] }),
    moves: answer.moves.map(({ name, uci, after, board: _, conversion, ...value }) => ({
      move: name,
      ...(uci !== undefined && { uci, san: name }),
      position: after,
      ...(conversion !== undefined && { conversion }),
      ...valueJson(value, answer.metric),
    })),
  });
  if (others.length === 0) return each(first);
  return {
    ...each(first),
    metrics: Object.fromEntries([first, ...others].map((one) => [one.metric, each(one)])),
  };
}

/** A position and its value, without moves. */
export function positionJson<Position>(
  solved: Named<Position>,
  position: Position,
  answer: Omit<Answer, 'moves'>,
): Omit<MetricAnswer, 'moves'> {
  const { metric, slice, root, mover, isOver, wdl, setPlay } = answer;
  return {
    metric,
    position: solved.format(position),
    ...(slice !== undefined && { slice }),
    ...(root !== undefined && { root }),
    ...solved.names(position),
    mover: solved.players[mover],
    over: isOver,
    // Nobody wins a problem.
    winner: answer.number === undefined ? winnerOf(solved, mover, wdl) : null,
    ...valueJson(answer, metric),
    ...(setPlay !== undefined && { setPlay: valueJson(setPlay, metric) }),
  };
}
