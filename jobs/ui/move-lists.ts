/** Lists of moves in words. */
import type { Value } from '../../pipeline/game/value.js';

interface ListedMove {
  readonly san: string;
  readonly plies?: Value['plies'];
  readonly precise?: boolean | undefined;
}

/** Moves that are named; of more there is a number. */
const NAMED = 4;

/** "Ke4, Kf4 and 20 more"; `named` writes a move. */
export function listed<Move extends ListedMove>(
  moves: readonly Move[],
  named: (move: Move) => string = ({ san }) => san,
): string {
  const more = moves.length - NAMED;
  return `${moves.slice(0, NAMED).map(named).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** "12", or "12 or 13" where plies are in pairs. */
export function pliesText({ plies, precise }: Omit<ListedMove, 'san'>): string {
  return precise === false ? `${plies} or ${plies! + 1}` : String(plies);
}

/** "Ke4 (12)"; the move alone where there are no plies. */
export function withPlies(move: ListedMove): string {
  return move.plies === null || move.plies === undefined ? move.san : `${move.san} (${pliesText(move)})`;
}
