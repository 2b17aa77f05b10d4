/** Numbered games about a number of things that two sides take from. */
import type { Side } from 'mergemate';

export interface Heap {
  readonly left: number;
  readonly side: Side;
}

/** The number of a position is that of the things. */
export const byCount = {
  name: 'taking',
  index: ({ left }: Heap) => left,
  position: (left: number, side: Side): Heap => ({ left, side }),
  mover: ({ side }: Heap) => side,
};
