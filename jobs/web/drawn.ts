/** Why a position is drawn, as far as its moves and its men show it. */
import { inSeries } from '../ui/ending-words.js';
import { capital } from '../ui/verdict.js';
import type { ShownMove, ShownPosition } from './source.js';

/** Chess: bare kings, a single minor piece, or bishops that all stand on squares of one colour. Neither side can mate. */
export function isInsufficient(fen: string): boolean {
  const men = [...fen.split(' ')[0].replaceAll('/', '')].flatMap((each) =>
    /\d/.test(each) ? Array<string>(Number(each)).fill('') : [each.toLowerCase()],
  );
  const others = men.flatMap((man, cell) => (man === '' || man === 'k' ? [] : [{ man, cell }]));
  if (others.length <= 1) return others.every(({ man }) => man === 'b' || man === 'n');
  const colours = new Set(others.map(({ cell }) => ((cell >> 3) + cell) & 1));
  return colours.size === 1 && others.every(({ man }) => man === 'b');
}

/** Moves of one kind that are named one by one; if there are more, they are counted. */
const NAMED = 3;

/**
 * What keeps a drawn position a draw: the moves of the side to move that hold it, those among them that the 50-move rule alone draws, and
 * those that leave men who cannot mate. Null for positions that are not drawn, or in which play is over.
 */
export function drawReason(answer: ShownPosition): string | null {
  const { game, isOver, wdl, mover, position, moves } = answer;
  // Of an open outcome, or with moves of one, it is not known what holds it.
  if ([answer, ...moves].some(({ most }) => most !== undefined)) return null;
  if (wdl !== 'draw' || isOver || (game === 'chess' && isInsufficient(position))) return null;
  const blessed = moves.filter((move) => move.wdl === 'blessed loss');
  const holding = moves.filter((move) => move.wdl === 'draw' || blessed.includes(move));
  const losing = moves.length - holding.length;
  const bare = game === 'chess' ? holding.filter((move) => isInsufficient(move.position)) : [];
  const notes = [
    [blessed, 'draws', 'draw', 'by the 50-move rule alone'],
    [bare, 'leaves', 'leave', 'men that cannot mate'],
  ] as const;
  const why = notes
    .filter(([which]) => which.length > 0)
    .map(([which, one, several, what]) => ` ${named(which)} ${which.length === 1 ? one : several} ${what}.`)
    .join('');
  if (moves.length === 1) return `${capital(mover)} has one move, and it draws.${why}`;
  if (losing === 0) return `Every move draws.${why}`;
  const others = losing === 1 ? 'the other move loses' : `the other ${losing} lose`;
  if (holding.length <= NAMED)
    return `Only ${named(holding)} ${holding.length === 1 ? 'draws' : 'draw'}; ${others}.${why}`;
  return `${holding.length} of ${moves.length} moves draw; ${others}.${why}`;
}

function named(moves: readonly ShownMove[]): string {
  const names = moves.slice(0, NAMED).map(({ san }) => san);
  const more = moves.length - names.length;
  return inSeries(more === 0 ? names : [...names, `${more} more`]);
}
