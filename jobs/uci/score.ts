/** Scores of moves as UCI writes them, for the player who makes them. */
import { isDirectMate, stipulations } from '../../pipeline/game/stipulation.js';
import type { Metric } from '../../pipeline/game/value.js';
import type { ProbedMove } from '../../pipeline/tables/probe/prober.js';
import type { Settings } from './options.js';

/** Without a mate, in centipawns: a win by tables, less its plies; a win that the 50-move rule makes a draw. */
const WON = 20_000;
const CURSED = 1;

type Move = ProbedMove<unknown>;

/** "mate 3", "cp 19990", and with UCI_ShowWDL " wdl 1000 0 0" behind it. */
export function scoreText(
  move: Move,
  metric: Metric,
  settings: Pick<Settings, 'showWdl' | 'rule50'>,
): string {
  const score = scoreOf(move, metric, settings.rule50);
  return settings.showWdl ? `${score} wdl ${chances(move, settings.rule50)}` : score;
}

/** Only tables of mates give the number of moves to the mate. */
function scoreOf({ wdl, plies, category }: Move, metric: Metric, rule50: boolean): string {
  if (wdl === 'draw') return 'cp 0';
  const wins = wdl === 'win' || wdl === 'cursed win';
  const isCursed = wdl === 'cursed win' || wdl === 'blessed loss';
  if (isCursed && rule50) return `cp ${wins ? CURSED : -CURSED}`;
  const sign = wins ? 1 : -1;
  const isMate = isDirectMate(metric) && plies !== null;
  const ignoresRule = stipulations[metric].rule50 === 'ignored';
  if (isMate && (category === 'win' || category === 'loss' || ignoresRule))
    return `mate ${sign * Math.ceil(plies / 2)}`;
  return `cp ${sign * (WON - (plies ?? 0))}`;
}

/** Chances of a win, a draw and a loss in thousandths. Where the values do not decide whether the 50-move rule takes a win away, half for each. */
function chances({ wdl, category }: Move, rule50: boolean): string {
  if (wdl === 'draw' || (rule50 && wdl !== 'win' && wdl !== 'loss')) return '0 1000 0';
  const isWin = wdl === 'win' || wdl === 'cursed win';
  const isOpen = rule50 && (category === 'maybe-win' || category === 'maybe-loss');
  const decided = isOpen ? 500 : 1000;
  return isWin ? `${decided} ${1000 - decided} 0` : `0 ${1000 - decided} ${decided}`;
}
