/** Values in words and classes of the style. */
import type { Colour } from '../../pipeline/game/game.js';
import { type Metric, stipulations } from '../../pipeline/game/stipulation.js';
import type { Value, Wdl } from '../../pipeline/game/value.js';
import type { Category } from '../../pipeline/tables/probe/verdict.js';
import { keyedVerdict } from '../ui/keyed-text.js';
import { rangeWords } from '../ui/range.js';
import {
  capital,
  isDoubtful,
  metricWords as metricWordsOf,
  outcome as outcomeOf,
  problemBrief,
  problemText,
  verdict,
  type Worded,
} from '../ui/verdict.js';
import type { ShownPosition } from './source.js';

/** What a value is coloured by: a category where the 50-move rule leaves it in doubt. */
export type Shade = Category | Wdl | 'at least a draw' | 'at most a draw' | 'unknown';

/** @param answer the position whose value it is, or that of a move from it. */
export function shadeOf(value: Valued, answer: Pick<ShownPosition, 'metric' | 'position'>): Shade {
  const { wdl, category } = value;
  // Of a problem it matters whether there is a solution, not who is mated.
  if (stipulations[answer.metric].numbers) return isOpen(value) ? 'unknown' : wdl === 'draw' ? 'draw' : 'win';
  if (isOpen(value)) return rangeWords(value) as Shade;
  return category !== undefined && isDoubtful(category, answer.metric, clockOf(answer.position))
    ? category
    : wdl;
}

type Valued = Worded & { readonly most?: Value; readonly score?: number | null };

/** Whether positions without a table leave the outcome open. */
export function isOpen({ wdl, most }: Valued): boolean {
  return most !== undefined && most.wdl !== wdl;
}

/** "cursed-win" */
export function wdlClass(shade: Shade): string {
  return shade.endsWith('a draw') ? 'unknown' : shade.replace(' ', '-');
}

/** verdict.ts must know whether the end of the game is a mate. A store may have no table that counts to it. */
export function ends(game: string): { readonly metrics: readonly [Metric, ...Metric[]] } {
  return { metrics: [game === 'chess' ? 'dtm' : 'dtw'] };
}

/** "White to move: wins in 19 plies (mate in 10)", "Black is mated". */
export function verdictOf(answer: ShownPosition): string {
  const { game, metric, mover, most, promotions, ending } = answer;
  if (ending === '') return keyedVerdict(mover, answer);
  const who = capital(mover);
  const end = endOf(answer);
  if (end === 'lost') return game === 'chess' ? `${who} is mated` : `${who} to move: has lost`;
  if (end === 'drawn') return game === 'chess' ? `Draw: ${who} is stalemated` : 'Draw: the game is over';
  const isTabled = most === undefined || stipulations[metric].numbers;
  const words = isTabled ? tabledWords(answer) : `${who} to move: ${rangeWords(answer)}`;
  return promotions === undefined ? words : `${words}, if pawns become ${[...promotions].join(', ')} only`;
}

/** How the game has ended; null if it has not, or if the metric of a problem does not tell. */
export function endOf({ isOver, metric, wdl, plies }: ShownPosition): 'lost' | 'drawn' | null {
  if (!isOver) return null;
  const { numbers, goal } = stipulations[metric];
  if (!numbers) return wdl === 'loss' ? 'lost' : 'drawn';
  return plies !== 0 ? null : goal === 'mate' ? 'lost' : 'drawn';
}

function tabledWords(answer: ShownPosition): string {
  const { game, metric, mover, position } = answer;
  // Games without words of their own have colours.
  return verdict(answer, metric, mover as Colour, ends(game), clockOf(position));
}

/** The half-move clock of a position of chess; 0 of other games. */
export function clockOf(position: string): number {
  return Number(position.split(' ')[4] ?? 0);
}

/**
 * The outcome for the player who makes a move: "wins in 19 plies (mate in 10)", "draw".
 * @param clock that of the position before the move.
 */
export function outcome(move: Valued, metric: Metric, game: string, clock: number): string {
  if (stipulations[metric].numbers) return afterText(move, metric);
  if (move.most !== undefined) return rangeWords({ ...move, most: move.most });
  return outcomeOf(move, metric, ends(game), clock);
}

/** What a move of a problem leads to: "h#5.5, 2 solutions". */
function afterText({ plies, number, most }: Valued, metric: Metric): string {
  const after = (all: number | null) => (all === null ? null : all - 1);
  const best = most !== undefined && { most: { plies: after(most.plies) } };
  return problemText({ plies: after(plies), number, ...best }, metric);
}

/** The position in which a move is made. */
type Place = Pick<ShownPosition, 'metric' | 'position' | 'plies'>;

/** How distances are given: every ply, or every two of them as a move. */
export type Unit = 'plies' | 'moves';

/** Open outcomes in the room of a move. */
const OPEN: Readonly<Record<string, string>> = { 'at least a draw': '≥ draw', 'at most a draw': '≤ draw' };

/** The same in the room of a move: "h#5.5 · 2" where it begins a solution, else "h#7" or "none". */
function afterBrief({ plies, number }: Valued, { metric, plies: own }: Place): string {
  const after = plies === null ? null : plies - 1;
  return problemBrief({ plies: after, number: plies === own ? number : undefined }, metric);
}

/** "win 19", "win 19–25" where a position without a table may make a difference, "≥ draw", "win 19+" where it may be 20, "win? 19" where the 50-move rule may draw, "draw", "cursed 112"; in moves "win 10" */
export function brief(value: Valued, unit: Unit = 'plies', answer?: Place): string {
  const { wdl, plies, precise, most } = value;
  if (answer !== undefined && stipulations[answer.metric].numbers) return afterBrief(value, answer);
  if (isOpen(value)) return OPEN[rangeWords(value)] ?? 'unknown';
  const isDoubted = answer !== undefined && shadeOf(value, answer).startsWith('maybe');
  const points = value.score == null ? '' : ` ${value.score > 0 ? '+' : ''}${value.score}`;
  const word = wdl.split(' ')[0] + (isDoubted ? '?' : '') + points;
  if (plies === null) return word;
  const counted = (count: number) => (unit === 'plies' ? count : Math.ceil(count / 2));
  if (most !== undefined && most.plies !== null) {
    const [fewest, longest] = [plies, most.plies].sort((a, b) => a - b);
    return `${word} ${counted(fewest)}–${counted(longest)}`;
  }
  const isPaired = precise === false && counted(plies) !== counted(plies + 1);
  return `${word} ${counted(plies)}${isPaired ? '+' : ''}`;
}

export const metricWords = (metric: Metric, game: string): string => metricWordsOf(metric, ends(game));

/** A metric in the room of a button. */
export const METRICS: Readonly<Record<Metric, string>> = {
  wdl: 'Result',
  dtm: 'Mate',
  dtw: 'Win',
  dtc: 'Conversion',
  dtz: '50-move rule',
  dtm50: 'Mate by the clock',
  score: 'Score',
  help: 'Helpmate',
  'help-stalemate': 'Help-stalemate',
  self: 'Selfmate',
  'self-stalemate': 'Self-stalemate',
};
