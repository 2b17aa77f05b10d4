/** Verdicts in words: the same on the command line, in reports and on the page. */

import type { Colour, Game } from '../../pipeline/game/game.js';
import { labellingOf, MOST_NUMBER } from '../../pipeline/game/labelling.js';
import { isDirectMate, stipulations } from '../../pipeline/game/stipulation.js';
import { type Metric, RULE_PLIES, type Value, type Wdl } from '../../pipeline/game/value.js';
import { type Category, isUnsure } from '../../pipeline/tables/probe/verdict.js';
import { count } from './numbers.js';
import { stipulationText } from './problem-notation.js';

/** A value to be put into words. Without a category, it is one that no rule changes any more. */
export interface Worded extends Value {
  /** Of solutions or best moves, under metrics that have numbers. */
  readonly number?: number | undefined;
  readonly category?: Category;
  readonly precise?: boolean | undefined;
}

/** Whether the end of a game is a mate. */
export function hasMates({ metrics }: Pick<Game, 'metrics'>): boolean {
  return metrics.some(isDirectMate);
}

/** What the values of a metric are. */
export function metricWords(metric: Metric, game: Pick<Game, 'metrics'>): string {
  const end = hasMates(game) ? 'mate' : 'the end of the game';
  const words: Readonly<Record<Metric, string>> = {
    wdl: 'wins, draws and losses, without distances',
    dtm: 'plies to mate',
    dtw: 'plies to the end of the game',
    dtc: `plies to ${end} or to a move that leaves the ending`,
    dtz: 'plies to mate, a capture or a move of a pawn, with the 50-move rule',
    dtm50: 'plies to mate under the 50-move rule, for every half-move clock',
    score: 'points, and plies to the end of the game',
    help: 'helpmates: plies to mate of Black, by moves of both sides, and the number of shortest solutions',
    'help-stalemate':
      'plies to stalemate of Black, by moves of both sides, and the number of shortest solutions',
    self: 'selfmates: plies in which White forces Black to mate White, and the number of best moves',
    'self-stalemate': 'plies in which White forces Black to stalemate White, and the number of best moves',
  };
  return words[metric];
}

/** The outcomes of problems in data: there is a solution, or none. Both sides may work for it, so that nobody wins or loses. */
export const PROBLEM_OUTCOMES = ['solved', 'no solution'] as const;

export function problemOutcome(wdl: Wdl): (typeof PROBLEM_OUTCOMES)[number] {
  return PROBLEM_OUTCOMES[wdl === 'draw' ? 1 : 0];
}

/** The outcome of a value in data. @param isProblem of a metric that has numbers of solutions. */
export function outcomeWord(wdl: Wdl, isProblem: boolean): Wdl | (typeof PROBLEM_OUTCOMES)[number] {
  return isProblem ? problemOutcome(wdl) : wdl;
}

/** "1 ply", "69 plies" */
export function pliesText(plies: number): string {
  return count(plies, 'ply', 'plies');
}

/**
 * "69 plies (mate in 35)", "46 or 47 plies (mate or zeroing move in 23 or 24)", "1 ply (mate)": the words of a number of plies under a
 * metric. Of one ply it is said once.
 */
export function distance(
  { plies, precise }: Pick<Worded, 'plies' | 'precise'>,
  metric: Metric,
  game: Pick<Game, 'metrics'>,
): string {
  if (plies === null) return '';
  const isOpen = precise === false;
  const either = (of: (count: number) => number) =>
    isOpen && of(plies) !== of(plies + 1) ? `${of(plies)} or ${of(plies + 1)}` : String(of(plies));
  const counted = isOpen ? `${plies} or ${pliesText(plies + 1)}` : pliesText(plies);
  const inMoves = plies === 1 && !isOpen ? '' : ` in ${either((count) => Math.ceil(count / 2))}`;
  if (isDirectMate(metric)) return `${counted} (mate${inMoves})`;
  const { restartsAt } = stipulations[metric];
  if (restartsAt === null) return counted;
  if (restartsAt === 'zeroing move') return `${counted} (mate or zeroing move${inMoves})`;
  return hasMates(game)
    ? `${counted} (mate or conversion${inMoves})`
    : `${counted} (to the end or a conversion)`;
}

type Problem = Pick<Worded, 'plies' | 'number'> & {
  /** If unknown positions are the goal. Absent where that is the same. */
  readonly most?: Pick<Value, 'plies'> | undefined;
};

/**
 * "h#6, 3 solutions", "s#3, 1 first move", "no solution"; "mate" where the goal is reached. Where unknown positions can be reached: "h#3, 2 or more
 * solutions", "h#2.5 to h#4", "h#3 or longer, or no solution".
 */
