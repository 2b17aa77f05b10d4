/** Wythoff's game: a queen moves left, down, or both by the same number of squares; who cannot move has lost. */
import { keyedGame, type Side } from 'mergemate';

interface Queen {
  readonly x: number;
  readonly y: number;
  readonly side: Side;
}

export default keyedGame<Queen, number>({
  name: 'wythoff',
  roots: () => [{ x: 19, y: 11, side: 0 }],
  key: ({ x, y, side }) => (x * 20 + y) * 2 + side,
  position: (key) => ({ x: Math.floor(key / 40), y: (key >> 1) % 20, side: (key & 1) as Side }),
  mover: ({ side }) => side,
  *moves({ x, y, side }) {
    const next = (1 - side) as Side;
    for (let n = 1; n <= Math.max(x, y); n++) {
      if (n <= x) yield [`left ${n}`, { x: x - n, y, side: next }];
      if (n <= y) yield [`down ${n}`, { x, y: y - n, side: next }];
      if (n <= Math.min(x, y)) yield [`both ${n}`, { x: x - n, y: y - n, side: next }];
    }
  },
});
