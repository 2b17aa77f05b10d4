/** Whether a move keeps the outcome that a position has, and which other moves do. */
import { outcomeRank, type Wdl } from '../game/value.js';

/** The facts of a move that its judgement needs. */
interface Judgeable {
  readonly uci: string;
  readonly wdl: Wdl;
  /** The best case, where the outcome is open; `wdl` is then the worst case. */
  readonly most?: Wdl;
}

/** A position and all its moves, best first, as `Prober.probe` returns it. */
interface Position<Move extends Judgeable> {
  readonly wdl: Wdl;
  readonly most?: Wdl;
  readonly moves: readonly Move[];
}

/**
 * - `forced`: there is no other legal move.
 * - `only`: no other move keeps the outcome.
 * - `keeps`: others do, too, or may do.
 * - `mistake`: it gives the outcome away.
 * - `lost`: the position is lost, so there is no outcome to keep.
 * - `unknown`: the outcomes that are open leave room for several of these.
 */
export type Verdict = 'forced' | 'only' | 'keeps' | 'mistake' | 'lost' | 'unknown';

export interface JudgedMove<Move extends Judgeable> {
  readonly played: Move;
  readonly verdict: Verdict;
  /** The other moves that keep the outcome, best first: *duals* where a study has one solution. None of a lost position. */
  readonly others: readonly Move[];
}

const least = outcomeRank;
const greatest = ({ wdl, most = wdl }: Pick<Judgeable, 'wdl' | 'most'>) => outcomeRank({ wdl: most });

/** The moves that keep the outcome of a position, best first: all of them if it is lost. Of an open outcome, what is sure of it. */
export function keepingMoves<Move extends Pick<Judgeable, 'wdl'>>(
  position: Pick<Judgeable, 'wdl'> & { readonly moves: readonly Move[] },
): readonly Move[] {
  return position.moves.filter((move) => least(move) >= least(position));
}

/** Judges a move of the position by its UCI name; null if it is none of its moves. */
export function judgeMove<Move extends Judgeable>(
  position: Position<Move>,
  uci: string,
): JudgedMove<Move> | null {
  const { moves } = position;
  const played = moves.find((move) => move.uci === uci);
  if (played === undefined) return null;
  const others = keepingMoves(position).filter((move) => move !== played);
  if (moves.length === 1) return { played, verdict: 'forced', others: [] };
  if (greatest(position) === outcomeRank({ wdl: 'loss' })) return { played, verdict: 'lost', others: [] };
  if (greatest(played) < least(position)) return { played, verdict: 'mistake', others };
  const best = Math.max(...moves.map((move) => (move === played ? -1 : greatest(move))));
  if (best < least(played)) return { played, verdict: 'only', others: [] };
  return { played, verdict: least(played) >= greatest(position) ? 'keeps' : 'unknown', others };
}
