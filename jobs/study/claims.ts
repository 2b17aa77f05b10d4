/**
 * What the text of a study claims, held against the tables: its stipulation, its result, and of EPD the operations `bm` (best moves), `am` (moves to
 * avoid) and `dm` (mate in so many moves; negative: the side to move is mated in so many; 0: there is no mate).
 */

import type { KnownMove, KnownPosition } from '../../pipeline/analysis/duals.js';
import { judgeMove, keepingMoves } from '../../pipeline/analysis/judge-move.js';
import { isDirectMate, stipulations } from '../../pipeline/game/stipulation.js';
import { outcomeRank, type Wdl } from '../../pipeline/game/value.js';
import { ChessPosition } from '../notation/chess-position.js';
import type { Study } from '../notation/read-game.js';
import { listed, pliesText } from '../ui/move-lists.js';
import { outcomeRange } from '../ui/range.js';
import { isDoubtful } from '../ui/verdict.js';
import { type ClaimedOutcome, claimedOutcomes } from './aim.js';
import { moverOf } from './position-text.js';

export interface CheckedClaim {
  readonly claim: ClaimedOutcome['claim'] | 'bm' | 'am' | 'dm';
  /** As the text has it: "1-0", "Ke5", "5". */
  readonly text: string;
  /** Null if the tables that there are do not tell. */
  readonly right: boolean | null;
  /** What the tables say of it: "right", "gives the win away (draw); win by Ke5". */
  readonly says: string;
}

/** @param first the first position, and `end` that after the last move: it is asked if no table has the first. */
export function checkClaims(
  study: Study,
  first: KnownPosition | null,
  end: KnownPosition | null,
): CheckedClaim[] {
  const { fen, moves, operations } = study;
  const claims: CheckedClaim[] = [];
  const [held, at, where] =
    first !== null ? [first, fen, ''] : [end, moves.at(-1)?.after ?? fen, ' at the end'];
  for (const { claim, text, winner } of claimedOutcomes(study))
    if (held !== null) claims.push({ claim, text, ...heldResult(winner, held, at, where) });
  if (first === null) return claims;
  const { bm = [], am = [], dm = [] } = operations;
  for (const text of bm) claims.push({ claim: 'bm', text, ...heldBest(text, fen, first, bm) });
  for (const text of am) claims.push({ claim: 'am', text, ...heldAvoided(text, fen, first) });
  for (const text of dm.slice(0, 1)) claims.push({ claim: 'dm', text, ...heldMate(text, first) });
  return claims;
}

type Held = Pick<CheckedClaim, 'right' | 'says'>;

const RIGHT: Held = { right: true, says: 'right' };
const wrong = (says: string): Held => ({ right: false, says });
const unsure = (says: string): Held => ({ right: null, says });

/** @param winner null if a draw is claimed. */
function heldResult(winner: string | null, position: KnownPosition, fen: string, where: string): Held {
  const { wdl, category, metric, most } = position;
  const mover = moverOf(fen);
  if (most !== undefined) return heldOpen(winner, position, mover, where);
  const other = mover === 'w' ? 'b' : 'w';
  const isDrawnByRule = wdl === 'cursed win' || wdl === 'blessed loss';
  const better = wdl === 'draw' ? null : wdl === 'win' || wdl === 'cursed win' ? mover : other;
  if (isDrawnByRule && (winner === null || winner === better))
    return {
      right: true,
      says: winner === null ? 'right by the 50-move rule' : 'right but for the 50-move rule',
    };
  // The half-move clock may leave too little time for the win, and the tables at hand do not tell.
  if (isDoubtful(category, metric, Number(fen.split(' ')[4] ?? 0)) && (winner === null || winner === better))
    return unsure('not sure under the 50-move rule');
  if (winner === better) return { right: true, says: `right${where}` };
  const name = better === null ? 'a draw' : `a win of ${better === 'w' ? 'White' : 'Black'}`;
  return wrong(`the tables give ${name}${where}`);
}

/** A result beside an outcome that is open: it may be wrong for sure. */
function heldOpen(
  winner: string | null,
  { wdl, most, known }: KnownPosition,
  mover: string,
  where: string,
): Held {
  const claimed = outcomeRank({ wdl: winner === null ? 'draw' : winner === mover ? 'win' : 'loss' });
  const says = `${known}${where}`;
  return claimed < outcomeRank({ wdl }) || claimed > outcomeRank({ wdl: most! })
    ? wrong(`the tables give: ${says}`)
    : unsure(`not decided: ${says}`);
}

