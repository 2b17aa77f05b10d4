/**
 * Awari (oware) with three pits a side and twelve stones: who captures more than half of them has won. How many each player has
 * captured is part of the position. Captured stones never come back, so a slice is what has so many stones on the board.
 */
import { type NamedMove, numberedGame, type Side } from 'mergemate';
import { type Board, captured, diagram, format, HALF, his, mine, PITS, parse, STONES, sum } from './board.js';
import { index, position, size, slices } from './numbers.js';

/** The board after a move, as the opponent sees it. */
const handOver = (pits: readonly number[], own: number, side: Side): Board => ({
  pits: [...his(pits), ...mine(pits)],
  own: STONES - own - sum(pits),
  side: (1 - side) as Side,
});

/** The stones of a pit go one by one into the next pits, not into their own; then twos and threes are captured. */
function sow({ pits, own, side }: Board, from: number): Board {
  const after = pits.with(from, 0);
  let at = from;
  for (let left = pits[from]; left > 0; left--) {
    at = (at + 1) % (2 * PITS);
    if (at === from) at++;
    after[at]++;
  }
  let more = 0;
  for (; at >= PITS && (after[at] === 2 || after[at] === 3); at--) {
    more += after[at];
    after[at] = 0;
  }
  return handOver(after, own + more, side);
}

/** Who faces a player without stones must leave him some. */
function sowings(board: Board): NamedMove<Board>[] {
  const mustFeed = sum(his(board.pits)) === 0;
  return mine(board.pits).flatMap((stones, pit): NamedMove<Board>[] => {
    if (stones === 0) return [];
    const after = sow(board, pit);
    return mustFeed && sum(mine(after.pits)) === 0 ? [] : [['abc'[pit], after]];
  });
}

/** Who cannot feed his opponent takes all stones, which are on his side. */
const takeRest = ({ pits, own, side }: Board) => handOver(Array(2 * PITS).fill(0), own + sum(pits), side);

export default numberedGame<Board>({
  name: 'awari',
  size,
  slices,
  index,
  position,
  parse,
  format,
  diagram,
  mover: ({ side }) => side,
  ended(board) {
    const { own, other } = captured(board);
    if (other > HALF) return 'lost';
    // Without stones to sow, the opponent takes the rest.
    if (sum(mine(board.pits)) === 0) return own === HALF ? 'drawn' : 'lost';
    // Nor is there anything to win where the rest makes six for each.
    return other === HALF && sowings(board).length === 0 ? 'drawn' : null;
  },
  moves(board) {
    const sown = sowings(board);
    return sown.length > 0 ? sown : [['rest', takeRest(board)]];
  },
});
