/**
 * Positions of games with endings, as {@link Solved} answers them, from what a prober of one metric answers: values, lines of best play, solutions
 * of problems. Runs in browsers.
 */
import { UserError } from '../../operators/core/errors.js';
import type { Game, Side } from '../../pipeline/game/game.js';
import { namedFor } from '../../pipeline/game/named-for.js';
import { type Metric, stipulations } from '../../pipeline/game/stipulation.js';
import { shownSlice, sideOf } from '../../pipeline/game/views.js';
import { builtIn } from '../../pipeline/games/built-in.js';
import { type MainLine, mainLine } from '../../pipeline/tables/probe/main-line.js';
import type { Probed, ProbedMove, Prober } from '../../pipeline/tables/probe/prober.js';
import { Solutions } from '../../pipeline/tables/probe/solutions.js';
import { isUnsure, verdictOf } from '../../pipeline/tables/probe/verdict.js';
import type { LineMove, MetricLine, MetricSolutions } from '../positions/shapes.js';
import { type Result, resultOf } from '../ui/game-tags.js';
import { type Answer, positionJson, type Solved } from './solved.js';

/**
 * What a prober says of a position, in problems also with the other side to move, with names of slices as the metric has them. Throws what the
 * prober throws. @param game also one whose slices go by another metric's names.
 */
export async function probedAnswer(game: Game, prober: Prober<unknown>, board: unknown): Promise<Answer> {
  const { metric } = prober;
  const probed = await prober.probe(board);
  const setPlay = stipulations[metric].numbers ? await setPlayOf(game, prober, board) : null;
  return answerOf(game, board, metric, probed, setPlay);
}

/** The value with the other side to move; null if that is not legal, or has no solution. */
async function setPlayOf(
  game: Game,
  prober: Prober<unknown>,
  board: unknown,
): Promise<Probed<unknown> | null> {
  const [men, side] = game.format(board).split(' ');
  let passed: unknown;
  try {
    passed = game.parse(`${men} ${side === 'w' ? 'b' : 'w'} - - 0 1`);
  } catch (error) {
    // The side that would have moved is in check.
    if (error instanceof UserError) return null;
    throw error;
  }
  const probed = await prober.probe(passed);
  return probed.plies === null || probed.plies === 0 ? null : probed;
}

function answerOf(
  game: Game,
  board: unknown,
  metric: Metric,
  probed: Probed<unknown>,
  setPlay: Probed<unknown> | null = null,
): Answer {
  const named = namedFor(game, metric);
  return {
    metric,
    slice: shownSlice(named, game.mover(board), named.locate(board)),
    mover: moverOf(game, board),
    isOver: probed.moves.length === 0,
    ...verdictOf(probed),
    number: probed.number,
    setPlay: setPlay ?? undefined,
    moves: probed.moves.map((move) => ({
      name: move.san,
      ...(hasUci(game) && { uci: move.uci }),
      board: move.board,
      after: game.format(move.board),
      conversion: move.conversion,
      ...verdictOf(move),
      number: move.number,
    })),
  };
}

/** How positions of a game are written in JSON, with their diagrams. */
export function writingOf(game: Game): Pick<Solved, 'diagram' | 'format' | 'names' | 'players'> {
  return {
    players: game.colours,
    format: (board) => game.format(board),
    names: () => ({}),
    diagram: (board) => game.diagram(board),
  };
}

/** Best play, and the same as JSON. @throws UserError under metrics without distances, and what the prober throws. */
export async function endingLine(
  game: Game,
  prober: Prober<unknown>,
  board: unknown,
): Promise<{ readonly best: MainLine<unknown>; readonly json: MetricLine }> {
  const best = await mainLine(game, prober, board);
  const { start, steps, isCut, ruleDrawsAt } = best;
  const { moves: _, ...answer } = answerOf(game, board, prober.metric, start);
  const json = {
    ...positionJson(writingOf(game), board, answer),
    line: movesJson(game, board, steps),
    ruleDrawsAt,
    result: score(best, moverOf(game, board)),
    ...(isCut && { goesOn: 'in Syzygy files' }),
  };
  return { best, json };
}

/** Of a problem, at most `limit`. @throws UserError under metrics without numbers of solutions, and what the prober throws. */
export async function endingSolutions(
  game: Game,
  prober: Prober<unknown>,
  board: unknown,
  limit: number,
): Promise<{ readonly start: Answer; readonly json: MetricSolutions }> {
  const { metric } = prober;
  if (!stipulations[metric].numbers)
    throw new UserError(`metric ${metric} holds no solutions: ask for its main line`);
  const start = await probedAnswer(game, prober, board);
  const lines: LineMove[][] = [];
  let more = false;
  for await (const line of new Solutions(game, prober).lines(board)) {
    more = lines.length === limit;
    if (more) break;
    lines.push(movesJson(game, board, line));
  }
  return { start, json: { ...positionJson(writingOf(game), board, start), lines, more } };
}

/** Moves that follow one another. */
function movesJson(game: Game, from: unknown, steps: readonly ProbedMove<unknown>[]): LineMove[] {
  return steps.map(({ uci, san, board, conversion, restarts }, i) => ({
    move: san,
    ...(hasUci(game) && { uci, san }),
    mover: game.mover(i === 0 ? from : steps[i - 1].board),
    position: game.format(board),
    conversion,
    restarts,
  }));
}

/** The points of the side that begins the game first; "*" where the 50-move rule draws this line, and may not draw a better one. */
function score(line: MainLine<unknown>, mover: Side): Result | '*' {
  return isUnsure(line.start.category) && line.ruleDrawsAt !== null
    ? '*'
    : resultOf(line.result, mover === 0);
}

export function moverOf(game: Game, board: unknown): Side {
  return sideOf(game, game.mover(board), false);
}

/** Other games than those that are built in have one notation. */
function hasUci(game: Game): boolean {
  return Object.hasOwn(builtIn, game.name);
}