function heldBest(text: string, fen: string, position: KnownPosition, claimed: readonly string[]): Held {
  const move = findMove(text, fen, position);
  if (move === null) return wrong('not a legal move here');
  if (judgeMove(position, move.uci)!.verdict === 'unknown') return unsure('not decided');
  const keeping = keepingMoves(position);
  const best = bestMoves(position);
  if (!keeping.includes(move))
    return wrong(
      `gives the ${position.wdl} away (${outcomeRange(move)}); ${position.wdl} by ${listed(best)}`,
    );
  if (!best.includes(move) && (move.plies === null || best[0].plies === null))
    return unsure('it keeps the outcome; whether it is as fast as others is not decided');
  if (!best.includes(move))
    return wrong(
      `takes ${pliesText(move)} plies; ${listed(best)} ${best.length === 1 ? 'takes' : 'take'} ${pliesText(best[0])}`,
    );
  const named = claimed.map((each) => findMove(each, fen, position));
  const asGood = best.filter((each) => !named.includes(each));
  return asGood.length === 0 ? RIGHT : { right: true, says: `right; as good: ${listed(asGood)}` };
}

function heldAvoided(text: string, fen: string, position: KnownPosition): Held {
  const move = findMove(text, fen, position);
  if (move === null) return wrong('not a legal move here');
  if (judgeMove(position, move.uci)!.verdict === 'unknown') return unsure('not decided');
  if (!keepingMoves(position).includes(move))
    return { right: true, says: `right: it gives the ${position.wdl} away (${outcomeRange(move)})` };
  // In a lost position every move loses, and what can be avoided is to lose sooner.
  if (position.wdl === 'loss' && !bestMoves(position).includes(move))
    return { right: true, says: 'right: it loses sooner' };
  return wrong(`keeps the ${position.wdl}`);
}

function heldMate(text: string, { wdl, plies, precise, metric, known }: KnownPosition): Held {
  const moves = Number(text);
  if (!/^[+-]?\d+$/.test(text.trim())) return wrong('not a number of moves');
  if (known !== undefined) return unsure(`not decided: ${known}`);
  const countsMate = isDirectMate(metric) && stipulations[metric].rule50 === 'ignored';
  const given = outcome(wdl, plies, countsMate && precise !== false);
  if (moves === 0) return wdl === 'draw' || plies === 0 ? RIGHT : wrong(`the tables give ${given}`);
  const isFor = wdl === 'win' || wdl === 'cursed win' ? 1 : wdl === 'draw' ? 0 : -1;
  if (isFor !== Math.sign(moves)) return wrong(`the tables give ${given}`);
  const most = 2 * Math.abs(moves) - (moves > 0 ? 1 : 0);
  if (plies !== null && countsMate)
    return Math.ceil(plies / 2) === Math.abs(moves) ? RIGHT : wrong(`the tables give ${given}`);
  // Whatever a metric counts to is reached no later than mate.
  if (plies !== null && plies > most) return wrong(`no mate before ply ${plies}`);
  return unsure(`${given}, but only tables of the metric dtm count moves to mate`);
}

function outcome(wdl: Wdl, plies: number | null, countsMate: boolean): string {
  if (wdl === 'draw') return 'a draw';
  const mate = countsMate && plies !== null ? `mate in ${Math.ceil(plies / 2)}` : null;
  if (wdl === 'win' || wdl === 'cursed win') return mate ?? `a ${wdl}`;
  return mate === null ? `a ${wdl}` : `a loss: ${mate}`;
}

/** The moves that reach the best number: all that keep the outcome where there are no numbers. */
export function bestMoves(position: Pick<KnownPosition, 'wdl' | 'moves'>): readonly KnownMove[] {
  const keeping = keepingMoves(position);
  return keeping.filter(({ plies, wdl }) => plies === keeping[0].plies && wdl === keeping[0].wdl);
}

/** A move as people write it, among those of the tables; null if it is not a legal move. */
function findMove(text: string, fen: string, { moves }: KnownPosition): KnownMove | null {
  try {
    const { uci } = ChessPosition.read(fen).play(text.replace(/[!?]+$/, ''));
    return moves.find((move) => move.uci === uci) ?? null;
  } catch {
    return null;
  }
}
