/** Scores of moves as UCI writes them, for the player who makes them. */
import { isDirectMate, stipulations } from '../../pipeline/game/stipulation.js';
import { type Metric, outcomeRank } from '../../pipeline/game/value.js';
import type { SolvedValue } from '../positions/value.js';
import type { Settings } from './options.js';

/** Without a mate, in centipawns: a win by tables, less its plies; a win that the 50-move rule makes a draw. */
const WON = 20_000;
const CURSED = 1;

/** "mate 3", "cp 19990", with UCI_ShowWDL "mate 3 wdl 1000 0 0"; of bounds "cp 0 wdl 500 500 0 lowerbound", in Stockfish's order. */
export function scoreText(
  move: SolvedValue,
  metric: Metric,
  settings: Pick<Settings, 'showWdl' | 'rule50'>,
): string {
  const [score, bound] = move.most === undefined ? [scoreOf(move, metric, settings.rule50)] : boundOf(move);
  const shown = settings.showWdl ? ` wdl ${chances(move, settings.rule50)}` : '';
  return `${score}${shown}${bound === undefined ? '' : ` ${bound}`}`;
}

/** Only tables of mates give the number of moves to the mate, and only for the rules of chess. */
function scoreOf({ wdl, plies, category, promotions }: SolvedValue, metric: Metric, rule50: boolean): string {
  if (wdl === 'draw') return 'cp 0';
  const wins = wdl === 'win' || wdl === 'cursed win';
  const isCursed = wdl === 'cursed win' || wdl === 'blessed loss';
  if (isCursed && rule50) return `cp ${wins ? CURSED : -CURSED}`;
  const sign = wins ? 1 : -1;
  const isMate = isDirectMate(metric) && plies !== null && promotions === undefined;
  const ignoresRule = stipulations[metric].rule50 === 'ignored';
  if (isMate && (category === 'win' || category === 'loss' || ignoresRule))
    return `mate ${sign * Math.ceil(plies / 2)}`;
  return `cp ${sign * (WON - (plies ?? 0))}`;
}

const DRAW = outcomeRank({ wdl: 'draw' });

/** The score of a move with a worst and a best case. Where it may be anything from a loss to a win, 0: a program would resign at a loss. */
function boundOf({ wdl, plies, most }: SolvedValue): [score: string, bound?: 'lowerbound' | 'upperbound'] {
  const [least, greatest] = [outcomeRank({ wdl }), outcomeRank(most!)];
  if (least > DRAW) return [`cp ${WON - (plies ?? 0)}`, 'lowerbound'];
  if (greatest < DRAW) return [`cp ${(plies ?? 0) - WON}`, 'lowerbound'];
  if (least === DRAW) return ['cp 0', 'lowerbound'];
  return greatest === DRAW ? ['cp 0', 'upperbound'] : ['cp 0'];
}

/** Chances of a win, a draw and a loss in thousandths: equal ones for all that a value leaves open. */
function chances(value: SolvedValue, rule50: boolean): string {
  const possible = new Set([...outcomesOf(value, rule50), ...spanned(value)]);
  const share = Math.floor(1000 / possible.size);
  const all = (['win', 'draw', 'loss'] as const).map((each) => (possible.has(each) ? share : 0));
  // What the division leaves.
  all[possible.has('draw') ? 1 : 0] += 1000 % possible.size;
  return all.join(' ');
}

/** What lies between the worst and the best case. */
function spanned({ wdl, most }: SolvedValue): Outcome[] {
  if (most === undefined) return [];
  const ends = [...outcomesOf({ wdl }, false), ...outcomesOf(most, false)];
  return ends[0] === 'loss' && ends[1] === 'win' ? [...ends, 'draw'] : ends;
}

type Outcome = 'win' | 'draw' | 'loss';

/** Where the values do not decide whether the 50-move rule takes a win away, both. */
function outcomesOf({ wdl, category }: Pick<SolvedValue, 'wdl' | 'category'>, rule50: boolean): Outcome[] {
  if (wdl === 'draw' || (rule50 && wdl !== 'win' && wdl !== 'loss')) return ['draw'];
  const decided = wdl === 'win' || wdl === 'cursed win' ? 'win' : 'loss';
  const isOpen = rule50 && (category === 'maybe-win' || category === 'maybe-loss');
  return isOpen ? [decided, 'draw'] : [decided];
}
