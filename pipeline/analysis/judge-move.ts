/** Whether a move keeps the outcome that a position has, and which other moves do. */
import type { Wdl } from '../game/value.js';

/** The facts of a move that its judgement needs. */
interface Judgeable {
  readonly uci: string;
  readonly wdl: Wdl;
}

/** A position and all its moves, best first, as `Prober.probe` returns it. */
interface Position<Move extends Judgeable> {
  readonly wdl: Wdl;
  readonly moves: readonly Move[];
}

/**
 * - `forced`: there is no other legal move.
 * - `only`: no other move keeps the outcome.
 * - `keeps`: others do, too.
 * - `mistake`: it gives the outcome away.
 * - `lost`: the position is lost, so there is no outcome to keep.
 */
export type Verdict = 'forced' | 'only' | 'keeps' | 'mistake' | 'lost';

export interface JudgedMove<Move extends Judgeable> {
  readonly played: Move;
  readonly verdict: Verdict;
  /** The other moves that keep the outcome, best first: *duals* where a study has one solution. None of a lost position. */
  readonly others: readonly Move[];
}

const ORDER: readonly Wdl[] = ['loss', 'blessed loss', 'draw', 'cursed win', 'win'];

/** The moves that keep the outcome of a position, best first: all of them if it is lost. */
export function keepingMoves<Move extends Judgeable>({ wdl, moves }: Position<Move>): readonly Move[] {
  return moves.filter((move) => ORDER.indexOf(move.wdl) >= ORDER.indexOf(wdl));
}

/** Judges a move of the position by its UCI name; null if it is none of its moves. */
export function judgeMove<Move extends Judgeable>(
  position: Position<Move>,
  uci: string,
): JudgedMove<Move> | null {
  const played = position.moves.find((move) => move.uci === uci);
  if (played === undefined) return null;
  const keeping = keepingMoves(position);
  const others = keeping.filter((move) => move !== played);
  if (position.moves.length === 1) return { played, verdict: 'forced', others: [] };
  if (position.wdl === 'loss') return { played, verdict: 'lost', others: [] };
  if (!keeping.includes(played)) return { played, verdict: 'mistake', others };
  return { played, verdict: others.length === 0 ? 'only' : 'keeps', others };
}
