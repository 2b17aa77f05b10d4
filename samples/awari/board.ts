/** Boards of awari, and how people write them. */
import type { Side } from 'mergemate';

export const PITS = 3;
export const STONES = 12;
export const HALF = STONES / 2;

/** Seen by who is to move. */
export interface Board {
  /** Stones in the pits as they are sown: the mover's own from left to right, then his opponent's. */
  readonly pits: readonly number[];
  /** Stones that the mover has captured; the opponent has the rest. */
  readonly own: number;
  readonly side: Side;
}

export const sum = (stones: readonly number[]) => stones.reduce((a, b) => a + b, 0);
export const mine = (pits: readonly number[]) => pits.slice(0, PITS);
export const his = (pits: readonly number[]) => pits.slice(PITS);
export const captured = ({ pits, own }: Board) => ({ own, other: STONES - own - sum(pits) });

export function parse(text: string): Board {
  const numbers = /^(\d+),(\d+),(\d+)\/(\d+),(\d+),(\d+) (\d+):(\d+) [wb]$/.exec(text)?.slice(1).map(Number);
  if (numbers === undefined || sum(numbers) !== STONES)
    throw new Error(
      'White\'s pits, Black\'s, what they have captured: as "2,2,2/2,2,2 0:0 w", 12 stones in all',
    );
  const pits = numbers.slice(0, 2 * PITS);
  return text.endsWith('w')
    ? { pits, own: numbers[2 * PITS], side: 0 }
    : { pits: [...his(pits), ...mine(pits)], own: numbers[2 * PITS + 1], side: 1 };
}

export function format(board: Board): string {
  const { own, other } = captured(board);
  const [a, b] = [mine(board.pits).join(), his(board.pits).join()];
  return board.side === 0 ? `${a}/${b} ${own}:${other} w` : `${b}/${a} ${other}:${own} b`;
}

export function diagram(board: Board): string {
  const { own, other } = captured(board);
  const row = (pits: readonly number[]) => pits.map((stones) => String(stones).padStart(3)).join('');
  return `${row(his(board.pits).reverse())}   ${other} captured\n${row(mine(board.pits))}   ${own} captured`;
}
