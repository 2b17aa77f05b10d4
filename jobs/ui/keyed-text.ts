/** Text and JSON of positions of keyed games. */

import type { Metric } from '../../pipeline/game/value.js';
import type { KeyedRules } from '../../pipeline/games/keyed/keyed-rules.js';
import type { KeyedLine } from '../../pipeline/graph/keyed-line.js';
import type { ProbedPosition } from '../../pipeline/graph/keyed-prober.js';
import type { KeyedValue } from '../../pipeline/graph/keyed-value.js';
import { numbered } from './numbered-moves.js';
import { textTable } from './text-table.js';
import { capital, distance } from './verdict.js';

/** Metrics of a game without mates, for the same words as `mergemate probe` has for other games. */
const NO_MATES = { metrics: ['dtw', 'wdl'] } as const;

export function probedPositionText<Position>(
  game: KeyedRules<Position>,
  position: Position,
  probed: ProbedPosition<Position>,
): string {
  const { moves } = probed;
  const hasScore = probed.score !== null;
  const rows = moves.map(({ name, wdl, plies, score }) => [
    ...[name, wdl, ...(hasScore ? [signed(score ?? 0)] : [])],
    distance({ plies }, 'dtw', NO_MATES) || '-',
  ]);
  const heads = ['move', 'value', ...(hasScore ? ['score'] : []), 'distance'];
  const table = rows.length === 0 ? 'no legal moves\n' : textTable(heads, rows);
  return `${game.diagram(position)}\n${keyedVerdict(game.colours, probed)}\n\n${table}`;
}

/** "+3", "0", "-3". */
export function signed(score: number): string {
  return score > 0 ? `+${score}` : String(score);
}

/** " by 3", or nothing if the game has no scores. */
function byPoints(score: number | null): string {
  return score === null ? '' : ` by ${Math.abs(score)}`;
}

/**
 * "White to move: wins by 3 in 7 plies"; where the game is over nobody is to move: "White has lost".
 * @param chooses says of a player that the next move is that player's.
 */
export function keyedVerdict(
  colours: readonly [string, string],
  { mover, wdl, plies, score, isOver }: ProbedPosition<unknown>,
  chooses = 'to move',
): string {
  const who = capital(colours[mover]);
  if (isOver && wdl === 'draw') return 'The game is over: draw';
  if (isOver) return `${who} ${wdl === 'win' ? 'has won' : 'has lost'}${byPoints(score)}`;
  if (wdl === 'draw') return `${who} ${chooses}: draw`;
  const how = plies === null ? '' : ` in ${distance({ plies }, 'dtw', NO_MATES)}`;
  return `${who} ${chooses}: ${wdl === 'win' ? 'wins' : 'loses'}${byPoints(score)}${how}`;
}

export function probedPositionJson<Position>(
  game: KeyedRules<Position>,
  position: Position,
  { mover, isOver, wdl, plies, score, moves }: ProbedPosition<Position>,
): object {
  return {
    position: game.format(position),
    key: String(game.keyOf(position)),
    mover: game.colours[mover],
    over: isOver,
    ...valueJson({ wdl, plies, score }),
    moves: moves.map(({ name, after, ...value }) => ({
      move: name,
      name,
      after: game.format(after),
      ...valueJson(value),
    })),
  };
}

/** "POSITION: White wins in 19 plies". Ends with a newline. */
export function rootLine<Position>(
  game: KeyedRules<Position>,
  root: Position,
  probed: Omit<ProbedPosition<Position>, 'moves'>,
): string {
  return `${game.format(root)}: ${winnerText(game, probed)}\n`;
}

export function rootJson<Position>(
  game: KeyedRules<Position>,
  root: Position,
  { mover, ...value }: Omit<ProbedPosition<Position>, 'moves'>,
): object {
  return {
    position: game.format(root),
    key: String(game.keyOf(root)),
    mover: game.colours[mover],
    ...valueJson(value),
  };
}

/** A score is printed if the game has any. */
function valueJson({ wdl, plies, score }: KeyedValue): object {
  return { wdl, plies, ...(score === null ? {} : { score }) };
}

function winnerText(
  { colours }: Pick<KeyedRules, 'colours'>,
  { mover, wdl, plies, score, isOver }: Omit<ProbedPosition<unknown>, 'moves'>,
): string {
  if (wdl === 'draw') return 'nobody wins';
  const winner = capital(colours[(wdl === 'win') === (mover === 0) ? 0 : 1]);
  if (isOver) return `${winner} has won${byPoints(score)}`;
  return `${winner} wins${byPoints(score)}${plies === null ? '' : ` in ${distance({ plies }, 'dtw', NO_MATES)}`}`;
}

export function keyedLineText<Position>(
  game: KeyedRules<Position>,
  position: Position,
  { start, steps }: KeyedLine<Position>,
): string {
  const head = `${game.diagram(position)}\n${keyedVerdict(game.colours, start)}\n`;
  if (start.wdl === 'draw') return `${head}\nA drawn position has no main line.\n`;
  return `${head}\n${bestPlayText(game, { start, steps })}\n`;
}

/** The moves of a line that somebody wins, and who does. */
export function bestPlayText(
  { colours }: Pick<KeyedRules, 'colours'>,
  { start: { wdl, mover, score }, steps }: KeyedLine<unknown>,
): string {
  const winner = colours[(wdl === 'win') === (mover === 0) ? 0 : 1];
  const moves = stepsText(colours, steps);
  return `${moves}${moves === '' ? '' : ' '}${capital(winner)} wins${byPoints(score)}`;
}

/** Moves with numbers if the players take turns, else with the names of players. */
export function stepsText(colours: readonly [string, string], steps: KeyedLine<unknown>['steps']): string {
  const takesTurns = steps.every(({ mover }, i) => i === 0 || mover !== steps[i - 1].mover);
  if (takesTurns)
    return numbered(
      steps.map(({ name }) => name),
      steps[0]?.mover ?? 0,
    );
  return steps
    .map(({ name, mover }, i) =>
      mover === steps[i - 1]?.mover ? `, ${name}` : ` ${capital(colours[mover])}: ${name}`,
    )
    .join('')
    .trim();
}

export function keyedLineJson<Position>(
  game: KeyedRules<Position>,
  position: Position,
  { start, steps }: KeyedLine<Position>,
  metric: Metric,
): object {
  return {
    position: game.format(position),
    metric,
    mover: game.colours[start.mover],
    ...valueJson(start),
    line: steps.map(({ name, mover, after }) => ({
      name,
      mover: game.colours[mover],
      after: game.format(after),
    })),
  };
}
