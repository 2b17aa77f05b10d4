/** Subtraction: two heaps; a move takes 1, 2 or 3 from one of them; who takes the last has won. */
import { numberedGame, type Side } from 'mergemate';

interface Heaps {
  readonly heaps: readonly [number, number];
  readonly side: Side;
}

const MOST = 3;
const LARGEST = 63;
const heapSizes = LARGEST + 1;

export default numberedGame<Heaps>({
  name: 'subtraction',
  size: heapSizes ** 2,
  index: ({ heaps: [a, b] }) => a * heapSizes + b,
  position: (index, side) => ({ heaps: [Math.floor(index / heapSizes), index % heapSizes], side }),
  mover: ({ side }) => side,
  *moves({ heaps: [a, b], side }) {
    const next = (1 - side) as Side;
    for (let taken = 1; taken <= MOST; taken++) {
      if (taken <= a) yield [`${taken} of the first`, { heaps: [a - taken, b], side: next }];
      if (taken <= b) yield [`${taken} of the second`, { heaps: [a, b - taken], side: next }];
    }
  },
  // Who cannot move has lost: that is what a game does unless it says otherwise.
  parse(text) {
    const [, a, b, side] = /^(\d+)\+(\d+)( w| b)?$/.exec(text) ?? [];
    if (a === undefined || Number(a) > LARGEST || Number(b) > LARGEST)
      throw new Error(`two heaps of at most ${LARGEST} are a position, as in "5+12 w"`);
    return { heaps: [Number(a), Number(b)], side: side === ' b' ? 1 : 0 };
  },
  format: ({ heaps: [a, b], side }) => `${a}+${b} ${side === 0 ? 'w' : 'b'}`,
});
