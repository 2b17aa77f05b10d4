/** The numbers of boards of awari, in slices by the stones on the board. */
import type { NumberedSlice, Side } from 'mergemate';
import { type Board, HALF, PITS, STONES, sum } from './board.js';

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

export const size = FIRST.at(-1)!;

export const slices: NumberedSlice[] = SIZES.map((size, stones) => ({
  name: nameOf(stones),
  size,
  leadsTo: SIZES.slice(0, stones).map((_, fewer) => nameOf(fewer)),
}));

/** All ways to lay the stones out are put in order, by the stones in the first pit, then in the second, and so on. */
export function index({ pits, own }: Board): number {
  const stones = sum(pits);
  let [ways, left] = [0, stones];
  for (const [i, here] of pits.slice(0, -1).entries()) {
    for (let fewer = 0; fewer < here; fewer++) ways += WAYS[2 * PITS - 1 - i][left - fewer];
    left -= here;
  }
  return FIRST[stones] + ways * (STONES - stones + 1) + own;
}

export function position(index: number, side: Side): Board | null {
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
}
