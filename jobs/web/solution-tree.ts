/** Solutions of a problem as a tree of moves. */
import type { LineMove } from '../positions/shapes.js';

/** A move that solutions have in common, and the moves with which they continue. */
export interface Branch {
  readonly move: LineMove;
  readonly next: readonly Branch[];
}

/** Lines that begin alike become one branch. */
export function branchesOf(lines: readonly (readonly LineMove[])[]): Branch[] {
  const byMove = new Map<string, (readonly LineMove[])[]>();
  for (const line of lines) {
    if (line.length === 0) continue;
    const { move } = line[0];
    byMove.set(move, [...(byMove.get(move) ?? []), line]);
  }
  return [...byMove.values()].map((alike) => ({
    move: alike[0][0],
    next: branchesOf(alike.map((line) => line.slice(1))),
  }));
}

/** The number before a half-move: "1." or, where a line or branch begins in the middle of a move, "1…". */
export function numberOf(at: number, leads: boolean, begins: boolean): string {
  const turn = at + (leads ? 0 : 1);
  const number = Math.floor(turn / 2) + 1;
  return turn % 2 === 0 ? `${number}.` : begins ? `${number}…` : '';
}
