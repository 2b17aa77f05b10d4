/** Text of positions of keyed games. */

import type { Wdl } from '../../pipeline/game/value.js';
import type { KeyedRules } from '../../pipeline/games/yours/keyed/keyed-rules.js';
import type { KeyedLine } from '../../pipeline/graph/keyed-line.js';
import type { ProbedPosition } from '../../pipeline/graph/keyed-prober.js';
import { type GraphWords, WORDS } from './graph-words.js';
import { numbered } from './numbered-moves.js';
import { count } from './numbers.js';
import { capital, pliesText } from './verdict.js';

/** The words in which verdicts speak of the moves of a game, or of the edges of a graph. */
export type PlyWords = Pick<GraphWords, 'chooses' | 'ply' | 'plies'>;

/** " by 3", or nothing if the game has no scores. */
function byPoints(score: number | null | undefined): string {
  return score == null ? '' : ` by ${Math.abs(score)}`;
}

/**
 * "White to move: wins by 3 in 7 plies"; where the game is over nobody is to move: "White has lost".
 * @param mover the name of the player to move.
 */
export function keyedVerdict(
  mover: string,
  { wdl, plies, score, isOver }: Omit<Ended, 'mover'>,
  words: PlyWords = WORDS.games,
): string {
  const { chooses } = words;
  const who = capital(mover);
  if (isOver && wdl === 'draw') return 'The game is over: draw';
  if (isOver && !isLater(plies)) return `${who} ${wdl === 'win' ? 'has won' : 'has lost'}${byPoints(score)}`;
  if (wdl === 'draw') return `${who} ${chooses}: draw`;
  const how = plies === null ? '' : ` in ${count(plies, words.ply, words.plies)}`;
  const end = isOver ? ', where its moves are not followed' : '';
  return `${who} ${chooses}: ${wdl === 'win' ? 'wins' : 'loses'}${byPoints(score)}${how}${end}`;
}

/** Whether an end is so many plies away: it is a value of another table. */
function isLater(plies: number | null): boolean {
  return plies !== null && plies > 0;
}

interface Ended extends Pick<ProbedPosition<unknown>, 'mover' | 'plies' | 'isOver'> {
  readonly wdl: Wdl;
  readonly score?: number | null | undefined;
}

/** "White wins in 19 plies" @param distance the plies in words, if not those of games. */
export function winnerText(
  players: readonly [string, string],
  { mover, wdl, plies, score, isOver }: Ended,
  distance = plies === null ? '' : pliesText(plies),
): string {
  if (wdl === 'draw') return 'nobody wins';
  const winner = capital(players[wdl === 'win' ? mover : 1 - mover]);
  if (isOver && !isLater(plies)) return `${winner} has won${byPoints(score)}`;
  return `${winner} wins${byPoints(score)}${distance === '' ? '' : ` in ${distance}`}`;
}

/** The moves of a line that somebody wins, and who does. */
export function bestPlayText(
  { colours }: Pick<KeyedRules, 'colours'>,
  { start: { wdl, mover, score, plies }, steps }: KeyedLine<unknown>,
): string {
  const winner = colours[(wdl === 'win') === (mover === 0) ? 0 : 1];
  const moves = stepsText(colours, steps);
  // The line may lead to an end that is so many plies away.
  const left = (plies ?? 0) - steps.length;
  const more = steps.length > 0 ? 'more ' : '';
  const later = left > 0 ? ` in ${count(left, `${more}ply`, `${more}plies`)}` : '';
  return `${moves}${moves === '' ? '' : ' '}${capital(winner)} wins${byPoints(score)}${later}`;
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
