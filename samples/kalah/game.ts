/**
 * Kalah. Who sows the last stone into his own store moves again. Who sows it into an empty pit of his own takes it, with the stones
 * opposite, if there are any. When the pits of a side are empty, the other side gets what is left. The score is by how many stones
 * South has more. All ways are solved in which the stones can lie, also those that no game comes to.
 */
import { type NamedMove, numberedGame, type ScoredNumberedGame, type Side } from 'mergemate';

interface Board {
  /** Stones in the order of sowing: South's pits from left to right, South's store, North's pits, North's store. */
  readonly bowls: readonly number[];
  readonly side: Side;
}

const sum = (stones: readonly number[]) => stones.reduce((a, b) => a + b, 0);

/** In how many ways things can be chosen: `ways[taken][all]`. Pascal's triangle, since each position asks for it often. */
function waysToChoose(all: number, taken: number): readonly number[][] {
  const ways = [Array<number>(all + 1).fill(1)];
  for (let i = 1; i <= taken; i++) {
    ways[i] = [0];
    for (let n = 1; n <= all; n++) ways[i][n] = ways[i][n - 1] + ways[i - 1][n - 1];
  }
  return ways;
}

/** `pits` on each side, each with so many stones at first. */
export function kalah(pits: number, stones: number): ScoredNumberedGame<Board> {
  const all = 2 * pits * stones;
  const bowlCount = 2 * pits + 2;
  const row = [...Array<number>(pits).fill(stones), 0];
  const ways = waysToChoose(all + bowlCount, bowlCount);
  const storeOf = (side: number) => pits + side * (pits + 1);
  const isEmpty = (bowls: readonly number[], side: number) => {
    for (let at = side * (pits + 1); at < storeOf(side); at++) if (bowls[at] > 0) return false;
    return true;
  };

  function sow({ bowls, side }: Board, from: number): Board {
    const after = bowls.slice();
    after[from] = 0;
    let at = from;
    for (let left = bowls[from]; left > 0; left--) {
      at = (at + 1) % bowlCount;
      if (at === storeOf(1 - side)) at = (at + 1) % bowlCount;
      after[at]++;
    }
    const opposite = 2 * pits - at;
    const isOwnPit = at >= side * (pits + 1) && at < storeOf(side);
    if (isOwnPit && after[at] === 1 && after[opposite] > 0) {
      after[storeOf(side)] += 1 + after[opposite];
      after[at] = after[opposite] = 0;
    }
    return { bowls: after, side: at === storeOf(side) ? side : ((1 - side) as Side) };
  }

  return {
    name: `kalah-${pits}-${stones}`,
    players: ['south', 'north'],
    size: ways[bowlCount - 1][all + bowlCount - 1],
    starts: () => [{ bowls: [...row, ...row], side: 0 }],
    // Stones in a row with a bar between bowls: the number of a set of bars in the order of their greatest members.
    index({ bowls }) {
      let [index, bar] = [0, 0];
      for (let i = 1; i < bowlCount; i++) {
        bar += bowls[i - 1];
        index += ways[i][bar++];
      }
      return index;
    },
    position(index, side) {
      const bowls = Array<number>(bowlCount).fill(0);
      let [left, above] = [index, all + bowlCount - 1];
      for (let i = bowlCount - 1; i > 0; i--) {
        let bar = above - 1;
        while (ways[i][bar] > left) bar--;
        left -= ways[i][bar];
        bowls[i] = above - bar - 1;
        above = bar;
      }
      bowls[0] = above;
      return { bowls, side };
    },
    mover: ({ side }) => side,
    ended: ({ bowls }) => (isEmpty(bowls, 0) || isEmpty(bowls, 1) ? 'over' : null),
    score: ({ bowls }) => 2 * sum(bowls.slice(0, pits + 1)) - all,
    moves(board) {
      const moves: NamedMove<Board>[] = [];
      const first = board.side * (pits + 1);
      for (let pit = 0; pit < pits; pit++)
        if (board.bowls[first + pit] > 0) moves.push([String(pit + 1), sow(board, first + pit)]);
      return moves;
    },
  };
}

export default numberedGame(kalah(3, 2));
