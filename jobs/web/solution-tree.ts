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
