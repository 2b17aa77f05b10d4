/**
 * Awari (oware) with three pits a side and twelve stones: who captures more than half of them has won. How many each player has
 * captured is part of the position.
 */
import { type Side, simpleGame } from 'mergemate';

const PITS = 3;
const STONES = 12;
const HALF = STONES / 2;

/** Seen by who is to move. */
interface Board {
  /** Stones in the pits as they are sown: the mover's own from left to right, then his opponent's. */
  readonly pits: readonly number[];
  /** Stones that the mover has captured; the opponent has the rest. */
  readonly own: number;
  readonly side: Side;
}

const sum = (stones: readonly number[]) => stones.reduce((a, b) => a + b, 0);
const mine = (pits: readonly number[]) => pits.slice(0, PITS);
const his = (pits: readonly number[]) => pits.slice(PITS);
const captured = ({ pits, own }: Board) => ({ own, other: STONES - own - sum(pits) });

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
  for (let left = pits[from]!; left > 0; left--) {
    at = (at + 1) % (2 * PITS);
    if (at === from) at++;
    after[at]!++;
  }
  let more = 0;
  for (; at >= PITS && (after[at] === 2 || after[at] === 3); at--) {
    more += after[at]!;
    after[at] = 0;
  }
  return handOver(after, own + more, side);
}

/** Who faces a player without stones must leave him some. */
function sowings(board: Board): Board[] {
  const mustFeed = sum(his(board.pits)) === 0;
  return mine(board.pits).flatMap((stones, pit) => {
    if (stones === 0) return [];
    const after = sow(board, pit);
    return mustFeed && sum(mine(after.pits)) === 0 ? [] : [after];
  });
}

/** Who cannot feed his opponent takes all stones, which are on his side. */
const takeRest = ({ pits, own, side }: Board) => handOver(Array(2 * PITS).fill(0), own + sum(pits), side);

/** In how many ways so many stones can lie in so many places. */
const WAYS = Array.from({ length: 2 * PITS + 3 }, () => Array<number>(STONES + 1).fill(0));
for (const [places, ways] of WAYS.entries())
  for (let stones = 0; stones <= STONES; stones++)
    ways[stones] = stones === 0 ? 1 : places === 0 ? 0 : ways[stones - 1]! + WAYS[places - 1]![stones]!;

/** Pits and the two players' captures. */
const PLACES = 2 * PITS + 2;

export default simpleGame<Board>({
  name: 'awari',
  size: WAYS[PLACES]![STONES]!,
  // All ways to lay the stones out are put in order, by the stones in the first place, then in the second, and so on.
  index({ pits, own }) {
    let [index, left] = [0, STONES];
    for (const [i, stones] of [...pits, own].entries()) {
      for (let fewer = 0; fewer < stones; fewer++) index += WAYS[PLACES - 1 - i]![left - fewer]!;
      left -= stones;
    }
    return index;
  },
  position(index, side) {
    let [before, left] = [index, STONES];
    const places = Array.from({ length: PLACES - 1 }, (_, i) => {
      const ways = WAYS[PLACES - 1 - i]!;
      let stones = 0;
      for (; before >= ways[left]!; stones++) before -= ways[left--]!;
      return stones;
    });
    const own = places.pop()!;
    // Who has captured more than half has won with that move, and is not asked for another.
    return own > HALF ? null : { pits: places, own, side };
  },
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
    const after = sowings(board);
    return after.length > 0 ? after : [takeRest(board)];
  },
  parse(text) {
    const numbers = /^(\d+),(\d+),(\d+)\/(\d+),(\d+),(\d+) (\d+):(\d+) [wb]$/
      .exec(text)
      ?.slice(1)
      .map(Number);
    if (numbers === undefined || sum(numbers) !== STONES)
      throw new Error(
        'White\'s pits, Black\'s, what they have captured: as "2,2,2/2,2,2 0:0 w", 12 stones in all',
      );
    const pits = numbers.slice(0, 2 * PITS);
    return text.endsWith('w')
      ? { pits, own: numbers[2 * PITS]!, side: 0 }
      : { pits: [...his(pits), ...mine(pits)], own: numbers[2 * PITS + 1]!, side: 1 };
  },
  format(board) {
    const { own, other } = captured(board);
    const [a, b] = [mine(board.pits).join(), his(board.pits).join()];
    return board.side === 0 ? `${a}/${b} ${own}:${other} w` : `${b}/${a} ${other}:${own} b`;
  },
  moveName(before, after) {
    if (sum(after.pits) === 0 && sum(his(before.pits)) === 0) return 'rest';
    return 'abc'[mine(before.pits).findIndex((stones, pit) => his(after.pits)[pit]! < stones)]!;
  },
  diagram(board) {
    const { own, other } = captured(board);
    const row = (pits: readonly number[]) => pits.map((stones) => String(stones).padStart(3)).join('');
    return `${row(his(board.pits).reverse())}   ${other} captured\n${row(mine(board.pits))}   ${own} captured`;
  },
});
