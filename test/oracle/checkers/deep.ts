/**
 * A naive search without tables: whether a position is won or lost within so many plies, by the rules of rules.ts alone. It tries
 * all moves, a ply deeper each time, and knows no more than the positions it met.
 */
import { formatFen } from './fen.js';
import { moves, type Position } from './rules.js';

/** The outcome for the side to move, and in how many plies; null: neither won nor lost within the depth. */
export type DeepOutcome = { readonly won: boolean; readonly plies: number } | null;

/** @param depth the most plies. */
export function searchNaively(position: Position, depth: number): DeepOutcome {
  const known = new Map<string, boolean>();

  /** Whether the side to move has lost within that many plies, whatever it plays. */
  function loses(at: Position, plies: number): boolean {
    return remembered(`-${plies}${formatFen(at)}`, () => {
      const next = moves(at);
      if (next.length === 0) return true;
      return plies >= 2 && next.every(({ after }) => wins(after, plies - 1));
    });
  }

  function wins(at: Position, plies: number): boolean {
    return remembered(`+${plies}${formatFen(at)}`, () =>
      moves(at).some(({ after }) => loses(after, plies - 1)),
    );
  }

  function remembered(key: string, find: () => boolean): boolean {
    let found = known.get(key);
    if (found === undefined) known.set(key, (found = find()));
    return found;
  }

  for (let plies = 0; plies <= depth; plies++) {
    if (plies % 2 === 1 && wins(position, plies)) return { won: true, plies };
    if (plies % 2 === 0 && loses(position, plies)) return { won: false, plies };
  }
  return null;
}
