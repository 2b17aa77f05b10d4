/** Holds the moves of a study against the tables: only moves, duals, mistakes and their refutations. */

import { StorageError, UserError } from '../../operators/core/errors.js';
import { judgeMove, keepingMoves, type Verdict } from '../../pipeline/analysis/judge-move.js';
import type { Game } from '../../pipeline/contract/game.js';
import type { Value, Wdl } from '../../pipeline/formats/value.js';
import type { Prober } from '../../pipeline/probe/prober.js';
import { errorText } from '../error-text.js';
import type { Study, StudyMove } from './read-game.js';

/** A move with its distance in plies, null where there is none. */
export interface Alternative {
  readonly san: string;
  readonly plies: number | null;
}

export interface CheckedMove {
  readonly number: string;
  readonly san: string;
  /** 0 in the main line, 1 in a variation of it, and so on. */
  readonly depth: number;
  readonly fen: string;
  /** For the side that moves: before the move, and after it. */
  readonly wdl: Wdl;
  readonly after: Wdl;
  readonly plies: number | null;
  readonly verdict: Verdict;
  /** Other moves that keep the outcome, best first. */
  readonly others: readonly Alternative[];
  /** For a mistake: the replies that make it one, best first. */
  readonly refutations: readonly string[];
}

export interface CheckedStudy {
  readonly title: string;
  readonly fen: string;
  /** The value of the first position, for the side to move; null if no table has it. `keeping` are the moves that keep the outcome. */
  readonly start: (Value & { readonly keeping: readonly Alternative[] }) | null;
  /** Moves whose position is in a table, in the order of the text. */
  readonly moves: readonly CheckedMove[];
  /** Moves whose position no table has. */
  readonly unknown: number;
}

/** A position that was looked up, and its moves, best first. */
export interface KnownPosition extends Value {
  readonly moves: readonly (Value & { readonly uci: string; readonly san: string })[];
}

/** Looks positions up; null where no table has them. */
export type Lookup = (fen: string) => Promise<KnownPosition | null>;

/** Men of a position: letters of the ranks of chess, squares of checkers. */
function menOf(game: Game, fen: string): number {
  return game.name === 'checkers'
    ? (fen.match(/\d+/g) ?? []).length
    : fen.split(' ')[0].replace(/[^a-z]/gi, '').length;
}

/** @param report takes the reason why a position with at most so many men is in no table. */
export function lookupOf(
  game: Game,
  prober: Prober<unknown>,
  men: number,
  report: (why: string) => void,
): Lookup {
  return async (fen) => {
    if (menOf(game, fen) > men) return null;
    try {
      return await prober.probe(game.parse(fen));
    } catch (error) {
      // Damage is no reason to go on.
      if (!(error instanceof UserError) || error instanceof StorageError) throw error;
      report(errorText(error));
      return null;
    }
  };
}

export async function checkStudy({ title, fen, moves }: Study, lookup: Lookup): Promise<CheckedStudy> {
  const checked: CheckedMove[] = [];
  let unknown = 0;

  async function walk(line: readonly StudyMove[], depth: number): Promise<void> {
    for (const move of line) {
      const found = await check(move, depth, lookup);
      if (found === null) unknown++;
      else checked.push(found);
      for (const variation of move.variations) await walk(variation, depth + 1);
    }
  }

  await walk(moves, 0);
  const first = await lookup(fen);
  const start =
    first === null
      ? null
      : { wdl: first.wdl, plies: first.plies, keeping: keepingMoves(first).map(alternative) };
  return { title, fen, start, moves: checked, unknown };
}

async function check(move: StudyMove, depth: number, lookup: Lookup): Promise<CheckedMove | null> {
  const position = await lookup(move.before);
  const judged = position === null ? null : judgeMove(position, move.uci);
  if (position === null || judged === null) return null;
  const { played, verdict, others } = judged;
  const replies = verdict === 'mistake' ? await lookup(move.after) : null;
  return {
    ...{ number: move.number, san: move.san, depth, fen: move.before },
    ...{ wdl: position.wdl, after: played.wdl, plies: played.plies, verdict },
    others: others.map(alternative),
    refutations: replies === null ? [] : keepingMoves(replies).map(({ san }) => san),
  };
}

const alternative = ({ san, plies }: Alternative): Alternative => ({ san, plies });