export function problemText({ plies, number, most }: Problem, metric: Metric): string {
  const fewest = most === undefined ? plies : most.plies;
  const text = (count: number) => (count === 0 ? stipulations[metric].goal : stipulationText(metric, count));
  if (fewest === null) return 'no solution';
  if (plies === null) return `${text(fewest)} or longer, or no solution`;
  if (fewest !== plies) return `${text(fewest)} to ${text(plies)}`;
  const isCounted = plies > 0 && number !== undefined && number > 0;
  return text(plies) + (isCounted ? `, ${numberText(number, metric, most !== undefined)}` : '');
}

/** The same in little room: "h#6 · 3", "h#4 · 255+", "h#4" without a number, "none". */
export function problemBrief({ plies, number = 0 }: Omit<Problem, 'most'>, metric: Metric): string {
  if (plies === null) return 'none';
  const isCounted = plies > 0 && number > 0;
  return (
    problemText({ plies }, metric) + (isCounted ? ` · ${number}${number >= MOST_NUMBER ? '+' : ''}` : '')
  );
}

/** "1 solution", "255 or more solutions", "2 first moves" where best moves are counted. @param isLeast whether there may be more. */
export function numberText(number: number, metric: Metric, isLeast = false): string {
  const [one, many] = solutionWords(metric);
  return isLeast || number >= MOST_NUMBER ? `${number} or more ${many}` : count(number, one, many);
}

/** What the numbers of a metric count. */
export function solutionWords(metric: Metric): readonly [one: string, many: string] {
  return labellingOf(metric).numbering === 'solutions'
    ? ['solution', 'solutions']
    : ['first move', 'first moves'];
}

/** Meaning of cursed wins and blessed losses. */
export const BY_THE_RULE = 'a draw by the 50-move rule';

/**
 * "wins in 19 plies (mate in 10)", "draw", "cursed win in 47 plies (…): a draw by the 50-move rule": the outcome for the side to move, or of
 * a move for the side that makes it.
 * @param clock the half-move clock of the position.
 */
export function outcome(value: Worded, metric: Metric, game: Pick<Game, 'metrics'>, clock = 0): string {
  const { wdl, plies, category } = value;
  if (stipulations[metric].numbers) return problemText(value, metric);
  if (wdl === 'draw') return 'draw';
  const how = plies === null ? '' : ` in ${distance(value, metric, game)}`;
  const does = wdl === 'win' ? 'wins' : wdl === 'loss' ? 'loses' : wdl;
  return does + how + ruleWords(wdl, category, metric, clock);
}

function ruleWords(wdl: Value['wdl'], category: Category | undefined, metric: Metric, clock: number): string {
  if (wdl === 'cursed win' || wdl === 'blessed loss')
    return `: ${BY_THE_RULE}${clock > 0 ? `, with the half-move clock at ${clock}` : ''}`;
  if (!isDoubtful(category, metric, clock)) return '';
  const left = `: the half-move clock at ${clock} leaves ${pliesText(Math.max(0, RULE_PLIES - clock))}`;
  return `; not sure under the 50-move rule${clock > 0 ? left : ''}`;
}

/**
 * Whether texts mention that the 50-move rule may turn a win or loss into a draw. With the clock at 0, a metric without plies, or whose
 * count restarts at conversions, leaves that open for every position, and it would say nothing of this one.
 */
export function isDoubtful(category: Category | undefined, metric: Metric, clock: number): boolean {
  if (category === undefined || !isUnsure(category)) return false;
  const { plies, restartsAt } = stipulations[metric];
  return clock > 0 || (plies && restartsAt !== 'conversion');
}

/** The verdict on a position for the side to move. `clock`: its half-move clock. */
export function verdict(
  value: Worded,
  metric: Metric,
  mover: Colour,
  game: Pick<Game, 'metrics'>,
  clock = 0,
): string {
  const who = `${capital(mover)} to move`;
  if (stipulations[metric].numbers) return `${who}: ${problemText(value, metric)}`;
  if (value.plies === 0 && value.wdl === 'loss') return `${who}: ${hasMates(game) ? 'is mated' : 'has lost'}`;
  return `${who}: ${outcome(value, metric, game, clock)}`;
}

/** "White", "Black": words with a capital letter. */
export function capital(words: string): string {
  const first = words.charAt(0).toUpperCase();
  // Some letters have none of their own: that of "ß" is "SS".
  return first.length === 1 ? first + words.slice(1) : words;
}
