/** Values in words and classes of the style. */
import type { Metric, Wdl } from '../../pipeline/formats/value.js';
import type { MoveAnswer, PositionAnswer } from '../server/api-answers.js';
import { capital, distance, verdict } from '../ui/verdict.js';

/** "cursed-win" */
export function wdlClass(wdl: Wdl): string {
  return wdl.replace(' ', '-');
}

/** verdict.ts must know whether the end of the game is a mate. A store may have no table that counts to it. */
export function ends(game: string): { readonly metrics: readonly [Metric, ...Metric[]] } {
  return { metrics: [game === 'chess' ? 'dtm' : 'dtw'] };
}

/** "White to move: wins in 19 plies (mate in 10)", "Black is mated". */
export function verdictOf({ game, metric, mover, terminal, wdl, plies }: PositionAnswer): string {
  const who = capital(mover);
  if (terminal === 'lost') return game === 'chess' ? `${who} is mated` : `${who} to move: has lost`;
  if (terminal === 'drawn') return game === 'chess' ? `Draw: ${who} is stalemated` : 'Draw: the game is over';
  return verdict({ wdl, plies }, metric, mover, ends(game));
}

/** The outcome for the player who makes a move: "wins in 19 plies (mate in 10)", "draws". */
export function outcome(wdl: Wdl, plies: number | null, metric: Metric, game: string): string {
  const how = plies === null ? '' : ` in ${distance(plies, metric, ends(game))}`;
  const does: Readonly<Record<Wdl, string>> = {
    win: 'wins',
    'cursed win': 'cursed win',
    draw: 'draws',
    'blessed loss': 'blessed loss',
    loss: 'loses',
  };
  return does[wdl] + how;
}

/** How distances are given: every ply, or every two of them as a move. */
export type Unit = 'plies' | 'moves';

/** "win 19", "win 19+" where it may be 20, "draw", "cursed 112"; in moves "win 10" */
export function brief(
  { wdl, plies, precise }: Pick<MoveAnswer, 'wdl' | 'plies' | 'precise'>,
  unit: Unit = 'plies',
): string {
  const word = wdl.split(' ')[0];
  if (plies === null) return word;
  const counted = (count: number) => (unit === 'plies' ? count : Math.ceil(count / 2));
  const isOpen = precise === false && counted(plies) !== counted(plies + 1);
  return `${word} ${counted(plies)}${isOpen ? '+' : ''}`;
}

/** Added where there may be a ply more: files may give plies in pairs. */
export const IN_PAIRS = 'or one ply more';

/** Words for the plies that a metric counts. */
export function metricWords(metric: Metric, game: string): string {
  const end = game === 'chess' ? 'mate' : 'the end of the game';
  const words: Readonly<Record<Metric, string>> = {
    wdl: 'wins, draws and losses, without distances',
    dtm: 'plies to mate',
    dtw: 'plies to the end of the game',
    dtc: `plies to ${end} or to a move that leaves the ending`,
    dtz: 'plies to mate, a capture or a move of a pawn, with the 50-move rule',
    dtm50: 'plies to mate under the 50-move rule, by the clock',
    score: 'points, and plies to the end of the game',
  };
  return words[metric];
}
