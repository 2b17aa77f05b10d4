/** Two heaps: one to three counters of one heap are taken, and who takes the last one has won. A game can begin with several positions. */
import { keyedGame, type NamedMove, type Side } from 'mergemate';

interface Heaps {
  readonly left: number;
  readonly right: number;
  readonly side: Side;
}

function* moves({ left, right, side }: Heaps): Generator<NamedMove<Heaps>> {
  const next = side === 0 ? 1 : 0;
  for (let taken = 1; taken <= 3; taken++) {
    if (taken <= left) yield [`${taken} left`, { left: left - taken, right, side: next }];
    if (taken <= right) yield [`${taken} right`, { left, right: right - taken, side: next }];
  }
}

function parse(text: string): Heaps {
  const [, left, right, mover] = /^([0-7])\+([0-7]) (white|black)$/.exec(text) ?? [];
  if (mover === undefined) throw new Error('write it as "3+4 white"');
  return { left: Number(left), right: Number(right), side: mover === 'white' ? 0 : 1 };
}

export default keyedGame<Heaps, number>({
  name: 'heaps',
  roots: () => ['5+6 white', '4+4 white', '1+7 white'].map(parse),
  key: ({ left, right, side }) => (left * 8 + right) * 2 + side,
  position: (key) => ({ left: key >> 4, right: (key >> 1) & 7, side: (key & 1) as Side }),
  mover: ({ side }) => side,
  moves,
  parse,
  format: ({ left, right, side }) => `${left}+${right} ${side === 0 ? 'white' : 'black'}`,
});
