/**
 * Awari (oware) with three pits a side and twelve stones: who captures more than half of them has won. How many each player has
 * captured is part of the position. Captured stones never come back, so a slice is what has so many stones on the board.
 */
import { type NamedMove, numberedGame, type Side } from 'mergemate';

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

/** In how many ways so many stones can lie in so many places. */
const WAYS = Array.from({ length: 2 * PITS + 1 }, () => Array<number>(STONES + 1).fill(0));
for (const [places, ways] of WAYS.entries())
  for (let stones = 0; stones <= STONES; stones++)
    ways[stones] = stones === 0 ? 1 : places === 0 ? 0 : ways[stones - 1] + WAYS[places - 1][stones];

/** With so many stones in the pits, in how many ways they can lie there, times how many of the others the mover can have. */
const SIZES = WAYS[2 * PITS].map((ways, stones) => ways * (STONES - stones + 1));
/** The first number of a position with so many stones in the pits; at last, that which none has. */
const FIRST = [0];
for (const [stones, size] of SIZES.entries()) FIRST.push(FIRST[stones] + size);
const nameOf = (stones: number) => `stones-${stones}`;

export default numberedGame<Board>({
  name: 'awari',
  size: FIRST.at(-1)!,
  slices: SIZES.map((size, stones) => ({
    name: nameOf(stones),
    size,
    leadsTo: SIZES.slice(0, stones).map((_, fewer) => nameOf(fewer)),
  })),
  // All ways to lay the stones out are put in order, by the stones in the first pit, then in the second, and so on.
  index({ pits, own }) {
    const stones = sum(pits);
    let [ways, left] = [0, stones];
    for (const [i, here] of pits.slice(0, -1).entries()) {
      for (let fewer = 0; fewer < here; fewer++) ways += WAYS[2 * PITS - 1 - i][left - fewer];
      left -= here;
    }
    return FIRST[stones] + ways * (STONES - stones + 1) + own;
  },
  position(index, side) {
    const stones = FIRST.findIndex((first) => first > index) - 1;
    const others = STONES - stones + 1;
    const own = (index - FIRST[stones]) % others;
    // Who has captured more than half has won with that move, and is not asked for another.
    if (own > HALF) return null;
    let [before, left] = [Math.floor((index - FIRST[stones]) / others), stones];
    const pits = Array.from({ length: 2 * PITS - 1 }, (_, i) => {
      const ways = WAYS[2 * PITS - 1 - i];
      let here = 0;
      for (; before >= ways[left]; here++) before -= ways[left--];
      return here;
    });
    return { pits: [...pits, left], own, side };
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
    const sown = sowings(board);
    return sown.length > 0 ? sown : [['rest', takeRest(board)]];
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
      ? { pits, own: numbers[2 * PITS], side: 0 }
      : { pits: [...his(pits), ...mine(pits)], own: numbers[2 * PITS + 1], side: 1 };
  },
  format(board) {
    const { own, other } = captured(board);
    const [a, b] = [mine(board.pits).join(), his(board.pits).join()];
    return board.side === 0 ? `${a}/${b} ${own}:${other} w` : `${b}/${a} ${other}:${own} b`;
  },
  diagram(board) {
    const { own, other } = captured(board);
    const row = (pits: readonly number[]) => pits.map((stones) => String(stones).padStart(3)).join('');
    return `${row(his(board.pits).reverse())}   ${other} captured\n${row(mine(board.pits))}   ${own} captured`;
  },
});
