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

/** In how many ways `taken` of `all` things can be chosen. */
function choose(all: number, taken: number): number {
  let ways = all < taken ? 0 : 1;
  for (let i = 1; i <= taken; i++) ways = (ways * (all - taken + i)) / i;
  return ways;
}

/** `pits` on each side, each with so many stones at first. */
export function kalah(pits: number, stones: number): ScoredNumberedGame<Board> {
  const all = 2 * pits * stones;
  const bowlCount = 2 * pits + 2;
  const row = [...Array<number>(pits).fill(stones), 0];
  const storeOf = (side: number) => pits + side * (pits + 1);
  const pitsOf = (bowls: readonly number[], side: number) => bowls.slice(side * (pits + 1), storeOf(side));

  function sow({ bowls, side }: Board, from: number): Board {
    const after = bowls.with(from, 0);
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
    size: choose(all + bowlCount - 1, bowlCount - 1),
    starts: () => [{ bowls: [...row, ...row], side: 0 }],
    // Stones in a row with a bar between bowls: the number of a set of bars in the order of their greatest members.
    index: ({ bowls }) =>
      bowls.slice(0, -1).reduce((index, _, i) => index + choose(sum(bowls.slice(0, i + 1)) + i, i + 1), 0),
    position(index, side) {
      const bowls: number[] = [];
      let [left, above] = [index, all + bowlCount - 1];
      for (let i = bowlCount - 1; i > 0; i--) {
        let bar = above - 1;
        while (choose(bar, i) > left) bar--;
        left -= choose(bar, i);
        bowls[i] = above - bar - 1;
        above = bar;
      }
      bowls[0] = above;
      return { bowls, side };
    },
    mover: ({ side }) => side,
    ended: ({ bowls }) => (sum(pitsOf(bowls, 0)) === 0 || sum(pitsOf(bowls, 1)) === 0 ? 'over' : null),
    score: ({ bowls }) => 2 * sum(bowls.slice(0, pits + 1)) - all,
    moves: (board) =>
      pitsOf(board.bowls, board.side).flatMap((count, pit): NamedMove<Board>[] =>
        count === 0 ? [] : [[String(pit + 1), sow(board, pit + board.side * (pits + 1))]],
      ),
  };
}

export default numberedGame(kalah(3, 2));
